#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Times whole commands on generated traces; prints what was reached beside the targets (markdown).

  bench/run.py                     10 M events per trace, best of 3
  bench/run.py --events 1000000 --repeat 1 --families locks private
  bench/run.py --large             growth up to 100 M events
  bench/run.py --engines velodrome aerodrome
  bench/run.py -o bench/results/2026-11.md

Every verdict is compared with the one the trace was made for before anything is timed. Times are
wall-clock of the whole process, memory is its peak resident size. Python 3, standard library only.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAMILIES = ["locks", "private", "readshared", "longtx", "pipeline", "chain", "star", "forkjoin",
            "random"]
MANY_VARIABLES = {"private", "readshared"}
DEFAULT_ENGINE = "reach"
QUICK_ENGINES = {"velodrome", "aerodrome"}  # those with a target
VIOLATION_FOUND = 66
MILLION = 1_000_000


@dataclasses.dataclass
class Run:
    """One finished process."""

    seconds: float
    peak_bytes: int
    status: int
    stdout: bytes


@dataclasses.dataclass
class Engine:
    """A line of `omnium engines`."""

    name: str
    exact: bool  # decides whether a trace is serializable


@dataclasses.dataclass
class Target:
    what: str
    limit: str
    reached: str
    met: bool


@dataclasses.dataclass
class Row:
    """What was measured for one family and number of threads; rates in events per second."""

    family: str
    threads: int
    bytes_per_event: float = 0
    decode: float = 0
    reach: float = 0
    reach_std: float = 0
    others: dict = dataclasses.field(default_factory=dict)
    peak_bytes: int = 0


class TooSlow(Exception):
    """A command was ended because it took longer than it may."""


def run(arguments, limit=None):
    """Runs a command to its end, or for `limit` seconds; its output goes through a file so that it
    cannot block."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen([str(a) for a in arguments], stdout=out, stderr=err)
        watchdog = threading.Timer(limit, process.kill) if limit else None
        if watchdog:
            watchdog.start()
        _, status, usage = os.wait4(process.pid, 0)
        if watchdog:
            watchdog.cancel()
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        stdout, stderr = out.read(), err.read()
    if limit and process.returncode == -signal.SIGKILL:
        raise TooSlow
    if process.returncode not in (0, VIOLATION_FOUND):
        raise RuntimeError(f"{' '.join(map(str, arguments))}: exit status {process.returncode}\n"
                           f"{stderr.decode(errors='replace')}")
    return Run(seconds, usage.ru_maxrss * 1024, process.returncode, stdout)


def best(arguments, repeat):
    """The fastest of several runs, with the largest peak of memory."""
    runs = [run(arguments) for _ in range(repeat)]
    fastest = min(runs, key=lambda r: r.seconds)
    fastest.peak_bytes = max(r.peak_bytes for r in runs)
    return fastest


class Bench:
    def __init__(self, options, scratch):
        self.omnium = options.omnium
        self.events = options.events
        self.repeat = options.repeat
        self.families = options.families
        self.scratch = pathlib.Path(scratch)
        self.limit = options.limit
        self.default, *self.others = self.registered_engines()
        if options.engines:
            self.others = [e for e in self.others if e.name in options.engines]

    def generate(self, family, threads, events, violate=False):
        path = self.scratch / f"{family}-{threads}-{events}{'-violate' if violate else ''}.omt"
        variables = 100_000 if family in MANY_VARIABLES else 1_000
        command = [self.omnium, "generate", family, "--events", events, "--threads", threads,
                   "--variables", variables, "--locks", 2 * threads, "--seed", 1, "-o", path]
        run(command + (["--violate"] if violate else []))
        return path

    def check_command(self, engine, path):
        return [self.omnium, "check", "-e", engine, "-f", "json", path]

    def registered_engines(self):
        """All engines, the default one first."""
        lines = run([self.omnium, "engines"]).stdout.decode().splitlines()[1:]
        rows = [re.split(r"\s{2,}", line) for line in lines if line and not line.startswith(" ")]
        engines = [Engine(row[0], row[1] == "exact") for row in rows]
        return sorted(engines, key=lambda engine: engine.name != DEFAULT_ENGINE)

    def require_verdict(self, engine, path, violate):
        result = run(self.check_command(engine.name, path), self.limit)
        serializable = json.loads(result.stdout)["serializable"]
        wrong = serializable is violate
        if engine.exact or not violate:
            wrong = wrong or result.status != (VIOLATION_FOUND if violate else 0)
        if wrong:
            raise RuntimeError(f"{engine.name} gives the wrong verdict on {path.name}")

    def rate(self, engine, path, events):
        timed = best(self.check_command(engine.name, path), self.repeat)
        return events / timed.seconds, timed.peak_bytes

    def rate_if_quick(self, engine, path, violating):
        """Nothing if the engine needs too long."""
        try:
            self.require_verdict(engine, violating, True)
            self.require_verdict(engine, path, False)
        except TooSlow:
            return 0
        return self.rate(engine, path, self.events)[0]

    def measure(self, family, threads):
        """All rates of one trace; verdicts first."""
        violating = self.generate(family, threads, min(self.events, 200_000), violate=True)
        path = self.generate(family, threads, self.events)
        self.require_verdict(self.default, violating, True)
        self.require_verdict(self.default, path, False)
        row = Row(family, threads)
        row.bytes_per_event = path.stat().st_size / self.events
        row.decode = self.events / best([self.omnium, "info", path], self.repeat).seconds
        row.reach, row.peak_bytes = self.rate(self.default, path, self.events)
        for engine in self.others:
            row.others[engine.name] = self.rate_if_quick(engine, path, violating)
        violating.unlink()
        if threads == 8:
            text = path.with_suffix(".std")
            run([self.omnium, "convert", path, text])
            row.reach_std, _ = self.rate(self.default, text, self.events)
            text.unlink()
        path.unlink()
        return row

    def growth(self, family, engine, sizes):
        """[(events, seconds, peak bytes)] of one engine."""
        points = []
        for events in sizes:
            path = self.generate(family, 8, events)
            repeat = 1 if events > 10 * MILLION else self.repeat
            timed = best(self.check_command(engine, path), repeat)
            points.append((events, timed.seconds, timed.peak_bytes))
            path.unlink()
        return points


def millions(rate):
    return f"{rate / MILLION:.1f}" if rate else "-"


def megabytes(size):
    return f"{size / MILLION:.0f}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def reach_target(family, threads):
    if threads == 64:
        return 5
    return {"locks": 30, "private": 60, "readshared": 60}.get(family, 10)


def targets_of_row(row):
    where = f"{row.family}, {row.threads} threads"
    least = []

    def at_least(what, limit, rate):
        least.append(Target(f"{what}: {where}", f">= {limit} M events/s", millions(rate),
                            rate >= limit * MILLION))

    at_least("reach .omt", reach_target(row.family, row.threads), row.reach)
    if row.threads == 8:
        at_least("reach .std", 15, row.reach_std)
    if row.threads == 8 and row.family == "locks":
        for engine in QUICK_ENGINES & row.others.keys():
            at_least(f"{engine} .omt", 3, row.others[engine])
    if row.threads == 8 and row.family in MANY_VARIABLES:
        ratio = row.decode / row.reach
        least.append(Target(f"reach / decoding alone: {where}", "<= 3", f"{ratio:.1f}", ratio <= 3))
    least.append(Target(f"size of .omt: {where}", "<= 4 bytes/event", f"{row.bytes_per_event:.2f}",
                        row.bytes_per_event <= 4))
    least.append(Target(f"peak memory of reach: {where}", "< 200 MB", megabytes(row.peak_bytes),
                        row.peak_bytes < 200 * MILLION))
    return least


def targets_of_growth(family, engine, points):
    found = []
    (few, short, small), (many, long, large) = points[0], points[-1]
    per_event = (long / many) / (short / few)
    what = f"{engine}, {family}, {few / MILLION:g} M to {many / MILLION:g} M events"
    found.append(Target(f"time per event: {what}", "<= 1.5 times", f"{per_event:.2f}",
                        per_event <= 1.5))
    if engine == "velodrome" and family != "longtx":
        met = large <= 1.3 * small + 8 * MILLION
        found.append(Target(f"flat memory: {what}", "<= 1.3 times + 8 MB",
                            f"{megabytes(small)} -> {megabytes(large)} MB", met))
    return found


def machine(options):
    model = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=False).stdout.strip()
    return (f"* machine: {model}, {os.cpu_count()} CPUs\n* commit: {commit or 'unknown'}\n"
            f"* command: `bench/run.py {' '.join(sys.argv[1:])}`\n"
            f"* {options.events:,} events per trace, best of {options.repeat}\n")


def report(options, out):
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        bench = Bench(options, scratch)
        out(f"# Whole commands\n\n{machine(options)}")
        rows, targets = [], []
        for threads in (8, 64):
            for family in bench.families:
                print(f"{family}, {threads} threads", file=sys.stderr)
                rows.append(bench.measure(family, threads))
                targets += targets_of_row(rows[-1])
        out("\n## Million events per second\n")
        others = [e.name for e in bench.others]
        header = ["family", "threads", "decode", "reach .omt", "reach .std", *others,
                  ".omt bytes/event", "reach peak MB"]
        out(table(header, [[r.family, r.threads, millions(r.decode), millions(r.reach),
                            millions(r.reach_std), *[millions(r.others[e]) for e in others],
                            f"{r.bytes_per_event:.2f}", megabytes(r.peak_bytes)] for r in rows]))
        sizes = [options.events // 10, options.events] + ([100 * MILLION] if options.large else [])
        grown = []
        for engine in [DEFAULT_ENGINE] + [e.name for e in bench.others if e.name == "velodrome"]:
            for family in bench.families:
                print(f"growth of {engine} on {family}", file=sys.stderr)
                points = bench.growth(family, engine, sizes)
                targets += targets_of_growth(family, engine, points)
                grown += [[engine, family, f"{events:,}", f"{seconds:.2f}", megabytes(peak)]
                          for events, seconds, peak in points]
        out("\n## Growth with the length of the trace\n")
        out(table(["engine", "family", "events", "seconds", "peak MB"], grown))
        out("\n## Targets\n")
        out(table(["what", "target", "reached", "met"],
                  [[t.what, t.limit, t.reached, "yes" if t.met else "**no**"] for t in targets]))
        return all(t.met for t in targets)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path,
                        default=ROOT / "build" / "release" / "omnium", help="program to measure")
    parser.add_argument("--events", type=int, default=10 * MILLION,
                        help="events per trace (10000000)")
    parser.add_argument("--repeat", type=int, default=3,
                        help="runs per measurement; the best counts (3)")
    parser.add_argument("--families", nargs="+", default=FAMILIES, choices=FAMILIES,
                        metavar="FAMILY", help="families to measure (all)")
    parser.add_argument("--engines", nargs="+", metavar="ENGINE",
                        help="engines to measure besides reach (all of `omnium engines`)")
    parser.add_argument("--limit", type=float, default=30,
                        help="seconds after which an engine counts as too slow for a trace (30)")
    parser.add_argument("--large", action="store_true", help="growth up to 100 M events")
    parser.add_argument("--scratch", help="directory for traces (the system's)")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        help="file for the tables (standard output)")
    options = parser.parse_args()
    if options.events < 10_000:
        parser.error("--events: at least 10000, or starting the program is all there is to measure")
    if not options.omnium.exists():
        parser.error(f"{options.omnium} is not there; build the release preset first")
    lines = []

    def out(text):
        lines.append(text)
        if options.output is None:
            print(text, flush=True)

    met = report(options, out)
    if options.output is not None:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text("\n".join(lines) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
