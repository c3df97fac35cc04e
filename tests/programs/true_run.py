#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that write what they do as a trace: the runtime must find in them what the engines find in that trace.

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


def is_same(omnium, program, seed, mode, scratch):
    trace, live, checked = (scratch / name for name in ("true.std", "live.json", "checked.json"))
    command = [program, str(seed), trace]
    limited_run.run([omnium, "run", *mode, "-f", "json", "-o", live, "--log", os.devnull, "--", *command],
                    stdout=subprocess.DEVNULL)
    limited_run.run([omnium, "check", *mode, "--all", "-f", "json", "-o", checked, trace])
    online, offline = refuted(live), refuted(checked)
    if online != offline:
        print(f"seed {seed}, {' '.join(mode)}: only while it ran {sorted(online - offline)}, "
              f"only in the trace {sorted(offline - online)}")
    return online == offline


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
    print(f"{sum(same)} of {len(same)} runs: the same blocks refuted while running and in the trace")
    return 0 if all(same) and same else 1


if __name__ == "__main__":
    sys.exit(main())
