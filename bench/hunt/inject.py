#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Takes out one lock statement at a time, and measures how many of these defects are found (Markdown).

  bench/hunt/inject.py                                     all programs: plain, perturbed, every way of hunting
  bench/hunt/inject.py --only shop --ways plain,all --time 20 --out bench/results/inject.md

This is the experiment of Velodrome's authors (PLDI 2008), who found 30 % of such defects by one run, and 70 % with pauses
at suspicious operations. A lock statement is a line that declares a std::lock_guard, unique_lock, scoped_lock or
shared_lock. What does not compile without it (waiting for a condition needs the lock) or is not part of the program (the
buggy half of an #ifdef) does not count. Python 3, standard library only.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

import catalog
import ways
from catalog import ROOT, limited_run

LOCK = re.compile(r"^\s*(const )?std::(lock_guard|unique_lock|scoped_lock|shared_lock)\b.*;$")
FLAGS = ["-std=c++20", "-g", "-O2", "-pthread"]


@dataclasses.dataclass
class Subject:
    """A correct program with many locks."""
    name: str
    folder: str
    sources: str
    flags: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    functions: str = "outlined"  # OMNIUM_FUNCTIONS


SUBJECTS = [
    Subject("shop", "examples/shop", "*.cpp", ["-DSHOP_FIXED"]),
    Subject("lending_library", "bench/hunt/injection", "lending_library.cpp"),
    Subject("chat_room", "bench/hunt/injection", "chat_room.cpp", functions="all"),
    Subject("bank", "bench/programs", "bank.cpp", [], ["2", "2000"]),
    Subject("hash_map", "bench/programs", "hash_map.cpp", [], ["2", "2000"]),
]


@dataclasses.dataclass
class Defect:
    subject: Subject
    source: pathlib.Path
    line: int  # 1-based
    binary: pathlib.Path

    def __str__(self):
        return f"{self.subject.name}, {self.source.name}:{self.line}"


class Workshop:
    """A copy of a program, of which one file at a time is changed."""

    def __init__(self, options, subject):
        self.omnium = options.omnium
        self.subject = subject
        self.folder = options.scratch / "inject" / subject.name
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / subject.folder, self.folder)
        self.sources = sorted(self.folder.glob(subject.sources))

    def compiles(self, *words):
        environment = dict(os.environ, OMNIUM_FUNCTIONS=self.subject.functions)
        done = limited_run.run([self.omnium, "c++", *FLAGS, *self.subject.flags, *words], catalog.COMPILE_SECONDS,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        return done.returncode == 0

    def preprocessed(self, source):
        return subprocess.run(["g++", *FLAGS, *self.subject.flags, "-I", ROOT / "include", "-E", "-P", source],
                              capture_output=True, text=True, check=True).stdout

    def build_objects(self):
        for source in self.sources:
            if not self.compiles("-c", source, "-o", source.with_suffix(".o")):
                raise SystemExit(f"{source} does not compile")

    def defects(self):
        self.build_objects()
        for source in self.sources:
            lines = source.read_text().splitlines()
            whole = self.preprocessed(source)
            for index in [index for index, line in enumerate(lines) if LOCK.match(line)]:
                source.write_text("\n".join([*lines[:index], "", *lines[index + 1:]]) + "\n")
                defect = Defect(self.subject, source, index + 1, self.folder / f"{source.stem}-{index + 1}")
                if self.preprocessed(source) != whole and self.links(defect):
                    yield defect
            source.write_text("\n".join(lines) + "\n")

    def links(self, defect):
        others = [source.with_suffix(".o") for source in self.sources if source != defect.source]
        return self.compiles("-w", defect.source, *others, "-o", defect.binary)


def measure(options, defect):
    """Per way: the share of plain runs, or whether it was found."""
    shares = {}
    for way in options.ways:
        arguments = defect.subject.arguments
        if way == "plain":
            shown = [ways.watch(options, defect.binary, arguments) for _ in range(options.plain)]
            shares[way] = sum(map(bool, shown)) / len(shown)
        else:
            outcome = ways.look(options, way, defect.binary, arguments)
            if outcome.error:
                print(f"{defect}, {way}: {outcome.error}", file=sys.stderr)
            shares[way] = float(outcome.found)
    return shares


def percent(values):
    return f"{100 * sum(values) / len(values):.0f} %" if values else "-"


def tables(options, results):
    columns = ["one plain run" if way == "plain" else way for way in options.ways]
    names = dict.fromkeys(defect.subject.name for defect, _ in results)
    rows = []
    for name in [*names, "all"]:
        chosen = [shares for defect, shares in results if name in ("all", defect.subject.name)]
        rows.append([name, len(chosen), *[percent([shares[way] for shares in chosen]) for way in options.ways]])
    each = [[str(defect), *[percent([shares[way]]) for way in options.ways]] for defect, shares in results]
    return (f"{catalog.markdown_table(['program', 'defects', *columns], rows)}\n\n## Each lock statement\n\n"
            f"{catalog.markdown_table(['without', *columns], each)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ways.add_options(parser)
    parser.add_argument("--plain", type=int, default=10, metavar="N",
                        help="plain runs of each defect, for the share that one of them finds (10)")
    options = ways.parse(parser)
    results = []
    for subject in SUBJECTS:
        if not re.search(options.only, subject.name):
            continue
        for defect in Workshop(options, subject).defects():
            results.append((defect, measure(options, defect)))
            print(defect, results[-1][1], file=sys.stderr, flush=True)
    ways.write(options, f"{ways.heading('Lock statements taken out', 'inject.py')}\n{tables(options, results)}")
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
