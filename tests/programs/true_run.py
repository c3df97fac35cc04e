#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that write what they do as a trace: the runtime must find in them what the engines find in that trace,
and the engines must find the same in a recording of the run. Every second run is recorded, because recorded
threads take other ways through the runtime.

  tests/programs/true_run.py OMNIUM
  OMNIUM_SEEDS=1000 tests/programs/true_run.py OMNIUM
  OMNIUM_FIRST_SEED=31 OMNIUM_SEEDS=1 tests/programs/true_run.py OMNIUM

Runs random_waits.cpp with many seeds, each in the four combinations of --conflicts and --waits, and compares the
names of all refuted blocks."""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

SOURCE = pathlib.Path(__file__).resolve().parent / "random_waits.cpp"
SEEDS = int(os.environ.get("OMNIUM_SEEDS", "10"))
FIRST_SEED = int(os.environ.get("OMNIUM_FIRST_SEED", "1"))


def refuted(report):
    found = json.loads(report.read_text())
    return {block["label"] for violation in found["violations"] for block in violation["refuted"]}


def check(omnium, mode, trace):
    checked = trace.with_suffix(".json")
    limited_run.run([omnium, "check", *mode, "--all", "-f", "json", "-o", checked, trace])
    return refuted(checked)


def is_same(omnium, program, seed, mode, scratch):
    live, trace, raw, recorded = (scratch / name for name in ("live.json", "true.std", "run.raw", "recorded.omt"))
    raw.unlink(missing_ok=True)
    command = [program, str(seed), trace]
    variables = {"OMNIUM_OPTIONS": f"record={raw}"} if seed % 2 == 0 else {}
    limited_run.run([omnium, "run", *mode, "-f", "json", "-o", live, "--log", os.devnull, "--", *command],
                    env=dict(os.environ, **variables), stdout=subprocess.DEVNULL)
    answers = [("while it ran", refuted(live))]
    if variables:
        limited_run.run([omnium, "convert", raw, recorded], check=True)
        answers.append(("recorded", check(omnium, mode, recorded)))
    expected, same = check(omnium, mode, trace), True
    for where, found in answers:
        if found != expected:
            same = False
            print(f"seed {seed}, {' '.join(mode)}: only {where} {sorted(found - expected)}, "
                  f"only in the trace {sorted(expected - found)}")
    return same


def main():
    omnium = os.path.abspath(sys.argv[1])
    modes = [["--conflicts", which, "--waits", how]
             for which, how in itertools.product(["data", "all"], ["split", "keep"])]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        program = scratch / SOURCE.stem
        limited_run.run([omnium, "c++", "-std=c++20", "-g", "-O2", "-pthread", str(SOURCE), "-o", program],
                        check=True)
        same = [is_same(omnium, program, seed, mode, scratch)
                for seed in range(FIRST_SEED, FIRST_SEED + SEEDS) for mode in modes]
    print(f"{sum(same)} of {len(same)} runs: the same blocks refuted while running, recorded and in the trace")
    return 0 if all(same) and same else 1


if __name__ == "__main__":
    sys.exit(main())
