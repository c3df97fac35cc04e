#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""`omnium run -e` follows a program whatever happens to either of them (docs/runtime/following.md).

  tests/programs/followed.py build/release/omnium

Python 3, standard library only.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent / "followed" / "counters.cpp"
SECONDS = 240


def fail(text):
    raise SystemExit(text)


def expect(what, got, wanted, text=""):
    if got != wanted:
        fail(f"{what}: expected {wanted}, got {got}\n{text}")


def runs(process):
    """Whoever adopted it may not have waited for it yet: then it is a zombie."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Test:
    def __init__(self, omnium, folder):
        self.omnium, self.folder, self.program = omnium, folder, folder / "counters"
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.environment = dict(os.environ, TMPDIR=str(self.logs))
        subprocess.run([omnium, "c++", "-std=c++20", "-g", "-O1", SOURCE, "-o", self.program, "-pthread"],
                       check=True, timeout=SECONDS)

    def start(self, engine, *arguments, options=()):
        command = [self.omnium, "run", "-e", engine, *options, "--", self.program, *arguments]
        return subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True, env=self.environment)

    def run(self, engine, *arguments, options=()):
        started = self.start(engine, *arguments, options=options)
        _, text = started.communicate(timeout=SECONDS)
        expect("files left behind", os.listdir(self.logs), [])
        return started.returncode, text

    def report(self, engine, *arguments):
        """One JSON object per process."""
        result = self.folder / "result.json"
        status, text = self.run(engine, *arguments, options=["-f", "json", "-o", result])
        return status, text, [json.loads(line) for line in result.read_text().splitlines()]

    def a_program_faster_than_the_engine(self):
        """More than 256 blocks: it has to wait, and nothing is lost."""
        status, text, (report,) = self.report("aerodrome-basic", "6000", "once")
        expect("its own status", status, 7, text)
        expect("blocks", report["trace"]["blocks"], 12000)
        expect("verdict", report["serializable"], True, text)

    def a_violation(self):
        for engine in ("reach", "velodrome", "aerodrome", "davida", "conflict-graph", "summary-graph"):
            status, text, (report,) = self.report(engine, "10", "violate")
            expect(f"{engine}: status", status, 66, text)
            expect(f"{engine}: verdict", report["serializable"], False, text)
        status, text = self.run("all", "10", "violate")
        expect("all: status", status, 66, text)
        expect("all: disagreements", "DISAGREEMENT" in text or "only the" in text, False, text)
        expect("all: the checker in the program", "in the program" in text, True, text)

    def threads_that_come_and_go(self):
        """A look at the log finds a thread that ends while it looks."""
        status, text, (report,) = self.report("reach", "3000", "short")
        expect("its own status", status, 7, text)
        expect("blocks", report["trace"]["blocks"], 12000)
        expect("verdict", report["serializable"], True, text)

    def a_program_that_is_killed(self):
        status, text, (report,) = self.report("reach", "500", "die")
        expect("status", status, -signal.SIGKILL, text)
        expect("blocks", report["trace"]["blocks"], 1000)

    def forked_processes(self):
        status, text, reports = self.report("velodrome", "100", "fork")
        expect("status", status, 66, text)
        expect("verdicts", [report["serializable"] for report in reports], [True, False], text)

    def an_endless_program(self):
        started = self.start("velodrome", "100", "endless")
        log = self.wait_for_log()
        while log.stat().st_blocks == 0:
            time.sleep(0.05)
        time.sleep(0.5)
        child = pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()[0]
        os.kill(int(child), signal.SIGINT)
        _, text = started.communicate(timeout=SECONDS)
        expect("status", started.returncode, -signal.SIGINT, text)
        expect("answer", "serializable (" in text, True, text)

    def omnium_is_killed(self):
        """The program surely runs at that moment: it ends after its parent."""
        started = self.start("velodrome", "3000", "orphan")
        self.wait_for_log()
        child = int(pathlib.Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()[0])
        started.kill()
        started.wait(SECONDS)
        until = time.monotonic() + SECONDS
        while runs(child) and time.monotonic() < until:
            time.sleep(0.05)
        expect("the program goes on", runs(child), False)
        expect("files left behind", [name for name in os.listdir(self.logs) if os.listdir(self.logs / name)], [])

    def wait_for_log(self):
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            for log in self.logs.glob("*/log"):
                if log.stat().st_size > 65536:
                    return log
            time.sleep(0.02)
        return fail("no log")

    def the_trace_cannot_be_written(self):
        """The program goes on to its end, and omnium says what is wrong."""
        full = self.folder / "full.omt"
        full.symlink_to("/dev/full")
        status, text = self.run("reach", "6000", "once", options=["--trace", full])
        expect("status", status, 2, text)
        expect("reason", "No space left on device" in text, True, text)

    def wrong_usage(self):
        for options in (["-e", "nonsense"], ["--trace", "x.omt"], ["-e", "reach", "--trace", "x.txt"],
                        ["-e", "reach", "--halt-on-error"], ["-e", "all", "-f", "html", "-o", "x.html"]):
            done = subprocess.run([self.omnium, "run", *options, "--", self.program, "1", "once"],
                                  capture_output=True, text=True, timeout=SECONDS, env=self.environment, check=False)
            expect(f"{options}: status", done.returncode, 2, done.stderr)


def main():
    omnium = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(omnium, pathlib.Path(folder))
        for part in (test.wrong_usage, test.a_violation, test.a_program_faster_than_the_engine,
                     test.threads_that_come_and_go, test.a_program_that_is_killed, test.forked_processes, test.an_endless_program,
                     test.omnium_is_killed, test.the_trace_cannot_be_written):
            print(part.__name__.replace("_", " "), flush=True)
            part()


if __name__ == "__main__":
    main()
