# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""subprocess.run with a limit that holds: what the command has started is killed with it, so that nobody is left
who keeps its output open."""
import os
import shlex
import signal
import subprocess


class TooLong(Exception):
    pass


def run(command, seconds=240, check=False, before_kill=None, **options):
    """`before_kill` is called with the number of the session if the limit is exceeded."""
    with subprocess.Popen([str(word) for word in command], start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException as error:
            if before_kill is not None and isinstance(error, subprocess.TimeoutExpired):
                before_kill(process.pid)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise TooLong(f"time limit of {seconds} s exceeded: {shlex.join(map(str, command))}") from None
            raise
    done = subprocess.CompletedProcess(process.args, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done
