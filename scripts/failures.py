#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Summarizes what failed in the last ctest: failures.py BUILD_FOLDER

For logs of which only the end is kept. Of each test that failed: the lines that tell of failures, each with a few
lines that follow, or else the end of its output.
"""
import pathlib
import re
import sys

TELLS = re.compile(r"^FAILED|: Failure$|^limited\.py: |^\S+: FAILED|^Traceback|AddressSanitizer|runtime error: ")
FOLLOWING, MOST, LAST, WIDEST = 8, 40, 15, 300


def short(lines):
    """The lines that report failures, once each, with what follows; or else the last lines."""
    chosen = {}
    for at, line in enumerate(lines):
        if TELLS.search(line):
            chosen |= dict.fromkeys(lines[at:at + (1 if line.startswith("FAILED") else FOLLOWING)])
    return list(chosen)[:MOST] or lines[-LAST:]


def main():
    folder = pathlib.Path(sys.argv[1]) / "Testing" / "Temporary"
    failed = {line.partition(":")[2] for line in (folder / "LastTestsFailed.log").read_text().splitlines()}
    log = (folder / "LastTest.log").read_text(errors="replace")
    for part in re.split(r"^\d+/\d+ Testing: ", log, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        if name in failed:
            output = rest.partition("Output:\n")[2].partition("<end of output>")[0]
            lines = [line[:WIDEST] for line in output.splitlines() if line.strip("- ")]
            print("\n".join([f"{name} failed:", *(f"  {line}" for line in short(lines))]))


if __name__ == "__main__":
    main()
