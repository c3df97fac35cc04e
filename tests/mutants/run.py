#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Breaks Omnium on purpose, one small mistake at a time, and looks whether a test notices.

  tests/mutants/run.py                      every mutant: about 20 minutes on two cores
  tests/mutants/run.py --only aerodrome     those whose name, file or test matches
  tests/mutants/run.py --list               names, files and tests
  tests/mutants/run.py --apply BUILD        only: do all of them still apply, and do their tests exist?

A mutant is an entry of tests/mutants/FOLDER.toml:

  [[mutant]]
  name = "aerodrome-fork-does-not-count"
  file = "src/engines/aerodrome.cc"
  find = "a text that occurs exactly once in the file"
  replace = "what somebody might have written by mistake"
  test = "test-paper --gtest_filter=Aerodrome.*"
  breaks = "One sentence on what goes wrong."

The first word of a test (variables such as OMNIUM_TRACES=500 may stand before it) is a test program
of the build, or one of the scripts `programs`, `same_run` and `true_run` of tests/programs, or `ctest` (with
the name of one test).

Mutants live in a copy of the tree in build/mutants; the working tree is never touched. A mutant is killed if
its test passes without it, and with it fails or takes far longer. The status is 0 only if all are killed: one
that no longer applies, does not build, or has a test that is red anyway, shows nothing.
"""

import argparse
import dataclasses
import fcntl
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TREE = ROOT / "build" / "mutants"  # a copy
BUILD = TREE / "build" / "release"
TOO_LONG = 124  # the status of scripts/limited.py
FIELDS = {"name", "file", "find", "replace", "test", "breaks"}
VARIABLE = re.compile(r"[A-Z_]+=\S*")
# What the tests that are not programs of the build need from it.
DRIVERS_AND_RUNTIME = ("omnium", "omnium_rt")


class Wrong(Exception):
    """A mutant, or the tree as a whole, cannot be tried: says why."""


@dataclasses.dataclass(frozen=True)
class Test:
    """A command, as mutants name it."""
    text: str

    @property
    def words(self):
        return [word for word in shlex.split(self.text) if not VARIABLE.fullmatch(word)]

    @property
    def variables(self):
        return [word for word in shlex.split(self.text) if VARIABLE.fullmatch(word)]

    @property
    def is_program(self):
        return self.words[0].startswith("test-")

    @property
    def targets(self):
        return (self.words[0],) if self.is_program else DRIVERS_AND_RUNTIME

    def command(self, tree, build):
        first, *rest = self.words
        if first == "programs":
            command = [tree / "tests/programs/programs.py", "--omnium", build / "omnium", *rest]
        elif first == "true_run":
            command = [tree / "tests/programs/true_run.py", build / "omnium"]
        elif first == "same_run":
            command = [tree / "tests/programs/same_run.py", build / "omnium", *(tree / word for word in rest)]
        elif first == "ctest":
            command = ["ctest", "--test-dir", build, "--output-on-failure", "-R", f"^{re.escape(*rest)}$"]
        else:
            command = [build / first, *rest]
        return ["env", *self.variables, *map(str, command)]

    def missing_in(self, build):
        """What is wrong with the name of this test; nothing if there is such a test."""
        first, *rest = self.words
        if first in ("programs", "same_run", "true_run"):
            return None
        if first == "ctest":
            listed = output_of(["ctest", "--test-dir", build, "-N", "-R", f"^{re.escape(*rest)}$"])
            return None if "Total Tests: 1\n" in listed else f"no ctest is called {rest}"
        if not (build / first).exists():
            return f"there is no test program {first}"
        filters = [word for word in rest if word.startswith("--gtest_filter=")]
        listed = output_of([build / first, "--gtest_list_tests", *filters])
        return None if re.search(r"^  \S", listed, re.MULTILINE) else f"{first} has no such test"


@dataclasses.dataclass
class Mutant:
    name: str
    file: str
    find: str
    replace: str
    test: Test
    breaks: str

    def applied(self, tree):
        """The file's text with the mistake in it."""
        path = tree / self.file
        if not path.exists():
            raise Wrong(f"there is no {self.file}")
        text = path.read_text()
        if text.count(self.find) != 1:
            raise Wrong(f"its text occurs {text.count(self.find)} times in {self.file}")
        if self.find == self.replace:
            raise Wrong("it changes nothing")
        return text.replace(self.find, self.replace)

    def matches(self, pattern):
        return any(pattern.search(text) for text in (self.name, self.file, self.test.text))


def read_mutants():
    mutants = []
    for path in sorted(HERE.glob("*.toml")):
        for entry in tomllib.loads(path.read_text())["mutant"]:
            if entry.keys() != FIELDS:
                raise Wrong(f"{path.name}: {entry.get('name')}: expected the fields {', '.join(sorted(FIELDS))}")
            mutants.append(Mutant(**entry | {"test": Test(entry["test"])}))
    names = [mutant.name for mutant in mutants]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Wrong(f"two mutants are called {', '.join(sorted(twice))}")
    return mutants


def output_of(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          check=False).stdout


def check_that_all_apply(mutants, build):
    """For `make test`: the data must not rot. How many cannot be tried any more."""
    missing = {test: test.missing_in(build) for test in {mutant.test for mutant in mutants}}
    wrong = 0
    for mutant in mutants:
        try:
            mutant.applied(ROOT)
            if missing[mutant.test]:
                raise Wrong(missing[mutant.test])
        except Wrong as error:
            wrong += 1
            print(f"{mutant.name}: {error}")
    print(f"{len(mutants) - wrong} of {len(mutants)} mutants apply and have their test")
    return wrong


def write_if_changed(path, data):
    """Keeps the time of files that are as they should be: they need not be built again."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def copy_tree():
    """The working tree, with what is not committed yet, as it is now."""
    listed = output_of(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    files = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    for old in TREE.rglob("*"):
        name = str(old.relative_to(TREE))
        if old.is_file() and name not in files and not name.startswith("build/"):
            old.unlink()
    for name in files:
        write_if_changed(TREE / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, TREE / name)


def run(command):
    """The status and the output of a command of the build."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout


def configure():
    status, output = run(["cmake", "-S", TREE, "--preset", "release"])
    if status:
        raise Wrong(f"cannot be configured:\n{output}")


def build(targets, jobs):
    status, output = run(["ninja", "-C", BUILD, "-j", str(jobs), *sorted(targets)])
    if status:
        raise Wrong(f"does not build:\n{output[-4000:]}")


def run_test(test, seconds):
    return run([ROOT / "scripts/limited.py", str(seconds), *test.command(TREE, BUILD)])


def time_unbroken(tests):
    """How long each test takes without a mutant, in seconds; a test that fails then is not there."""
    took = {}
    for test in sorted(tests, key=lambda test: test.text):
        start = time.monotonic()
        status, output = run_test(test, 600)
        wrong = test.missing_in(BUILD) or (f"fails without a mutant:\n{output[-4000:]}" if status else None)
        if wrong:
            print(f"{test.text}: {wrong}", flush=True)
        else:
            took[test] = time.monotonic() - start
    return took


@dataclasses.dataclass
class Verdict:
    mutant: Mutant
    word: str
    detail: str
    seconds: float

    @property
    def killed(self):
        return self.word == "killed"

    def __str__(self):
        name = f"{self.mutant.file.split('/')[1]:10} {self.mutant.name}"
        return f"{self.word:14} {self.seconds:5.1f} s  {name:58} {self.detail}".rstrip()


def try_mutant(mutant, usual_seconds, jobs):
    """Applies, builds, runs; the file is as it was afterwards."""
    if usual_seconds is None:
        return "test is red", mutant.test.text
    path = TREE / mutant.file
    try:
        mutated = mutant.applied(TREE)
    except Wrong as error:
        return "does not apply", str(error)
    unbroken = path.read_bytes()
    path.write_text(mutated)
    try:
        build(mutant.test.targets, jobs)
        status, output = run_test(mutant.test, 10 + 5 * usual_seconds)
    except Wrong as error:
        return "does not build", str(error)
    finally:
        path.write_bytes(unbroken)
    if status == 0:
        return "SURVIVED", f"{mutant.test.text}: {mutant.breaks}"
    return "killed", "by its time limit" if status == TOO_LONG else first_failure(output) or f"status {status}"


def first_failure(output):
    """The name of the test that noticed; nothing if it could not even say so."""
    found = re.search(r"^(?:\[  FAILED  \]|FAILED) ([\w./]+)", output, re.MULTILINE)
    return found[1] if found else ""


def cheapest_order(mutant):
    """Headers together, since mending one costs as much as breaking the next; then few links, then few files."""
    return not mutant.file.endswith(".h"), mutant.test.targets, mutant.file


def lock_tree():
    """Two runs in one tree would break each other's mutants. The lock lives as long as we do."""
    TREE.mkdir(parents=True, exist_ok=True)
    lock = os.open(TREE, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Wrong(f"another run works in {TREE}") from error


def try_all(mutants, jobs):
    started = time.monotonic()
    lock_tree()
    copy_tree()
    configure()
    build({target for mutant in mutants for target in mutant.test.targets}, jobs)
    print(f"built in {time.monotonic() - started:.0f} s", flush=True)
    usual = time_unbroken({mutant.test for mutant in mutants})
    print(f"{len(usual)} tests pass without a mutant, in {sum(usual.values()):.0f} s", flush=True)
    verdicts = []
    for mutant in sorted(mutants, key=cheapest_order):
        start = time.monotonic()
        word, detail = try_mutant(mutant, usual.get(mutant.test), jobs)
        verdicts.append(Verdict(mutant, word, detail, time.monotonic() - start))
        print(verdicts[-1], flush=True)
    summarize(verdicts, time.monotonic() - started)
    return sum(not verdict.killed for verdict in verdicts)


def summarize(verdicts, seconds):
    folders = sorted({verdict.mutant.file.split("/")[1] for verdict in verdicts})
    print(f"\n{'folder':12} {'mutants':>7} {'killed':>7}")
    for folder in folders:
        inside = [verdict for verdict in verdicts if verdict.mutant.file.split("/")[1] == folder]
        print(f"{folder:12} {len(inside):7} {sum(verdict.killed for verdict in inside):7}")
    print(f"\n{sum(verdict.killed for verdict in verdicts)} of {len(verdicts)} mutants killed in {seconds / 60:.0f} min")
    for verdict in verdicts:
        if not verdict.killed:
            print(verdict)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", metavar="REGEX", type=re.compile, default=re.compile(""),
                        help="mutants whose name, file or test matches")
    parser.add_argument("--list", action="store_true", help="print the mutants and do nothing")
    parser.add_argument("--apply", metavar="BUILD", type=pathlib.Path,
                        help="check that they apply and that BUILD has their tests; do nothing")
    parser.add_argument("--jobs", type=int, default=2, help="for the build (2)")
    options = parser.parse_args()
    try:
        mutants = [mutant for mutant in read_mutants() if mutant.matches(options.only)]
        if options.list:
            for mutant in mutants:
                print(f"{mutant.name}: {mutant.file}\n    {mutant.breaks}\n    {mutant.test.text}")
            return 0
        if not mutants:
            raise Wrong(f"no mutant matches {options.only.pattern}")
        failed = check_that_all_apply(mutants, options.apply) if options.apply else try_all(mutants, options.jobs)
    except Wrong as error:
        sys.exit(f"mutants: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
