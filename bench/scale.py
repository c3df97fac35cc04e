#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""How the cost of checking grows: CPU time and peak memory of bench/programs/scale.cpp (markdown).

  bench/scale.py                            threads 1 to 64, memory 10 MB to 2 GB, blocks of 1 to 10^7 accesses, 1 to 4096 locks
  bench/scale.py --quick --repeat 1         a tenth of the work, and memory up to 200 MB
  bench/scale.py --only memory block -o bench/results/scale.md

Each point runs as it is (-O2), with ThreadSanitizer of the same compiler and under `omnium run`, in turn; the best of
three counts. CPU time is user and system time of all processes; memory is the largest resident size of a process. The targets: at each
point no slower and no larger than ThreadSanitizer, and no faster growth: from the first point of a row to its last, run / tsan
must not grow by more than a quarter. Points whose memory the machine does not have are left out, and named. Python 3, standard
library only.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import runtime

SOURCE = runtime.PROGRAMS / "scale.cpp"
WAYS = ["base", "tsan", "run"]
# Of the memory that a program touches: ThreadSanitizer's shadow has four times as much, and some more.
TSAN_FACTOR = 6
MOST_GROWTH = 1.25


@dataclasses.dataclass
class Direction:
    name: str
    what: str
    points: list
    arguments: callable  # (point, work) -> arguments of the program
    work: int
    megabytes: callable = lambda point: 0  # that the program touches


DIRECTIONS = [
    Direction("threads", "threads", [1, 2, 4, 8, 16, 32, 64], lambda point, work: [point, work], 2_000_000),
    Direction("memory", "MB touched, 4 threads", [10, 30, 100, 300, 1000, 2000], lambda point, _: [point, 4], 0,
              lambda point: point),
    Direction("block", "accesses in a block", [1, 10, 100, 1000, 10**4, 10**5, 10**6, 10**7],
              lambda point, work: [point, max(work, 2 * point)], 40_000_000, lambda point: 16 * point / 1e6),
    Direction("locks", "locks of 4 threads", [4096, 256, 16, 4, 1], lambda point, work: [point, work], 1_000_000),
]


@dataclasses.dataclass
class Point:
    at: int
    seconds: dict
    megabytes: dict

    def time_ratio(self):
        return self.seconds["run"] / self.seconds["tsan"]

    def memory_ratio(self):
        return self.megabytes["run"] / self.megabytes["tsan"]


def run(command, compiler):
    """CPU seconds and megabytes of the command and of what it starts, and what it prints."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err,
                                   env=runtime.environment(compiler))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: exit status {process.returncode}\n"
                             f"{err.read().decode(errors='replace')}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, out.read()


def build(options, folder):
    """The command line of each way, without arguments."""
    builder = runtime.Builder(options.compiler, options.omnium.resolve(), folder)
    flags = ["-std=c++20", "-O2", "-g", "-pthread", "-I", runtime.ROOT / "include", SOURCE]
    builder.call(options.compiler, *flags, "-o", folder / "base")
    builder.call(options.compiler, *flags, "-fsanitize=thread", "-o", folder / "tsan")
    builder.call(options.omnium.resolve(), "c++", *flags, "-o", folder / "omnium")
    return {"base": [folder / "base"], "tsan": [folder / "tsan"],
            "run": [options.omnium.resolve(), "run", "--", folder / "omnium"]}


def measure(commands, direction, at, options):
    work = direction.work // 10 if options.quick else direction.work
    arguments = [direction.name, *direction.arguments(at, work)]
    point = Point(at, dict.fromkeys(WAYS, math.inf), dict.fromkeys(WAYS, math.inf))
    expected = None
    for _ in range(options.repeat):
        for way in WAYS:
            seconds, megabytes, printed = run([*commands[way], *arguments], options.compiler)
            point.seconds[way] = min(point.seconds[way], seconds)
            point.megabytes[way] = min(point.megabytes[way], megabytes)
            expected = expected or printed
            if printed != expected:
                raise SystemExit(f"{arguments}, {way}: printed {printed}, not {expected}")
    return point


def available_megabytes():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) / 1000
    return math.inf


def points_of(direction, options):
    """The points that are measured, and those that need too much memory."""
    wanted = [at for at in direction.points if not options.quick or direction.megabytes(at) <= 200]
    fits = [at for at in wanted if direction.megabytes(at) * TSAN_FACTOR < available_megabytes()]
    return fits, [at for at in wanted if at not in fits]


def targets(direction, points):
    """(what, target, reached, met)"""
    first, last = points[0], points[-1]
    found = []
    for what, ratio in (("time", Point.time_ratio), ("memory", Point.memory_ratio)):
        worst = max(points, key=ratio)
        found.append((f"{what}, run / tsan, at most: {direction.what} {worst.at:,}", 1.0, ratio(worst)))
        found.append((f"{what}, growth of run / tsan: {direction.what} {first.at:,} to {last.at:,}", MOST_GROWTH,
                      ratio(last) / ratio(first)))
    return [(what, limit, reached, reached <= limit) for what, limit, reached in found]


def report(options, out):
    load = os.getloadavg()[0]
    out(f"# How the cost of checking grows\n\n{runtime.machine(options, 'scale')}* load when it began: {load:.1f}\n")
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        commands = build(options, pathlib.Path(folder))
        for direction in [it for it in DIRECTIONS if it.name in options.only]:
            fits, large = points_of(direction, options)
            points = []
            for at in fits:
                print(f"{direction.what}: {at:,}", file=sys.stderr)
                points.append(measure(commands, direction, at, options))
            out(f"\n## {direction.what.capitalize()}\n")
            out(runtime.table(
                [direction.what, "base", "tsan", "run", "run / tsan", "base MB", "tsan MB", "run MB", "run / tsan"],
                [[f"{it.at:,}", f"{it.seconds['base']:.2f} s", f"{it.seconds['tsan']:.2f} s",
                  f"{it.seconds['run']:.2f} s", f"{it.time_ratio():.2f}", f"{it.megabytes['base']:.0f}",
                  f"{it.megabytes['tsan']:.0f}", f"{it.megabytes['run']:.0f}", f"{it.memory_ratio():.2f}"]
                 for it in points]))
            if large:
                out(f"\nLeft out, for lack of memory: {', '.join(map(str, large))}")
            if points:
                verdicts += targets(direction, points)
    out("\n## Targets\n")
    out(runtime.table(["what", "target", "reached", "met"],
                      [[what, f"<= {limit:g}", f"{reached:.2f}", "yes" if met else "**no**"]
                       for what, limit, reached, met in verdicts]))
    return all(met for *_, met in verdicts)


def main():
    names = [it.name for it in DIRECTIONS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=runtime.ROOT / "build/release/omnium")
    parser.add_argument("--compiler", default="g++", help="g++ (default) or clang++")
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="DIRECTION",
                        help=f"of {', '.join(names)} (all)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts (3)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, memory up to 200 MB")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="file for the tables")
    options = parser.parse_args()
    if not options.omnium.exists():
        parser.error(f"{options.omnium} is not there; build the release preset first")
    lines = []

    def out(text):
        lines.append(text)
        if options.output is None:
            print(text, flush=True)

    met = report(options, out)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
