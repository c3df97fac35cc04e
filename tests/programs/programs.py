#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Builds real programs with the compiler drivers, runs them under `omnium run`, compares.

  tests/programs/programs.py                            every program, g++ and clang++, -O0 and -O2
  tests/programs/programs.py --compiler g++ -O 2 bank   one of them
  OMNIUM_RUNS=1000 tests/programs/programs.py --twins   the correct twins of the examples, often
  tests/programs/programs.py --record bank              omnium record, then omnium check
  tests/programs/programs.py --live bank                omnium run -e all: all engines, live and offline
  tests/programs/programs.py --runtime build/release/short_slots    with another runtime library

A program that an earlier call has built, for whatever way, is not built again unless something has changed.

A program says at its top what is to be found in it:

  // expect: transfer (with deposit), lost update on savings.balance     (or: nothing; or several lines)
  // flags: -fopenmp          more flags for the compiler
  // only: g++                not for the other compiler
  // library: plugin.cpp      a shared library to build as well; its path is the argument
  // beneath: slow.c          a shared library, not instrumented, between Omnium and the C library
  // status: 3                what `omnium run` exits with (66 if something is expected, or else 0)
  // options: --waits split   for `omnium run`, and for `omnium check` with --record
  // expect with --waits keep: put (with take), …      the same with other options instead
  // arguments: FILE          for the program
  // live: 32                 more arguments with --live, where seven engines follow at once
  // functions: all           OMNIUM_FUNCTIONS for the drivers
  // record: no               not with --record
  // warning: bank.spec:3: …  how a warning ends; others are not expected
  // shows: T1 read balance   a part of the report; blanks count as one
  // predict: certain         with --record: the grade of the best warning of `omnium predict` (certain, possible,
                              nothing; or: nothing certain); the correct twins of the examples have `nothing`

HERE stands for the path of the program.

NAME.spec beside it is its specification. NAME.expected.txt beside an example is the whole report that it
has to print when it was built by g++ -O2; OMNIUM_UPDATE_GOLDEN=1 writes these files anew. Python 3, standard library only.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = [ROOT / folder for folder in ("examples/bank", "examples/shapes", "bench/programs", "tests/programs")]
VIOLATION_FOUND = 66
SECONDS = 240
MOST_STATES = "250k"  # of a model of a recording
DIRECTIVE = re.compile(r"^// (expect|flags|only|library|beneath|status|options|arguments|live|functions|record|"
                       r"warning|shows|predict): (.*)$")
OTHER_CASE = re.compile(r"^// expect with (.*?): (.*)$")
SUMMARY = re.compile(r"^SUMMARY: Omnium: (?:atomicity violation (?:\S+ )?in )?(.*)$", re.MULTILINE)


class Failed(Exception):
    """Its first line says what is wrong; more lines show the run."""


def reason(error):
    return str(error) if isinstance(error, (Failed, limited_run.TooLong)) else f"{type(error).__name__}: {error}"


@dataclasses.dataclass
class Program:
    source: pathlib.Path
    expect: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)
    only: str = ""
    library: str = ""
    beneath: str = ""
    functions: str = ""
    record: str = "yes"
    predict: str = ""
    warnings: list = dataclasses.field(default_factory=list)
    shows: list = dataclasses.field(default_factory=list)
    status: int = 0
    options: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    live: list = dataclasses.field(default_factory=list)
    other_cases: list = dataclasses.field(default_factory=list)  # the same with other options

    @property
    def name(self):
        is_kernel = self.source.parent.parent.name == "bench"
        return f"kernel_{self.source.stem}" if is_kernel else self.source.stem

    @property
    def is_example(self):
        return self.source.parent.parent.name == "examples"

    @property
    def is_twin(self):
        return self.is_example and not self.expect

    def beside(self, ending):
        return self.source.with_name(self.name + ending)


def read_program(source):
    program = Program(source)
    here = str(source.relative_to(ROOT))
    said = [(m[1], m[2].replace("HERE", here))
            for m in map(DIRECTIVE.match, source.read_text().splitlines()) if m]
    program.expect = [text for key, text in said if key == "expect"]
    if not program.expect:
        return None  # part of another program
    if program.expect == ["nothing"]:
        program.expect = []
    program.warnings = [text for key, text in said if key == "warning"]
    program.shows = [text for key, text in said if key == "shows"]
    program.status = VIOLATION_FOUND if program.expect else 0
    program.predict = "nothing" if program.is_twin else ""
    for key, text in said:
        if key == "status":
            program.status = int(text)
        elif key in ("flags", "options", "arguments", "live"):
            setattr(program, key, shlex.split(text))
        elif key not in ("expect", "warning", "shows"):
            setattr(program, key, text)
    others = [(m[1], m[2]) for m in map(OTHER_CASE.match, source.read_text().splitlines()) if m]
    for options in dict.fromkeys(options for options, _ in others):
        expect = [text for its, text in others if its == options and text != "nothing"]
        program.other_cases.append(dataclasses.replace(
            program, options=shlex.split(options), expect=expect,
            status=VIOLATION_FOUND if expect else 0, warnings=[], shows=[], other_cases=[]))
    return program


@dataclasses.dataclass
class Configuration:
    omnium: pathlib.Path
    compiler: str
    optimize: str
    scratch: pathlib.Path
    runtime: pathlib.Path = None  # another one than that the programs were linked with

    def __str__(self):
        return f"{self.compiler} -O{self.optimize}"

    @property
    def folder(self):
        return self.scratch / f"{self.compiler}-O{self.optimize}"

    @property
    def built(self):
        return self.omnium.parent / "built" / self.folder.name

    def run(self, command, folder=ROOT, **variables):
        c_compiler = {"g++": "gcc", "clang++": "clang"}[self.compiler]
        environment = dict(os.environ, OMNIUM_CXX=self.compiler, OMNIUM_CC=c_compiler, NO_COLOR="1",
                           COLUMNS="80", **variables)
        if self.runtime is not None:
            environment["LD_LIBRARY_PATH"] = str(self.runtime)
        return limited_run.run(command, SECONDS, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", env=environment,
                               cwd=folder)

    def compile(self, source, output, flags, functions):
        if output.exists() and output.stat().st_mtime > max(self.newest_tool, source.stat().st_mtime):
            return
        unfinished = output.with_name(f"{output.name}.{os.getpid()}")
        language = ["cc", "-std=gnu11"] if source.suffix == ".c" else ["c++", "-std=c++20"]
        command = [self.omnium, *language, "-g", f"-O{self.optimize}", "-Wall", "-Wextra",
                   source.relative_to(ROOT), "-o", unfinished, "-pthread", *flags]
        done = self.run(command, **({"OMNIUM_FUNCTIONS": functions} if functions else {}))
        if done.returncode != 0 or done.stderr:
            raise Failed(f"cannot be built\n{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
        unfinished.rename(output)

    @functools.cached_property
    def newest_tool(self):
        """When what all programs are made of was changed last."""
        beside = self.omnium.parent
        files = [self.omnium, *beside.glob("omnium_*"), *beside.glob("libomnium_rt.so"), pathlib.Path(__file__),
                 *(header for folder in [*FOLDERS, ROOT / "include/omnium"] for header in folder.glob("*.h"))]
        return max(file.stat().st_mtime for file in files)

    def build(self, program):
        self.built.mkdir(parents=True, exist_ok=True)
        binary = self.built / program.name
        arguments = program.arguments
        if program.library:
            library = self.built / f"{program.name}.so"
            self.compile(program.source.with_name(program.library), library, ["-shared", "-fPIC"], "")
            arguments = [library]
        flags = program.flags
        if program.beneath:
            library = self.built / f"{program.name}_beneath.so"
            subprocess.run(["cc", "-shared", "-fPIC", program.source.with_name(program.beneath),
                            "-o", library], check=True)
            flags = [*flags, library]
        self.compile(program.source, binary, flags, program.functions)
        return [binary, *arguments]


def told(findings):
    return "; ".join(sorted(findings)) or "nothing"


def check_report(program, done, report):
    """The findings of one run against what the program expects; the text is the one on stderr."""
    found = sorted(set(SUMMARY.findall(done.stderr)))
    if found != sorted(program.expect):
        raise Failed(f"expected {told(program.expect)}, found {told(found)}")
    warnings = [line for line in done.stderr.splitlines() if "warning" in line]
    if len(warnings) != len(program.warnings) or not all(
            any(line.endswith(text) for line in warnings) for text in program.warnings):
        raise Failed(f"warnings {warnings}")
    text = " ".join(done.stderr.split())
    for part in program.shows:
        if part not in text:
            raise Failed(f"the report does not show {part}")
    if done.returncode != program.status:
        raise Failed(f"exit status {done.returncode}, not {program.status}")
    if report["serializable"] != (not program.expect):
        raise Failed(f"JSON says serializable: {report['serializable']}")
    for violation in report["violations"]:
        if not any(text.startswith(violation["refuted"][0]["label"]) and violation["pattern"] in text
                   for text in program.expect):
            raise Failed(f"JSON has {violation['pattern']} in {violation['refuted']}")


def check_golden(configuration, program, options):
    golden = program.beside(".expected.txt")
    command = [configuration.omnium, "run", *options, "--", f"./{program.name}"]
    text = configuration.run(command, folder=configuration.built).stderr
    if os.environ.get("OMNIUM_UPDATE_GOLDEN"):
        golden.write_text(text)
    if golden.read_text() != text:
        raise Failed(f"the report is not that of {golden.relative_to(ROOT)}:\n{text}")


def check_run(configuration, program, command, options):
    json_file = configuration.folder / f"{program.name}.json"
    json_file.unlink(missing_ok=True)
    line = [configuration.omnium, "run", *options, *program.options, "-f", "json", "-o", json_file, "--",
            *command]
    done = configuration.run(line)
    try:
        check_report(program, done, json.loads(json_file.read_text()))
    except (Failed, OSError, ValueError, KeyError, IndexError) as error:
        raise Failed(f"{reason(error)} (status {done.returncode})\n{shlex.join(map(str, line))}\n"
                     f"{done.stdout}{done.stderr}") from error


def check_recording(configuration, program, command, options, raw=()):
    """What `omnium check` finds in a recording is what `omnium run` finds."""
    def traces():  # of forked processes, too
        return [*configuration.folder.glob(f"{program.name}.omt"),
                *sorted(configuration.folder.glob(f"{program.name}.[0-9]*.omt"))]

    for old in traces():
        old.unlink()
    trace = configuration.folder / f"{program.name}.omt"
    line = [configuration.omnium, "record", *raw, *options, "-o", trace, "--", *command]
    recorded = configuration.run(line)
    checked = configuration.run([configuration.omnium, "check", *options, *program.options, *traces()])
    found = sorted(set(SUMMARY.findall(checked.stdout)))
    if found != sorted(program.expect) or checked.returncode not in (0, VIOLATION_FOUND):
        raise Failed(f"expected {told(program.expect)}, found {told(found)} (status {recorded.returncode})\n"
                     f"{shlex.join(map(str, line))}\n{recorded.stderr}{checked.stdout}"
                     f"{checked.stderr}")
    if program.predict:
        check_prediction(configuration, options, trace, program.predict)
    if program.predict == "nothing":
        check_model(configuration, options, trace)
    for old in traces():
        old.unlink()


def check_prediction(configuration, options, trace, expected):
    """What could happen in another order."""
    line = [configuration.omnium, "predict", *options, "-f", "json", trace]
    predicted = configuration.run(line)
    try:
        found = {warning["status"] for warning in json.loads(predicted.stdout)["warnings"]}
    except (ValueError, KeyError) as error:
        raise Failed(f"{reason(error)}\n{shlex.join(map(str, line))}\n{predicted.stderr}") from error
    most = "certain" if "certain" in found else "possible" if "possible" in found else "nothing"
    as_expected = most != "certain" if expected == "nothing certain" else most == expected
    if not as_expected or (predicted.returncode == VIOLATION_FOUND) != (most == "certain"):
        raise Failed(f"predicted {most}, not {expected} (status {predicted.returncode}): "
                     f"{shlex.join(map(str, line))}\n{predicted.stdout}{predicted.stderr}")


def check_model(configuration, options, trace):
    """All interleavings, explored one by one, agree with the prediction; as far as that takes about a second."""
    model = trace.with_suffix(".omp")
    made = configuration.run([configuration.omnium, "model", "--from", trace, *options, "-o", model])
    line = [configuration.omnium, "model", "--max-states", MOST_STATES, model]
    explored = configuration.run(line)
    said = " ".join((explored.stdout + explored.stderr).split())
    too_large = any(why in said for why in ("gave up after", "a model can have at most", "too many to explore"))
    if made.returncode != 0 or (explored.returncode != 0 and not too_large):
        raise Failed(f"a correct program: {shlex.join(map(str, line))}\n{made.stderr}{explored.stdout}{explored.stderr}")
    model.unlink()


def check_live(configuration, program, command, options):
    """All engines that follow the program say what they say of its trace afterwards, and what is expected."""
    trace, live = (configuration.folder / f"{program.name}.live.{ending}" for ending in ("omt", "json"))
    for old in configuration.folder.glob(f"{program.name}.live.*"):
        old.unlink()
    line = [configuration.omnium, "run", "-e", "all", "--trace", trace, *options, *program.options, "-o", live, "--",
            *command, *program.live]
    done = configuration.run(line)
    mode = [word for word in program.options if word in ("--waits", "--conflicts", "keep", "split", "data", "all")]
    differences = []
    # One line per process: the program, and then those that it forked.
    traces = [trace, *sorted(configuration.folder.glob(f"{program.name}.live.[0-9]*.omt"))]
    tables = [json.loads(text) for text in live.read_text().splitlines()] if live.exists() else []
    for table, its_trace in zip(tables, traces):
        checked = configuration.run([configuration.omnium, "check", "-e", "all", *mode, "-f", "json", its_trace])
        offline = {row["engine"]: row for row in json.loads(checked.stdout)["engines"]}
        for row in table["engines"]:
            for key in ("serializable", "transactions", "detected_at"):
                if row["engine"] in offline and row[key] != offline[row["engine"]][key]:
                    differences.append(f"{row['engine']}: {key} is {row[key]} live, {offline[row['engine']][key]} offline")
    found = any(row["serializable"] is False for table in tables for row in table["engines"])
    if not tables or len(tables) != len(traces):
        differences.append(f"{len(tables)} tables for {len(traces)} traces")
    if found != bool(program.expect) or done.returncode != program.status:
        differences.append(f"expected {told(program.expect)}, status {program.status}")
    if differences:
        raise Failed("\n".join([*differences, f"status {done.returncode}", shlex.join(map(str, line)), done.stderr]))


def check_program(configuration, program, runs, way):
    command = configuration.build(program)
    specification = program.beside(".spec")
    options = ["-s", specification] if specification.exists() else []
    check = {"record": check_recording, "live": check_live, "run": check_run}[way]
    for _ in range(runs if program.is_twin else 1):
        for case in [program, *program.other_cases]:
            check(configuration, case, command, options)
    if way == "record" and program.is_example:
        check_recording(configuration, program, command, options, ["--raw"])
    if program.expect and program.is_example and str(configuration) == "g++ -O2" and way == "run":
        check_golden(configuration, program, options)


def all_programs(names):
    found = [read_program(source) for folder in FOLDERS for source in sorted(folder.iterdir())
             if source.suffix in (".c", ".cpp")]
    programs = {program.name: program for program in found if program}
    unknown = set(names) - programs.keys()
    if unknown:
        sys.exit(f"no program {', '.join(sorted(unknown))}")
    return [program for name, program in programs.items() if not names or name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=ROOT / "build/release/omnium")
    parser.add_argument("--compiler", choices=["g++", "clang++"], action="append")
    parser.add_argument("-O", dest="optimize", choices=["0", "1", "2", "3"], action="append")
    parser.add_argument("--twins", action="store_true", help="only the correct twins")
    parser.add_argument("--record", action="store_true", help="record, then check the trace")
    parser.add_argument("--live", action="store_true", help="all engines follow the program")
    parser.add_argument("--runs", type=int, default=int(os.environ.get("OMNIUM_RUNS", "20")),
                        help="of each twin (20, or OMNIUM_RUNS)")
    parser.add_argument("--runtime", type=lambda text: pathlib.Path(text).resolve(),
                        help="folder of another runtime library")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*", help="programs (all)")
    options = parser.parse_args()
    omnium = options.omnium.resolve()
    way = "record" if options.record else "live" if options.live else "run"
    scratch = (options.runtime or omnium.parent) / {"record": "recorded", "live": "followed", "run": "programs"}[way]
    work = []
    for compiler in options.compiler or ["g++", "clang++"]:
        for optimize in options.optimize or ["0", "2"]:
            configuration = Configuration(omnium, compiler, optimize, scratch, options.runtime)
            configuration.folder.mkdir(parents=True, exist_ok=True)
            work += [(configuration, program) for program in all_programs(options.names)
                     if program.only in ("", compiler) and
                     (program.is_twin or not options.twins) and
                     (program.record == "yes" or way == "run")]
    failures = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(check_program, *item, options.runs, way): item for item in work}
        for job in concurrent.futures.as_completed(jobs):
            configuration, program = jobs[job]
            if job.exception() is not None:
                text = f"FAILED {program.name}, {configuration}: {reason(job.exception())}"
                failures.append(text.partition("\n")[0])
                print(f"{text}\n", flush=True)
    print("\n".join([*failures, f"{len(work) - len(failures)} of {len(work)} programs are as expected"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
