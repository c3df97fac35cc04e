#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""One run, checked while it happens and recorded at the same time: both must find the same.

  tests/programs/same_run.py OMNIUM PROGRAM.cpp...

Compares what makes a finding: its id (functions, object and pattern), and the refuted blocks."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run


def found(report):
    """The findings of a stored result: ids with the labels of the blocks."""
    return sorted((cause["id"], cause["block"]["label"]) for cause in report["causes"])


def compare(omnium, source, scratch):
    program, raw = scratch / source.stem, scratch / (source.stem + ".raw")
    live, trace, checked = (scratch / (source.stem + end) for end in (".json", ".omt", ".checked"))
    limited_run.run([omnium, "c++", "-std=c++20", "-g", "-O2", "-pthread", source, "-o", program], check=True)
    environment = dict(os.environ, OMNIUM_OPTIONS=f"record={raw}")
    limited_run.run([omnium, "run", "-f", "json", "-o", live, "--log", os.devnull, "--", program],
                    env=environment, stdout=subprocess.DEVNULL)
    limited_run.run([omnium, "convert", raw, trace], check=True)
    limited_run.run([omnium, "check", "-f", "json", "-o", checked, trace])
    online, offline = (found(json.loads(path.read_text())) for path in (live, checked))
    if online != offline:
        print(f"{source}: while it ran {online}, recorded {offline}")
    return online == offline


def main():
    omnium, sources = os.path.abspath(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        same = [compare(omnium, source, pathlib.Path(folder)) for source in sources]
    print(f"{sum(same)} of {len(same)} programs: the same findings while running and recorded")
    return 0 if all(same) and same else 1


if __name__ == "__main__":
    sys.exit(main())
