#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The problem matcher for Visual Studio Code in docs/guide/debugging.md finds what Omnium prints: problem_matcher.py
OMNIUM SOURCE. The regular expression is tried by node, as the editor does; without node, by Python."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()

LOST_UPDATE = """T1|begin(inc)|src/my counter.cc:1
T1|acq(m)|src/my counter.cc:2
T1|r(x)|src/my counter.cc:3
T1|rel(m)|src/my counter.cc:4
T1|acq(m)|src/my counter.cc:5
T1|w(x)|src/my counter.cc:6
T1|rel(m)|src/my counter.cc:7
T1|end(inc)|src/my counter.cc:8
T2|begin(put)|src/my counter.cc:11
T2|acq(m)|src/my counter.cc:12
T2|w(x)|src/my counter.cc:13
T2|rel(m)|src/my counter.cc:14
T2|end(put)|src/my counter.cc:15
"""

TRY = """const fs = require("fs");
const { regexp, lines } = JSON.parse(fs.readFileSync(0, "utf8"));
const pattern = new RegExp(regexp);
console.log(JSON.stringify(lines.map(line => pattern.exec(line))));"""


def matches(pattern, text):
    """(file, line, column, message) of each line that matches."""
    lines = text.splitlines()
    if shutil.which("node"):
        done = subprocess.run(["node", "-e", TRY], input=json.dumps({"regexp": pattern["regexp"], "lines": lines}),
                              stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        found = [match for match in json.loads(done.stdout) if match]
    else:
        tried = [re.search(pattern["regexp"], line) for line in lines]
        found = [[match.group(0), *match.groups()] for match in tried if match]
    return [tuple(match[pattern[part]] for part in ("file", "line", "column", "message")) for match in found]


def said(*words):
    done = subprocess.run([str(OMNIUM), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=60)
    return done.stdout


def expect(found, wanted, text):
    if found != wanted:
        raise SystemExit(f"found {found}, not {wanted}, in:\n{text}")


def main():
    page = (SOURCE / "docs/guide/debugging.md").read_text(encoding="utf-8")
    tasks = json.loads(re.search(r"```json file=tasks.json\n(.*?)```", page, re.S).group(1))
    pattern = tasks["tasks"][0]["problemMatcher"]["pattern"]

    # What `omnium run` prints: the report of the example is kept with it.
    text = (SOURCE / "examples/bank/bank.expected.txt").read_text(encoding="utf-8")
    message = "transfer (with deposit), lost update on savings.balance"
    expect(set(matches(pattern, text)), {("examples/bank/bank.cpp", "33", None, message)}, text)

    trace = SOURCE / "examples/traces/bank.std"
    text = said("check", trace)
    expect([match[:3] for match in matches(pattern, text)], [("bank.cpp", "55", None)], text)

    model = SOURCE / "examples/models/bank_two_sections.omp"
    text = said("model", model)
    expect(matches(pattern, text), [(str(model), "12", "22", "deposit (with deposit), lost update on balance")], text)

    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "t.std"
        path.write_text(LOST_UPDATE, encoding="utf-8")
        text = said("predict", path)
        expect(matches(pattern, text), [("src/my counter.cc", "6", None, "inc (with put), lost update on x")], text)
    print("1 passed, 0 failed")


main()
