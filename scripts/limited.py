#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a command with a time limit: limited.py SECONDS COMMAND...

When the time is up, every process that the command started is listed (with stacks, if gdb is installed) and
killed; the exit status is 124. The same happens to processes that the command leaves behind, because ctest
waits for every process that has a test's output open. The command starts with default signal handling and an
empty standard input.
"""
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

TOO_LONG = 124
GRACE_SECONDS = 5  # for processes that are about to end when the command has
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def stat_of(process):
    """State and parent of a process; none if it is gone."""
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def descendants():
    """Living processes that we started, and theirs: orphans among them have become our children."""
    reap()
    stats = {int(name): stat_of(name) for name in os.listdir("/proc") if name.isdigit()}
    found, added = {os.getpid()}, True
    while added:
        added = {process for process, stat in stats.items() if stat and stat[1] in found} - found
        found |= added
    return sorted(process for process in found - {os.getpid()} if stats[process][0] not in "ZX")


def reap():
    """Takes the orphans that have ended, but never the command itself: its status is its Popen's."""
    for process in os.listdir("/proc"):
        if process.isdigit() and int(process) != command.pid and stat_of(process) == ("Z", os.getpid()):
            os.waitpid(int(process), os.WNOHANG)


def read(process, name):
    try:
        return pathlib.Path(f"/proc/{process}/{name}").read_text(errors="replace")
    except OSError:
        return ""


def tell(processes):
    for process in processes:
        stat = stat_of(process)
        words = read(process, "cmdline").replace("\0", " ") or read(process, "comm")
        print(f"  {process}, child of {stat and stat[1]}, state {stat and stat[0]} {read(process, 'wchan')}: "
              f"{words.strip()}", flush=True)
    gdb = shutil.which("gdb")
    for process in processes if gdb else []:
        try:
            done = subprocess.run([gdb, "-p", str(process), "-batch", "-nx", "-ex", "set debuginfod enabled off",
                                   "-ex", "thread apply all backtrace 16"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", timeout=30, check=False)
        except subprocess.TimeoutExpired:
            continue
        frames = [line for line in done.stdout.splitlines() if line.startswith(("Thread", "#"))]
        print("\n".join([f"stacks of {process}:", *frames[:200]]), flush=True)


def kill_all():
    while processes := descendants():
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        command.poll()
        time.sleep(0.01)


def stopped(number, _):
    kill_all()
    os._exit(128 + number)


def start(words):
    """With the signals of a terminal: what runs in the background may have to ignore some."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        started = subprocess.Popen(words, stdin=subprocess.DEVNULL,
                                   preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
    except OSError as error:
        sys.exit(f"limited.py: {words[0]}: {error.strerror}")
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, stopped)
    return started


def wait(seconds):
    """The status of the command."""
    try:
        status = command.wait(seconds)
    except subprocess.TimeoutExpired:
        print(f"limited.py: time limit of {seconds:g} s exceeded; running processes:", flush=True)
        tell(descendants())
        kill_all()
        return TOO_LONG
    deadline = time.monotonic() + GRACE_SECONDS
    while left := descendants():
        if time.monotonic() > deadline:
            print("limited.py: the command has ended and left these processes behind:", flush=True)
            tell(left)
            kill_all()
            return TOO_LONG
        time.sleep(0.05)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    command = start(sys.argv[2:])
    sys.exit(wait(float(sys.argv[1])))
