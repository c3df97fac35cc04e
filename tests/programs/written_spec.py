#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Refinement while a program runs: `omnium run` reports each function once, and --write-spec lists all.

  tests/programs/written_spec.py build/release/omnium

Python 3, standard library only.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "written_spec" / "shop.cpp"
BLAMED = re.compile(r"^SUMMARY: Omnium: atomicity violation \S+ in (\S+)", re.MULTILINE)
SECONDS = 120


def call(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS,
                          check=False, env=dict(os.environ, **variables))


def expect(what, got, wanted, done):
    if got != wanted:
        raise SystemExit(f"{what}: expected {wanted}, got {got}\n{done.stderr}")


def check(omnium, compiler, level, folder):
    program, spec = folder / "shop", folder / "shop.spec"
    build = [omnium, "c++", "-std=c++20", "-g", level, SOURCE, "-pthread", "-o", program]
    done = call(*build, OMNIUM_CXX=compiler)
    expect(f"{compiler} {level}", done.returncode, 0, done)

    done = call(omnium, "run", "--write-spec", spec, "--", program)
    expect("says what it does", "no block is annotated, so every function is a block" in done.stderr, True, done)
    expect("blamed", sorted(set(BLAMED.findall(done.stderr))), ["add", "third_customer"], done)
    expect("causes", "2 violations with 2 causes" in done.stderr, True, done)
    lines = spec.read_text().splitlines()
    wanted = ["add", "first_customer", "second_customer", "third_customer"]
    expect("rules", lines[1:], [f"not-atomic {name}" for name in wanted], done)

    done = call(omnium, "run", "--blocks", "functions", "-s", spec, "--", program)
    expect("with the specification", (done.returncode, "warning" in done.stderr), (0, False), done)
    done = call(omnium, "run", "--no-refine", "--", program)
    violations = int(re.search(r"(\d+) violations with", done.stderr)[1])
    expect("more violations without refinement", violations > 2, True, done)
    done = call(omnium, "record", "-o", folder / "shop.omt", "--", program)
    expect("recorded", (done.returncode, "omnium check reports" in done.stderr), (0, True), done)
    done = call(omnium, "refine", folder / "shop.omt", "-o", folder / "recorded.spec")
    rules = [line.split()[1] for line in (folder / "recorded.spec").read_text().splitlines()[1:]]
    expect("refined afterwards", sorted(rules), wanted, done)

    done = call(*build, "-DANNOTATED", OMNIUM_CXX=compiler)
    done = call(omnium, "run", "--", program)
    expect("an annotated program", (done.returncode, "every function" in done.stderr), (0, False), done)


def main():
    omnium = pathlib.Path(sys.argv[1]).resolve()
    for compiler in ("g++", "clang++"):
        for level in ("-O0", "-O2"):
            with tempfile.TemporaryDirectory() as folder:
                check(omnium, compiler, level, pathlib.Path(folder))


if __name__ == "__main__":
    main()
