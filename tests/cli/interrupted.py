#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C tells what was found so far, and leaves no temporary file: interrupted.py OMNIUM

The trace comes through a pipe that stays open, so each command is interrupted in the middle of it.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SECONDS = 60
VIOLATION = "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n"
FILLER = "t3|begin(loop)|c.cc:1\nt3|r(y)|c.cc:2\nt3|end(loop)|c.cc:3\n" * 20000


class Interrupted:
    """A command that has read most of the trace when the signal comes."""

    def __init__(self, folder, words, trace):
        pipe = folder / "pipe"
        if not pipe.exists():
            os.mkfifo(pipe)
        with subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, start_new_session=True) as process:
            try:
                with open(pipe, "w", encoding="utf-8") as writer:
                    writer.write(trace)  # the pipe holds little: the reader is far into the trace now
                    writer.flush()
                    process.send_signal(signal.SIGINT)
                    self.out, self.err = process.communicate(timeout=SECONDS)
            finally:
                if process.poll() is None:
                    process.kill()
            self.status = process.returncode


def expect(condition, what, run):
    if not condition:
        sys.exit(f"{what}: status {run.status}\n{run.out}\n{run.err}")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def main():
    omnium = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run = Interrupted(folder, [omnium, "check", "-o", "r.json", "-o", "r.sarif", "-o", "-", "pipe"], VIOLATION + FILLER)
        expect(run.status == 66, "check finds what came before", run)
        expect("stopped" in run.out and "stopped after" in run.err, "check says that it was stopped", run)
        result = json.loads((folder / "r.json").read_text())
        expect(result["stopped"] is True and result["serializable"] is False, "the result is marked", run)
        sarif = json.loads((folder / "r.sarif").read_text())
        expect(sarif["runs"][0]["invocations"][0]["executionSuccessful"] is False, "SARIF is marked", run)
        expect(names(folder) == ["pipe", "r.json", "r.sarif"], f"files: {names(folder)}", run)
        again = subprocess.run([omnium, "report", folder / "r.json"], capture_output=True, text=True, timeout=SECONDS, check=False)
        expect("stopped" in again.stdout, "the stored result is marked", run)

        run = Interrupted(folder, [omnium, "check", "-o", "r.json", "pipe"], FILLER)
        expect(run.status == 130, "nothing was found in a part", run)
        expect(json.loads((folder / "r.json").read_text())["serializable"] is None, "no verdict on a part", run)

        run = Interrupted(folder, [omnium, "convert", "pipe", "out.std"], FILLER)
        expect(run.status == -signal.SIGINT, "convert is ended by the signal", run)
        run = Interrupted(folder, [omnium, "predict", "-o", "p.json", "pipe"], FILLER)
        expect(run.status == -signal.SIGINT, "predict is ended by the signal while it loads", run)
        expect(names(folder) == ["pipe", "r.json", "r.sarif"], f"files: {names(folder)}", run)
    print("interrupted: 1 passed, 0 failed")


main()
