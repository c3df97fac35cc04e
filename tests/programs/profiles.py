#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What a recording says of its blocks: which one is a thread's body, and which waited (--profile); and --sample-arrays.

  tests/programs/profiles.py build/release/omnium

Python 3, standard library only.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "profiles" / "bank.cpp"
SECONDS = 120


def call(*command, **variables):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS,
                          check=False, env=dict(os.environ, **variables))
    if done.returncode not in (0, 66):
        raise SystemExit(f"{command}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def expect(what, got, wanted):
    if got != wanted:
        raise SystemExit(f"{what}: expected {wanted}, got {got}")


def atomic_blocks(omnium, trace, *options):
    """Labels of the blocks that are checked, but for functions that the compiler made."""
    report = json.loads(call(omnium, "check", "-f", "json", *options, trace))
    return sorted(entry["label"] for entry in report["runs"] if not entry["label"].startswith("_"))


def check(omnium, compiler, level, folder):
    program, trace, spec = folder / "bank", folder / "bank.omt", folder / "bank.spec"
    call(omnium, "c++", "-std=c++20", "-g", level, SOURCE, "-pthread", "-o", program, OMNIUM_CXX=compiler)

    spec.write_text("atomic worker\natomic take\natomic count\natomic deposit\n")
    call(omnium, "record", "-s", spec, "-o", trace, "--", program)
    everything = ["count", "deposit", "take", "worker"]
    expect("declared", atomic_blocks(omnium, trace), everything)
    expect("declared, naive", atomic_blocks(omnium, trace, "--profile", "naive"), ["count", "deposit", "take"])
    expect("declared, paper", atomic_blocks(omnium, trace, "--profile", "paper"), ["count", "deposit"])

    call(omnium, "record", "-o", trace, "--", program)
    functions = ["both_wait", "count", "deposit", "take"]
    expect("functions", atomic_blocks(omnium, trace), functions)
    expect("functions, naive", atomic_blocks(omnium, trace, "--profile", "naive"), functions)
    expect("functions, paper", atomic_blocks(omnium, trace, "--profile", "paper"), ["both_wait", "count", "deposit"])

    call(omnium, "record", "--sample-arrays", "3", "-o", folder / "sampled.std", "--", program)
    text = (folder / "sampled.std").read_text()
    expect("elements", ["(counts[2])" in text, "(counts[3])" in text], [True, False])


def main():
    omnium = pathlib.Path(sys.argv[1]).resolve()
    for compiler in ("g++", "clang++"):
        for level in ("-O0", "-O2"):
            with tempfile.TemporaryDirectory() as folder:
                check(omnium, compiler, level, pathlib.Path(folder))


if __name__ == "__main__":
    main()
