#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""One run, checked while it happens and recorded at the same time: both must find the same.

  tests/programs/same_run.py OMNIUM PROGRAM.cpp...
  OMNIUM_SEEDS=1000 tests/programs/same_run.py OMNIUM tests/programs/random_steps.cpp

With each combination of --conflicts and --waits in turn. Compares what makes a finding: its id (functions, object and pattern) and the blamed block. Of
random_steps.cpp, which is run with many seeds, the names of all refuted blocks; it does the same in every run, so it is checked once more without the
recorder, because threads that are not recorded take other ways through the runtime. Also of racing_blocks.cpp, which is run as often: its data races have
to be checked in the order in which they are recorded."""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

RANDOM, RACING = "random_steps", "racing_blocks"
SEEDS = int(os.environ.get("OMNIUM_SEEDS", "25"))
FIRST_SEED = int(os.environ.get("OMNIUM_FIRST_SEED", "1"))
MODES = [["--conflicts", which, "--waits", how]
         for which, how in itertools.product(["data", "all"], ["split", "keep"])]


def found(report):
    """The findings of a stored result: ids with the labels of the blocks."""
    return sorted((cause["id"], cause["block"]["label"]) for cause in report["causes"])


def refuted(report):
    return sorted({block["label"] for violation in report["violations"] for block in violation["refuted"]})


def is_same(omnium, command, scratch, look, mode, options=(), blocks=(), alone=False):
    live, raw, trace, checked = (scratch / f"run{end}" for end in (".json", ".raw", ".omt", ".checked"))
    raw.unlink(missing_ok=True)
    environment = dict(os.environ, OMNIUM_OPTIONS=f"record={raw}")
    limited_run.run([omnium, "run", *mode, *blocks, "-f", "json", "-o", live, "--log", os.devnull, "--", *command],
                    env=environment, stdout=subprocess.DEVNULL)
    limited_run.run([omnium, "convert", raw, trace], check=True)
    limited_run.run([omnium, "check", *mode, *options, "-f", "json", "-o", checked, trace])
    offline = look(json.loads(checked.read_text()))
    runs = [("while it ran", look(json.loads(live.read_text())))]
    if alone:
        limited_run.run([omnium, "run", *mode, *blocks, "-f", "json", "-o", live, "--log", os.devnull, "--", *command],
                        stdout=subprocess.DEVNULL)
        runs.append(("while it ran alone", look(json.loads(live.read_text()))))
    for where, online in runs:
        if online != offline:
            print(f"{' '.join(map(str, [*command, *mode]))}: only {where} {[it for it in online if it not in offline]}, "
                  f"only recorded {[it for it in offline if it not in online]}")
    return all(online == offline for _, online in runs)


def compare(omnium, source, scratch):
    program = scratch / source.stem
    limited_run.run([omnium, "c++", "-std=c++20", "-g", "-O2", "-pthread", str(source), "-o", program], check=True)
    specification = source.with_suffix(".spec")
    blocks = ["-s", specification] if specification.exists() else ["--blocks", "annotated"]
    if source.stem not in (RANDOM, RACING):
        return [is_same(omnium, [program], scratch, found, mode, blocks=blocks) for mode in MODES]
    return [is_same(omnium, [program, str(seed)], scratch, refuted, MODES[seed % len(MODES)], ["--all"],
                    alone=source.stem == RANDOM)
            for seed in range(FIRST_SEED, FIRST_SEED + SEEDS)]


def main():
    omnium, sources = os.path.abspath(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        same = [one for source in sources for one in compare(omnium, source, pathlib.Path(folder))]
    print(f"{sum(same)} of {len(same)} runs: the same findings while running and recorded")
    return 0 if all(same) and same else 1


if __name__ == "__main__":
    sys.exit(main())
