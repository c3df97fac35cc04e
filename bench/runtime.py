#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What checking costs: CPU time of the kernels in bench/programs (markdown).

  bench/runtime.py                          all kernels, g++, 2 and 4 threads, best of 3
  bench/runtime.py --compiler clang++ --repeat 1 --kernels bank sor
  bench/runtime.py -o bench/results/runtime.md

Each kernel is built four ways and all run in turn, so that they share the machine's moods: as it is (-O2),
with ThreadSanitizer of the same compiler, with callbacks that do nothing, and by `omnium c++`: under `omnium run`, under
`omnium run --sample 1`, under `omnium record`, and under `omnium record --raw`, which leaves out the conversion. On request also with other
blocks: `omnium run --blocks functions` and `--blocks locks`. The time is user and system time of all processes involved, the
watching one too. Every run has to print the checksum of the plain one, and where blocks are those of the program, no run may
report anything. Python 3, standard library only.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "bench" / "programs"
KERNELS = ["bank", "sor", "hash_map", "task_queue", "b_tree", "monte_carlo", "matrix_multiply",
           "pipeline"]
WAYS = ["base", "tsan", "empty", "run", "sample", "record", "raw", "functions", "locks"]
USUAL_WAYS = WAYS[:-2]
FOUND = 66  # exit status if something was found


def environment(compiler):
    # The search for deadlocks is no part of finding races; without it ThreadSanitizer is faster.
    return dict(os.environ, OMNIUM_CXX=compiler, TSAN_OPTIONS="detect_deadlocks=0")


@dataclasses.dataclass
class Builder:
    compiler: str
    omnium: pathlib.Path
    folder: pathlib.Path

    def call(self, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                              env=environment(self.compiler), check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")

    def build_library(self):
        self.call(self.compiler, "-O2", "-shared", "-fPIC", PROGRAMS / "empty_callbacks.cc", "-o",
                  self.folder / "libempty.so")

    def build(self, kernel, ways):
        """The command line of each way, without the kernel's arguments."""
        source, out = PROGRAMS / f"{kernel}.cpp", self.folder / kernel
        flags = ["-std=c++20", "-O2", "-g", "-pthread"]
        plain = [self.compiler, *flags, "-I", ROOT / "include", source]
        self.call(*plain, "-o", f"{out}.base")
        commands = {"base": [f"{out}.base"]}
        if "tsan" in ways:
            self.call(*plain, "-fsanitize=thread", "-o", f"{out}.tsan")
            commands["tsan"] = [f"{out}.tsan"]
        self.call(self.omnium, "c++", *flags, "-c", source, "-o", f"{out}.o")
        if "empty" in ways:
            self.call("env", "OMNIUM_INLINE=none", self.omnium, "c++", *flags, "-c", source, "-o",
                      f"{out}.calls.o")
            self.call(self.compiler, f"{out}.calls.o", "-o", f"{out}.empty", "-L", self.folder, "-lempty",
                      f"-Wl,-rpath,{self.folder}", "-pthread")
            commands["empty"] = [f"{out}.empty"]
        recording = ["record", "-o", self.folder / "recording.omt"]
        for way, options in (("run", ["run"]), ("sample", ["run", "--sample", "1"]), ("record", recording),
                             ("raw", [*recording, "--raw"]), ("functions", ["run", "--blocks", "functions"]),
                             ("locks", ["run", "--blocks", "locks"])):
            if way in ways:
                self.call(self.omnium, "c++", *flags, f"{out}.o", "-o", f"{out}.omnium")
                commands[way] = [self.omnium, *options, "--", f"{out}.omnium"]
        return commands


def run(command, compiler, may_find=False):
    """CPU seconds of the command and of what it starts, and what it prints."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err,
                                   env=environment(compiler))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        printed, told = out.read(), err.read()
    if process.returncode != 0 and not (may_find and process.returncode == FOUND):
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {process.returncode}\n"
                         f"{told.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, printed


@dataclasses.dataclass
class Row:
    kernel: str
    threads: int
    seconds: dict

    def ratio(self, way, to="base"):
        return self.seconds[way] / self.seconds[to]


def measure(kernel, commands, threads, options):
    seconds = {way: math.inf for way in commands}
    expected = None
    for _ in range(options.repeat):
        for way, command in commands.items():
            spent, printed = run([*command, str(threads)], options.compiler, way in ("functions", "locks"))
            seconds[way] = min(seconds[way], spent)
            expected = expected or printed
            if printed != expected:
                raise SystemExit(f"{kernel}, {way}: printed {printed}, not {expected}")
    return Row(kernel, threads, seconds)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


# (way, to which other, most): for each kernel, and for the geometric mean.
EACH = [("run", "tsan", 1.0), ("run", "base", 40.0), ("sample", "base", 2.0), ("record", "base", 40.0),
        ("raw", "base", 40.0), ("functions", "base", 40.0), ("functions", "locks", 2.5)]
MEANS = [("run", "tsan", {"g++": 0.5, "clang++": 0.6}), ("record", "run", 2.5), ("raw", "run", 2.5)]
# Kernels that do nothing but access memory: no target with --sample.
ONLY_ACCESSES = ["sor", "matrix_multiply"]


def targets(rows, options):
    """(what, target, reached, met)"""
    found = []
    for row in rows:
        for way, other, most in EACH:
            if way not in options.ways or other not in options.ways:
                continue
            if way == "sample" and row.kernel in ONLY_ACCESSES:
                continue
            found.append((f"{way} / {other}: {row.kernel}, {row.threads} threads", most, row.ratio(way, other)))
    for way, other, most in MEANS:
        if way in options.ways and other in options.ways:
            most = most[options.compiler] if isinstance(most, dict) else most
            mean = geometric_mean(row.ratio(way, other) for row in rows)
            found.append((f"{way} / {other}: geometric mean", most, mean))
    return [(what, limit, reached, reached <= limit) for what, limit, reached in found]


def table(header, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows]]
    return "\n".join(lines)


def machine(options, script="runtime"):
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=False).stdout.strip()
    return (f"* machine: {model}, {os.cpu_count()} CPUs\n* commit: {commit or 'unknown'}\n"
            f"* command: `bench/{script}.py {' '.join(sys.argv[1:])}`\n"
            f"* {options.compiler} -O2, CPU time, best of {options.repeat}\n")


def report(options, out):
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(options.compiler, options.omnium.resolve(), pathlib.Path(folder))
        builder.build_library()
        rows = []
        for kernel in options.kernels:
            commands = builder.build(kernel, options.ways)
            for threads in options.threads:
                print(f"{kernel}, {threads} threads", file=sys.stderr)
                rows.append(measure(kernel, commands, threads, options))
    slow = [way for way in options.ways if way != "base"]
    out(f"# What checking costs\n\n{machine(options)}\n## Times the plain program\n")
    lines = [[row.kernel, row.threads, f"{row.seconds['base']:.3f} s",
              *[f"{row.ratio(way):.1f}" for way in slow]] for row in rows]
    means = [f"{geometric_mean(row.ratio(way) for row in rows):.1f}" for way in slow]
    out(table(["kernel", "threads", "base", *slow], [*lines, ["geometric mean", "", "", *means]]))
    verdicts = targets(rows, options)
    out("\n## Targets\n")
    out(table(["what", "target", "reached", "met"],
              [[what, f"<= {limit:g}", f"{reached:.2f}", "yes" if met else "**no**"]
               for what, limit, reached, met in verdicts]))
    return all(met for *_, met in verdicts)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=ROOT / "build/release/omnium")
    parser.add_argument("--compiler", default="g++", choices=["g++", "clang++"])
    parser.add_argument("--kernels", nargs="+", default=KERNELS, choices=KERNELS, metavar="KERNEL")
    parser.add_argument("--threads", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--ways", nargs="+", default=USUAL_WAYS, choices=WAYS, metavar="WAY",
                        help=f"of {', '.join(WAYS)} (all but the last two); base is always measured")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts (3)")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="file for the tables")
    options = parser.parse_args()
    options.ways = [way for way in WAYS if way == "base" or way in options.ways]
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
