#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C tells what was found so far, and leaves no temporary file: interrupted.py OMNIUM

The trace comes through a pipe that stays open, so each command is interrupted in the middle of it.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

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


def suspicious_trace():
    """Blocks with two critical sections each: a long search."""
    lines = []
    for block in range(6000):
        thread = f"t{block * 7 % 6}"
        lines.append(f"{thread}|begin(b{thread})|a.cc:1")
        for step in range(6):
            n = (block * 5 + step * step) % 8
            lines += [f"{thread}|acq(l{n})|a.cc:2", f"{thread}|{'rw'[(block + step) % 2]}(x{n})|a.cc:3", f"{thread}|rel(l{n})|a.cc:4"]
        lines.append(f"{thread}|end|a.cc:9")
    return "\n".join(lines) + "\n"


def check_search(omnium, folder):
    """Wherever the signal comes, a report is there and marked, or nothing is left."""
    (folder / "long.std").write_text(suspicious_trace())
    before = names(folder)
    for milliseconds in (10, 100, 300, 1000):
        process = subprocess.Popen([omnium, "predict", "--budget", "5000M", "-o", "p.json", "long.std"], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS)
        if process.returncode == -signal.SIGINT:
            assert names(folder) == before, names(folder)
            continue
        result = json.loads((folder / "p.json").read_text())
        assert process.returncode == 66 or (process.returncode == 130) == result.get("stopped", False), (process.returncode, said)
        (folder / "p.json").unlink()
        assert names(folder) == before, names(folder)


def check_list(omnium, folder):
    """Traces that were not read at all are not forgotten: merged results say so until somebody has checked them."""
    for name in ("before.std", "behind.std"):
        (folder / name).write_text(VIOLATION.replace("inc", name) + f"t1|r({name})|a.cc:9\n")
    traces = ["before.std", "pipe", "behind.std"]
    run = Interrupted(folder, [omnium, "check", "-j", "1", "-f", "json", *traces], FILLER)
    expect(run.status == 66 and "stopped: 1 trace not checked" in run.err, "the rest is counted", run)
    told = [(it["trace"]["path"], it.get("stopped", False), it["trace"]["events"] > 0) for it in map(json.loads, run.out.splitlines())]
    expect(told == [("before.std", False, True), ("pipe", True, True), ("behind.std", True, False)], f"the rest is marked: {told}", run)
    (folder / "part.json").write_text(run.out.splitlines()[0] + "\n" + run.out.splitlines()[2] + "\n")
    whole = subprocess.run([omnium, "check", "-f", "json", "before.std", "behind.std"], cwd=folder, capture_output=True, text=True, timeout=SECONDS,
                           check=False)
    (folder / "whole.json").write_text(whole.stdout)
    merged = [subprocess.run([omnium, "merge", *results], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False).stdout
              for results in (["part.json"], ["whole.json"], ["part.json", "whole.json"])]
    expect(json.loads(merged[0]).get("stopped") is True, f"merged: {merged[0]}", run)
    varying = re.compile(r'"seconds":[0-9.e-]+,"peak_bytes":[0-9]+')
    expect("stopped" not in merged[1] and varying.sub("", merged[1]) == varying.sub("", merged[2]), f"complete: {merged[2]}", run)
    run = Interrupted(folder, [omnium, "check", "-j", "1", *traces], FILLER)
    expect("behind.std" not in run.out and "stopped: 1 trace not checked" in run.err, "text tells only what was read", run)


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
        check_search(omnium, folder)
        check_list(omnium, folder)
    print("interrupted: 1 passed, 0 failed")


main()
