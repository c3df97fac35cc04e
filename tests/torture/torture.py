#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Random programs that use everything that Omnium has to understand; nothing may go wrong.

  tests/torture/torture.py OMNIUM                     a few programs with each compiler
  tests/torture/torture.py OMNIUM --seconds 7200      as many as there is time for
  tests/torture/torture.py OMNIUM --first 17 --programs 1 --only locks jumps     one, with fewer kinds of actions

A program is run as it is, under `omnium run` with the recorder at work as well, and under `omnium record`. It has to
print the same and to end alike each time. In the run that was checked and recorded at once, both must refute the same
blocks, and all engines must agree on the recording. Nothing may hang or take more than 2 GB of memory."""

import argparse
import itertools
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import limited_run

VIOLATION_FOUND = 66
SECONDS = 60  # for one run
MOST_MEMORY = 2 << 20  # in KB
SOURCES = sorted(path for path in HERE.glob("*.cpp") if path.name != "plugin.cpp")
BUILDS = list(itertools.product(["g++", "clang++"], ["0", "2"]))
MODES = [["--conflicts", which, "--waits", how]
         for which, how in itertools.product(["data", "all"], ["split", "keep"])]


class Wrong(Exception):
    pass


def show_stacks(session):
    """Where the threads of a run that hangs are, if gdb is there."""
    gdb = shutil.which("gdb")
    processes = subprocess.run(["pgrep", "-s", str(session)], stdout=subprocess.PIPE, text=True, check=False)
    for process in processes.stdout.split() if gdb else []:
        subprocess.run([gdb, "-p", process, "-batch", "-ex", "thread apply all backtrace 16"], stdin=subprocess.DEVNULL,
                       stdout=sys.stderr, stderr=subprocess.DEVNULL, timeout=60, check=False)


class Build:
    """The programs of one compiler: instrumented, and not."""

    def __init__(self, omnium, compiler, level, folder):
        self.omnium, self.name, self.folder = omnium, f"{compiler} -O{level}", folder
        folder.mkdir()
        environment = dict(os.environ, OMNIUM_CXX=compiler)
        flags = ["-std=c++20", "-g", f"-O{level}", "-pthread", "-I", ROOT / "include"]
        for kind, command in (("plain", [compiler]), ("checked", [omnium, "c++"])):
            plugin = [*command, *flags, "-shared", "-fPIC", HERE / "plugin.cpp", "-o", folder / f"{kind}.so"]
            program = [*command, *flags, *SOURCES, "-o", folder / kind, "-ldl"]
            for line in (plugin, program):
                limited_run.run(line, seconds=600, check=True, env=environment)

    def command(self, kind, arguments):
        return [self.folder / kind, self.folder / f"{kind}.so", *arguments]

    def run(self, command, **variables):
        return limited_run.run(command, SECONDS, before_kill=show_stacks, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", cwd=self.folder,
                               env=dict(os.environ, **variables))


def refuted(path):
    report = json.loads(path.read_text())
    return sorted({block["label"] for violation in report["violations"] for block in violation["refuted"]})


def compare_output(what, plain, done, statuses):
    if done.stdout != plain.stdout:
        raise Wrong(f"{what}: printed {done.stdout!r}, not {plain.stdout!r}\n{done.stderr}")
    if done.returncode not in statuses:
        raise Wrong(f"{what}: status {done.returncode}, not one of {statuses}\n{done.stderr}")


def check_run(build, arguments, plain, mode):
    """Checked and recorded in one run."""
    live, raw, trace, checked = (build.folder / f"run{end}" for end in (".json", ".raw", ".omt", ".checked"))
    raw.unlink(missing_ok=True)
    done = build.run([build.omnium, "run", *mode, "-f", "json", "-o", live, "--log", os.devnull, "--",
                      *build.command("checked", arguments)], OMNIUM_OPTIONS=f"record={raw}")
    compare_output("run", plain, done, (plain.returncode, VIOLATION_FOUND))
    for line in ([build.omnium, "convert", raw, trace],
                 [build.omnium, "check", *mode, "--all", "-f", "json", "-o", checked, trace]):
        judged = build.run(line)
        if judged.returncode not in (0, VIOLATION_FOUND):
            raise Wrong(f"{' '.join(map(str, line))}: status {judged.returncode}\n{judged.stderr}")
    if refuted(live) != refuted(checked):
        raise Wrong(f"{' '.join(mode)}: refuted while running {refuted(live)}, recorded {refuted(checked)}")
    if (done.returncode == VIOLATION_FOUND) != (judged.returncode == VIOLATION_FOUND):
        raise Wrong(f"run: status {done.returncode}, check: {judged.returncode}\n{done.stderr}")
    compared = build.run([build.omnium, "check", *mode, "-e", "all", trace])
    if compared.returncode != judged.returncode:
        raise Wrong(f"check -e all: status {compared.returncode}\n{compared.stdout}{compared.stderr}")


def check_recording(build, arguments, plain):
    trace = build.folder / "recorded.omt"
    done = build.run([build.omnium, "record", "-o", trace, "--", *build.command("checked", arguments)])
    compare_output("record", plain, done, (plain.returncode,))
    judged = build.run([build.omnium, "check", trace])
    if judged.returncode not in (0, VIOLATION_FOUND):
        raise Wrong(f"check: status {judged.returncode}\n{judged.stderr}")


def check_program(build, seed, steps, families):
    arguments = [str(seed), str(steps), *families]
    plain = build.run(build.command("plain", arguments))
    check_run(build, arguments, plain, MODES[seed // len(BUILDS) % len(MODES)])
    check_recording(build, arguments, plain)
    for old in build.folder.glob("r*.*"):  # also those of child processes
        old.unlink()
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > MOST_MEMORY:
        raise Wrong("more than 2 GB of memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("omnium", type=os.path.abspath)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=None, help="instead of a number of programs")
    parser.add_argument("--first", type=int, default=1, help="seed of the first program")
    parser.add_argument("--steps", type=int, default=80, help="of a program")
    parser.add_argument("--only", nargs="+", default=[], metavar="KIND",
                        help="memory, locks, threads, signals, jumps, processes, timer (all)")
    said = parser.parse_args()
    wrong, done = 0, 0
    end = time.monotonic() + said.seconds if said.seconds else None
    with tempfile.TemporaryDirectory() as scratch:
        builds = {}
        for seed in itertools.count(said.first):
            if time.monotonic() > end if end else done == said.programs:
                break
            which = BUILDS[seed % len(BUILDS)]
            if which not in builds:
                builds[which] = Build(said.omnium, *which, pathlib.Path(scratch) / "".join(which))
            try:
                check_program(builds[which], seed, said.steps, said.only)
            except (Wrong, limited_run.TooLong, OSError, ValueError, KeyError) as error:
                wrong += 1
                print(f"WRONG seed {seed}, {builds[which].name}: {error}", flush=True)
            done += 1
    print(f"{done - wrong} of {done} programs: the same with and without Omnium, live and recorded")
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())
