#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Are the programs of bench/hunt/programs fit to be hunted in? A short look, without hunting.

  bench/hunt/check.py --omnium build/release/omnium --scratch DIR

Every program compiles without a warning. Every fixed version, built by clang++ -O0 without Omnium, ends with status 0, three
times; built by `omnium c++` with g++ -O2, a sample also with clang++ and at -O0, nothing is reported of it by `omnium
run`. Python 3, standard library only.
"""

import argparse
import concurrent.futures
import pathlib
import sys

import catalog

RUNS = 3
SECONDS = 60
SAMPLE = 9  # every ninth program is also checked with the other compiler and without optimization


def runs_of_fixed(options, number, program):
    """What is run, and how often; building it is the other half of the test."""
    plain = catalog.Builder(options.scratch / "plain", None, "clang++", "0")
    plain.check_syntax(program)
    yield [plain.build(program, is_fixed=True)], RUNS
    others = [("clang++", "2"), ("g++", "0")] if number % SAMPLE == 0 else []
    for compiler, level in [("g++", "2"), *others]:
        builder = catalog.Builder(options.scratch, options.omnium, compiler, level)
        yield [options.omnium, "run", "--", builder.build(program, is_fixed=True)], 1


def check(options, number, program):
    """What is wrong with a program: one line each."""
    for command, times in runs_of_fixed(options, number, program):
        for _ in range(times):
            shown, printed = catalog.run_once(command, SECONDS)
            if shown:
                yield f"{program.name}, fixed version: {' '.join(map(str, command))}: {shown}\n{printed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=catalog.ROOT / "build/release/omnium")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder for programs (default: beside omnium)")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose names match")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.omnium = options.omnium.resolve()
    options.scratch = (options.scratch or catalog.default_scratch(options.omnium)).resolve()
    programs = catalog.read_programs(options.only)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: list(check(options, *item)), enumerate(programs))
        problems = [problem for result in results for problem in result]
    print("\n".join([*problems, f"{len(programs)} programs, {len(problems)} problems"]))
    return 1 if problems or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
