# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of bench/hunt/programs, how they are built, and what one run of them shows.

A program says at its top:

  // shows: violation, exit     at least one of these: violation, assertion, crash, exit, deadlock, hang
  // block: transfer            blocks of which one is blamed, if there is a violation
  // variants: N=3, N=100       built once with each of these macros: NAME_3, NAME_100
  // functions: all             OMNIUM_FUNCTIONS for the drivers: the blamed function would be inlined

Built with -DFIXED it is correct in every schedule.
"""

import dataclasses
import hashlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
import limited_run

PROGRAMS = ROOT / "bench/hunt/programs"
KINDS = ("violation", "assertion", "crash", "exit", "deadlock", "hang")
C_COMPILER = {"g++": "gcc", "clang++": "clang"}
VIOLATION_FOUND = 66
COMPILE_SECONDS = 240


@dataclasses.dataclass(frozen=True)
class Program:
    source: pathlib.Path
    macro: str  # N=3, or nothing
    shows: tuple
    blocks: tuple
    functions: tuple = ()  # OMNIUM_FUNCTIONS, if it is set

    @property
    def name(self):
        return self.source.stem + (f"_{self.macro.partition('=')[2]}" if self.macro else "")

    @property
    def is_c(self):
        return self.source.suffix == ".c"


def directive(text, key):
    found = re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)
    return tuple(found[1].split(", ")) if found else ()


def read_programs(only=""):
    """All programs whose name the regular expression matches, in the order of their names."""
    programs = []
    for source in sorted([*PROGRAMS.glob("*.cpp"), *PROGRAMS.glob("*.c")]):
        text = source.read_text()
        shows = directive(text, "shows")
        if not shows or not set(shows) <= set(KINDS):
            raise SystemExit(f"{source}: expected '// shows:' with some of {', '.join(KINDS)}")
        for macro in directive(text, "variants") or ("",):
            programs.append(Program(source, macro, shows, directive(text, "block"),
                                    directive(text, "functions")))
    return [program for program in programs if re.search(only, program.name)]


@dataclasses.dataclass
class Builder:
    """Builds into a folder, and not again while source, flags and compiler are the same."""
    folder: pathlib.Path
    omnium: pathlib.Path = None  # None: without Omnium
    compiler: str = "g++"
    level: str = "2"

    def command(self, program, is_fixed):
        language, standard = ("cc", "gnu11") if program.is_c else ("c++", "c++20")
        plain = C_COMPILER[self.compiler] if program.is_c else self.compiler
        start = [self.omnium, language] if self.omnium else [plain, "-I", ROOT / "include"]
        flags = [f"-std={standard}", "-g", f"-O{self.level}", "-Wall", "-Wextra", "-pthread"]
        macros = [f"-D{macro}" for macro in (program.macro, "FIXED" if is_fixed else "") if macro]
        return [str(word) for word in [*start, *flags, *macros, program.source]]

    def check_syntax(self, program):
        self.compile(program, [*self.command(program, is_fixed=False), "-fsyntax-only"])

    def build(self, program, is_fixed=False):
        command = self.command(program, is_fixed)
        stamp = self.omnium.stat().st_mtime_ns if self.omnium else 0
        key = hashlib.sha256(f"{command} {self.compiler} {stamp} {program.source.read_text()}".encode())
        binary = self.folder / f"{program.name}{'.fixed' if is_fixed else ''}-{key.hexdigest()[:12]}"
        if not binary.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            made = binary.with_name(f"{binary.name}.new")
            self.compile(program, [*command, "-o", made])
            made.rename(binary)
        return binary

    def compile(self, program, command):
        environment = dict(os.environ, OMNIUM_CXX=self.compiler, OMNIUM_CC=C_COMPILER[self.compiler])
        if program.functions:
            environment["OMNIUM_FUNCTIONS"] = program.functions[0]
        done = limited_run.run(command, COMPILE_SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=environment)
        if done.returncode != 0 or done.stdout:
            raise SystemExit(f"{shlex.join(map(str, command))}\n{done.stdout}")


def run_once(command, seconds):
    """What one run showed, '' if nothing, and what it printed to standard error."""
    try:
        done = limited_run.run(command, seconds, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, errors="replace")
    except limited_run.TooLong:
        return "hang", ""
    return kind_of_status(done.returncode), done.stderr


def kind_of_status(status):
    if status == 0:
        return ""
    if status == VIOLATION_FOUND:
        return "violation"
    if status == -signal.SIGABRT:
        return "assertion"
    return "crash" if status < 0 else "exit"


def default_scratch(omnium):
    return omnium.resolve().parent / "hunt-programs"


def markdown_table(header, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows])
