#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What is found in the programs of bench/hunt/programs, in which way, and how fast (Markdown).

  bench/hunt/run.py                                all programs: plain runs, perturbed runs, every way of hunting
  bench/hunt/run.py --only 'reorder|safe_stack' --ways steer,serial --time 20 --tries 5
  bench/hunt/run.py --plain 1000 --ways plain      how seldom ordinary runs show anything
  bench/hunt/run.py --out bench/results/hunt.md

A program counts as shown if `omnium run` reports a violation (exit status 66) or the program itself fails: by a signal,
by its exit status, or by not ending. Of a fixed version nothing may be reported. The exit status is 0 if each way of
`omnium hunt` found every program in every try and nothing was reported of a fixed version. Python 3, standard library
only.
"""

import argparse
import collections
import statistics
import sys

import catalog
import ways

MOST_HANGS = 5  # each of them takes its whole time


def plain_runs(options, binary, count):
    """How often ordinary runs show each kind."""
    shown = collections.Counter()
    for _ in range(count):
        shown[ways.watch(options, binary)] += 1
        if shown["hang"] == MOST_HANGS:
            break
    del shown[""]
    return shown


def found_cell(outcomes):
    """Found of tries; medians of the first run that showed it, and of the seconds of the whole hunt."""
    errors = [outcome.error for outcome in outcomes if outcome.error]
    if errors:
        return f"**error** {errors[0]}"
    found = [outcome for outcome in outcomes if outcome.found]
    share = f"{len(found)} / {len(outcomes)}"
    if len(found) < len(outcomes):
        share = f"**{share}**"
    if not found:
        return share
    runs = [outcome.runs for outcome in found if outcome.runs is not None]
    after = f", run {statistics.median(runs):g}" if runs else ""
    return f"{share}{after}, {statistics.median(outcome.seconds for outcome in found):.1f} s"


def fixed_cell(reported):
    return f"**{len(reported)} reported: {reported[0]}**" if reported else "silent"


def measure(options, program):
    """The row of a program, and whether it is as it should be."""
    builder = catalog.Builder(options.scratch, options.omnium)
    buggy, fixed = builder.build(program), builder.build(program, is_fixed=True)
    row, good, reported = [program.name, ", ".join(program.shows)], True, []
    for way in options.ways:
        if way == "plain":
            shown = plain_runs(options, buggy, options.plain)
            row.append(", ".join(f"{count} {kind}" for kind, count in shown.items()) or "0")
            reported += [f"plain run: {kind}" for kind in plain_runs(options, fixed, options.fixed_runs)]
            continue
        outcomes = [ways.look(options, way, buggy) for _ in range(options.tries)]
        row.append(found_cell(outcomes))
        good = good and (way == "perturb" or all(outcome.found for outcome in outcomes))
        for _ in range(options.fixed_tries):
            outcome = ways.look(options, way, fixed)
            if outcome.found or outcome.error:
                reported.append(f"{way}: {outcome.error or outcome.what or 'found'}")
    return [*row, fixed_cell(reported)], good and not reported


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ways.add_options(parser)
    parser.add_argument("--plain", type=int, default=100, metavar="N", help="plain runs of each program (100)")
    parser.add_argument("--tries", type=int, default=1, metavar="N", help="hunts of each program and way (1)")
    parser.add_argument("--fixed-runs", type=int, default=20, metavar="N", help="plain runs of each fixed version (20)")
    parser.add_argument("--fixed-tries", type=int, default=1, metavar="N",
                        help="hunts of each fixed version and way (1)")
    return ways.parse(parser)


def main():
    options = read_options()
    rows, good = [], True
    for program in catalog.read_programs(options.only):
        row, as_it_should_be = measure(options, program)
        print(" | ".join(row), file=sys.stderr, flush=True)
        rows.append(row)
        good = good and as_it_should_be
    columns = [f"{options.plain} plain runs" if way == "plain" else way for way in options.ways]
    table = catalog.markdown_table(["program", "shows", *columns, "fixed version"], rows)
    ways.write(options, f"{ways.heading('Hunting', 'run.py')}\n{table}\n")
    return 0 if good and rows else 1


if __name__ == "__main__":
    sys.exit(main())
