# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The ways in which a program is watched or hunted in, with one kind of answer for all of them."""

import dataclasses
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

import catalog
from catalog import ROOT, VIOLATION_FOUND, limited_run

HUNT_WAYS = ["steer", "pause", "noise", "serial", "all"]
WAYS = ["plain", "perturb", *HUNT_WAYS]
RUN_SECONDS = 10  # a program that takes longer does not end
GRACE_SECONDS = 30  # what a hunt may take beyond its own limit


@dataclasses.dataclass
class Outcome:
    """What one hunt, or a series of runs, found, in how many runs and seconds."""
    found: bool
    seconds: float
    runs: int = None  # until the first finding
    what: str = ""
    error: str = ""


def read_hunt(status, text, seconds):
    """The only function that knows how `omnium hunt` answers. The exit status decides: 66 found, 0 nothing, all else is
    an error. The last lines name each finding with its run and how that run was made: "run 3, steered"."""
    if status not in (0, VIOLATION_FOUND):
        return Outcome(False, seconds, error=f"exit status {status}: {' '.join(text.strip().splitlines()[-1:])}")
    if status == 0:
        return Outcome(False, seconds)
    summary = text.rpartition(": found in ")[2]
    runs = [(int(run), how) for run, how in re.findall(r"\brun (\d+)(?:, ([a-z]+))?", summary)]
    first, how = min(runs, default=(None, ""))
    return Outcome(True, seconds, first, how)


def hunt(options, way, binary, arguments=()):
    command = [options.omnium, "hunt", *([] if way == "all" else ["--way", way]), "--time", f"{options.time:g}",
               "--save", options.scratch, "--", binary, *arguments]
    start = time.monotonic()
    try:
        done = limited_run.run(command, options.time + GRACE_SECONDS, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    except limited_run.TooLong as error:
        return Outcome(False, time.monotonic() - start, error=str(error))
    return read_hunt(done.returncode, done.stderr, time.monotonic() - start)


def watch(options, binary, arguments=(), perturb_with=None):
    """One run under `omnium run`: what it showed, '' if nothing."""
    perturb = [] if perturb_with is None else ["--perturb", perturb_with]
    return catalog.run_once([options.omnium, "run", *perturb, "--", binary, *arguments], RUN_SECONDS)[0]


def perturb(options, binary, arguments=()):
    """Runs with one seed after the other until something shows, at most --seeds of them."""
    start = time.monotonic()
    for seed in range(1, options.seeds + 1):
        shown = watch(options, binary, arguments, perturb_with=seed)
        if shown:
            return Outcome(True, time.monotonic() - start, seed, shown)
    return Outcome(False, time.monotonic() - start, options.seeds)


def look(options, way, binary, arguments=()):
    if way == "perturb":
        return perturb(options, binary, arguments)
    return hunt(options, way, binary, arguments)


def add_options(parser):
    """The options that every measuring script has."""
    parser.add_argument("--omnium", type=pathlib.Path, default=ROOT / "build/release/omnium")
    parser.add_argument("--seeds", type=int, default=100, metavar="N", help="seeds of the way perturb (100)")
    parser.add_argument("--only", default="", metavar="REGEX", help="programs whose names match")
    parser.add_argument("--ways", default=",".join(WAYS), help=f"some of {','.join(WAYS)} (default: these)")
    parser.add_argument("--time", type=float, default=60, metavar="S", help="seconds of one hunt (60)")
    parser.add_argument("--scratch", type=pathlib.Path, help="folder for programs (default: beside omnium)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="write the tables here")


def parse(parser):
    """The options; of the ways only those that this omnium has, in the order of WAYS."""
    options = parser.parse_args()
    asked = options.ways.split(",")
    if not set(asked) <= set(WAYS):
        parser.error(f"--ways: choose from {','.join(WAYS)}")
    if not options.omnium.exists():
        parser.error(f"{options.omnium} is not there; build the release preset first")
    options.omnium = options.omnium.resolve()
    options.scratch = (options.scratch or catalog.default_scratch(options.omnium)).resolve()
    options.scratch.mkdir(parents=True, exist_ok=True)
    hunt_help = help_of(options.omnium, "hunt")
    has = {"plain": True, "perturb": "--perturb" in help_of(options.omnium, "run")}
    options.ways = [way for way in WAYS if way in asked and has.get(way, re.search(rf"\b{way}\b", hunt_help))]
    for way in asked:
        if way not in options.ways:
            print(f"{way}: this omnium does not have it", file=sys.stderr)
    return options


def help_of(omnium, command):
    done = subprocess.run([omnium, command, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def heading(title, script):
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout.strip()
    return (f"# {title}\n\n* machine: {model}, {os.cpu_count()} CPUs\n* commit: {commit or 'unknown'}\n"
            f"* command: `bench/hunt/{script} {' '.join(sys.argv[1:])}`\n")


def write(options, text):
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")
