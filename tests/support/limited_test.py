#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Limits hold, whoever keeps the output open: limited_test.py SOURCE"""
import pathlib
import subprocess
import sys
import time

import limited_run

LIMITED = pathlib.Path(sys.argv[1]) / "scripts/limited.py"
ORPHAN = "setsid sleep 1000 & "  # in a group of its own, with the output of whoever started it


def limited(script, seconds):
    """Status, what was said and how long that took; reading it needs the end of all who hold the pipe."""
    started = time.monotonic()
    done = subprocess.run([LIMITED, str(seconds), "bash", "-c", script], stdout=subprocess.PIPE, text=True,
                          check=False, timeout=200)
    return done.returncode, done.stdout, time.monotonic() - started


def check_script():
    assert limited("echo said; exit 7", 100)[:2] == (7, "said\n")
    assert limited("kill -SEGV $$", 100)[0] == 128 + 11
    assert limited("(sleep 1; echo late) & exit 3", 100)[:2] == (3, "late\n"), "a moment is granted"
    for script in ("trap '' TERM INT; while :; do :; done", ORPHAN + "wait", ORPHAN + "exec sleep 1000"):
        status, said, seconds = limited(script, 1)
        assert status == 124 and "time limit of 1 s exceeded" in said and seconds < 150, (script, status, said)
        assert ("sleep 1000" in said) == ("sleep" in script), said
    status, said, _ = limited(ORPHAN + "exit 0", 100)
    assert status == 124 and "left these processes behind" in said and "sleep 1000" in said, (status, said)
    # Signals that somebody ignores are not ignored here.
    ignoring = ["bash", "-c", f"trap '' INT QUIT; {LIMITED} 100 bash -c 'kill -INT $$; echo ignored'"]
    assert subprocess.run(ignoring, stdout=subprocess.PIPE, check=False).stdout == b""


def check_module():
    done = limited_run.run(["sh", "-c", "echo said; exit 7"], stdout=subprocess.PIPE, text=True)
    assert (done.returncode, done.stdout) == (7, "said\n")
    try:
        limited_run.run(["sh", "-c", "sleep 1000 & wait"], seconds=1, stdout=subprocess.PIPE)
    except limited_run.TooLong as error:
        assert "time limit of 1 s exceeded: sh -c 'sleep 1000 & wait'" in str(error), error
    else:
        sys.exit("no limit")


check_script()
check_module()
