#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What is found in the programs of bench/hunt/programs, by which way, and how fast (Markdown).

  bench/hunt/run.py                                all programs: plain runs, perturbed runs, every way of hunting
  bench/hunt/run.py --only 'reorder|safe_stack' --ways steer,serial --time 20 --tries 5
  bench/hunt/run.py --plain 1000 --ways plain      how seldom ordinary runs show anything
  bench/hunt/run.py --out bench/results/hunt.md

A program counts as shown if `omnium run` reports a violation (exit status 66) or the program itself fails: by a signal,
by its exit status, or by not ending. Of a correct twin nothing may be reported. The exit status is 0 if each way of
`omnium hunt` found every program in every try and nothing was reported of a twin. Python 3, standard library only.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import catalog
from catalog import ROOT, VIOLATION_FOUND, limited_run

HUNT_WAYS = ["steer", "pause", "noise", "serial", "all"]
WAYS = ["plain", "perturb", *HUNT_WAYS]
RUN_SECONDS = 10  # a program of this folder that takes longer does not end
GRACE_SECONDS = 30  # what a hunt may take beyond its own limit


@dataclasses.dataclass
class Hunt:
    """One hunt: what it found, in how many runs and seconds."""
    found: bool
    seconds: float
    runs: int = None
    what: str = ""
    error: str = ""


def read_hunt(status, text, seconds, errors):
    """The only function that knows how `omnium hunt` answers. The exit status decides: 66 found, 0 nothing, all else is
    an error. The JSON may add the number of runs and what was found."""
    if status not in (0, VIOLATION_FOUND):
        return Hunt(False, seconds, error=f"exit status {status}: {errors.strip().splitlines()[-1:]}")
    try:
        report = json.loads(text)
    except ValueError:
        report = {}
    hunt = report.get("hunt", report) if isinstance(report, dict) else {}
    found = [str(item.get("kind") or item.get("pattern") or "finding")
             for key in ("findings", "causes", "confirmed") for item in hunt.get(key) or report.get(key) or []
             if isinstance(item, dict)]
    first = min((item["run"] for item in hunt.get("findings") or [] if isinstance(item.get("run"), int)), default=None)
    runs = first if first is not None else hunt.get("runs")
    return Hunt(status == VIOLATION_FOUND, seconds, runs if isinstance(runs, int) else None,
                ", ".join(dict.fromkeys(found)))


def hunt_once(options, way, binary):
    command = [options.omnium, "hunt", *([] if way == "all" else ["--way", way]), "--time", str(options.time),
               "-f", "json", "--", binary]
    start = time.monotonic()
    try:
        done = limited_run.run(command, options.time + GRACE_SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", cwd=options.scratch)
    except limited_run.TooLong as error:
        return Hunt(False, time.monotonic() - start, error=str(error))
    return read_hunt(done.returncode, done.stdout, time.monotonic() - start, done.stderr)


def perturb_once(options, binary):
    """Runs with one seed after the other until something shows, at most --seeds of them."""
    start = time.monotonic()
    for seed in range(1, options.seeds + 1):
        shown, _ = catalog.run_once([options.omnium, "run", "--perturb", seed, "--", binary], RUN_SECONDS)
        if shown:
            return Hunt(True, time.monotonic() - start, seed, shown)
    return Hunt(False, time.monotonic() - start, options.seeds)


def plain_runs(options, binary):
    """How often ordinary runs show each kind."""
    shown = collections.Counter()
    for _ in range(options.plain):
        kind, _ = catalog.run_once([options.omnium, "run", "--", binary], RUN_SECONDS)
        shown[kind] += 1
        if shown["hang"] == 5:
            break  # each takes its whole time
    del shown[""]
    return shown


def knows(omnium, *words):
    done = subprocess.run([omnium, *words, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def available(options):
    """The ways that this omnium has."""
    helps = {"perturb": "--perturb" in knows(options.omnium, "run"), "plain": True}
    has_hunt = bool(knows(options.omnium, "hunt"))
    return [way for way in options.ways if helps.get(way, has_hunt)]


def cell_of(hunts):
    """found of tries, median runs, median seconds"""
    errors = [hunt.error for hunt in hunts if hunt.error]
    if errors:
        return f"**error** {errors[0]}"
    found = [hunt for hunt in hunts if hunt.found]
    if not found:
        return f"**0 / {len(hunts)}**"
    share = f"{len(found)} / {len(hunts)}"
    runs = [hunt.runs for hunt in found if hunt.runs is not None]
    return (f"{share if len(found) == len(hunts) else f'**{share}**'}"
            f"{f', {statistics.median(runs):g} runs' if runs else ''}"
            f", {statistics.median(hunt.seconds for hunt in found):.1f} s")


def twin_cell(hunts):
    wrong = [hunt for hunt in hunts if hunt.found or hunt.error]
    return "silent" if not wrong else f"**{len(wrong)} of {len(hunts)}: {wrong[0].what or wrong[0].error or 'found'}**"


def measure(options, ways, program):
    """The row of a program, and whether it is as it should be."""
    builder = catalog.Builder(options.scratch, options.omnium)
    buggy, twin = builder.build(program), builder.build(program, is_fixed=True)
    row, good = [program.name, ", ".join(program.shows)], True
    twins = []
    if "plain" in ways:
        shown = plain_runs(options, buggy)
        row.append(", ".join(f"{count} {kind}" for kind, count in shown.items()) or "0")
        kinds = plain_runs(changed(options, plain=options.twin_runs), twin)
        twins += [Hunt(True, 0, what=f"plain run: {kind}") for kind in kinds]
    for way in ways:
        if way == "plain":
            continue
        once = (lambda binary: perturb_once(options, binary)) if way == "perturb" else (
            lambda binary, way=way: hunt_once(options, way, binary))
        hunts = [once(buggy) for _ in range(options.tries)]
        row.append(cell_of(hunts))
        twins += [once(twin) for _ in range(options.twin_tries)]
        good = good and (way == "perturb" or all(hunt.found for hunt in hunts))
    row.append(twin_cell(twins))
    return row, good and not any(hunt.found or hunt.error for hunt in twins)


def changed(options, **changes):
    return argparse.Namespace(**{**vars(options), **changes})


def machine():
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout.strip()
    return (f"* machine: {model}, {os.cpu_count()} CPUs\n* commit: {commit or 'unknown'}\n"
            f"* command: `bench/hunt/run.py {' '.join(sys.argv[1:])}`\n")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=ROOT / "build/release/omnium")
    parser.add_argument("--plain", type=int, default=100, metavar="N", help="plain runs of each program (100)")
    parser.add_argument("--tries", type=int, default=1, metavar="N", help="hunts of each program and way (1)")
    parser.add_argument("--twin-tries", type=int, default=1, metavar="N", help="hunts of each twin and way (1)")
    parser.add_argument("--twin-runs", type=int, default=20, metavar="N", help="plain runs of each twin (20)")
    parser.add_argument("--seeds", type=int, default=100, metavar="N", help="seeds of the way perturb (100)")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose names match")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"some of {','.join(WAYS)} (default: these)")
    parser.add_argument("--time", type=float, default=60, metavar="S", help="seconds of one hunt (60)")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder for programs (default: beside omnium)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="write the table here")
    options = parser.parse_args()
    options.ways = options.ways.split(",")
    if not set(options.ways) <= set(WAYS):
        parser.error(f"--ways: choose from {','.join(WAYS)}")
    if not options.omnium.exists():
        parser.error(f"{options.omnium} is not there; build the release preset first")
    options.omnium = options.omnium.resolve()
    options.time = int(options.time) if options.time == int(options.time) else options.time
    options.scratch = (options.scratch or catalog.default_scratch(options.omnium)).resolve()
    options.scratch.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = read_options()
    ways = available(options)
    for way in options.ways:
        if way not in ways:
            print(f"{way}: this omnium does not have it", file=sys.stderr)
    rows, good = [], True
    header = ["program", "shows"] + [f"{options.plain} plain runs" if way == "plain" else way for way in WAYS
                                     if way in ways] + ["fixed version"]
    ways = [way for way in WAYS if way in ways]
    for program in catalog.read_programs(options.only):
        row, as_it_should_be = measure(options, ways, program)
        print(" | ".join(map(str, row)), file=sys.stderr, flush=True)
        rows.append(row)
        good = good and as_it_should_be
    text = f"# Hunting\n\n{machine()}\n{catalog.markdown_table(header, rows)}\n"
    if options.out:
        options.out.write_text(text)
    else:
        print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
