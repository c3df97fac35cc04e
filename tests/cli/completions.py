#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The completions in the real shells: completions.py OMNIUM

bash and zsh run in a terminal: a line and a tab are typed, then the line is printed. fish lists what it
would offer.
"""
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time

SECONDS = 60
# What is typed before the tab, and what it becomes: there is one way to go on.
CASES = {
    "omnium ch": "omnium check",
    "omnium check --engi": "omnium check --engine",
    "omnium check -e aerodrome-": "omnium check -e aerodrome-basic",
    "omnium check --engine davi": "omnium check --engine davida",
    "omnium check -f htm": "omnium check -f html",
    "omnium check -f mark": "omnium check -f markdown",
    "omnium run --blocks ann": "omnium run --blocks annotated",
    "omnium predict -m redu": "omnium predict -m reduction",
    "omnium predict --atomicity vi": "omnium predict --atomicity view",
    "omnium check --conflicts da": "omnium check --conflicts data",
    "omnium hunt --way noi": "omnium hunt --way noise",
    "omnium generate longt": "omnium generate longtx",
    "omnium help tuto": "omnium help tutorial",
    "omnium info only_t": "omnium info only_trace.std",
    "omnium check -s only_s": "omnium check -s only_spec.txt",
    "omnium check only_trace.std --not-atomic tran": "omnium check only_trace.std --not-atomic transfer",
}


class Terminal:
    """A shell in a terminal of its own."""

    def __init__(self, words, folder, environment):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.said = ""

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def wait_for(self, text):
        end = time.monotonic() + SECONDS
        while text not in self.said:
            ready, _, _ = select.select([self.descriptor], [], [], max(0, end - time.monotonic()))
            if not ready:
                sys.exit(f"no {text!r} in {self.said!r}")
            self.said += os.read(self.descriptor, 4096).decode(errors="replace")

    def close(self):
        self.type("\x15exit\n")
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and os.waitpid(self.process, os.WNOHANG) == (0, 0):
            if select.select([self.descriptor], [], [], 0.05)[0]:
                try:
                    os.read(self.descriptor, 4096)
                except OSError:
                    pass
        os.close(self.descriptor)


def check_terminal(shell, words, start, folder, environment):
    terminal = Terminal(words, folder, environment)
    terminal.type(start + "\n")
    terminal.type("echo rea''dy\n")
    terminal.wait_for("\nready")
    for number, (typed, wanted) in enumerate(CASES.items()):
        # The line becomes an argument of echo, with a mark that the echo of the keys does not have.
        terminal.type(typed + "\t")
        time.sleep(0.05)
        terminal.type(f"\x01echo ma''rk{number}: \n")
        terminal.wait_for(f"\nmark{number}: {wanted}")
    terminal.close()
    print(f"{shell}: {len(CASES)} completed")


def check_fish(script, folder, environment):
    for typed, wanted in CASES.items():
        ran = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'"], cwd=folder, env=environment,
                             capture_output=True, text=True, timeout=SECONDS, check=True)
        offered = [line.split("\t")[0] for line in ran.stdout.splitlines()]
        if offered != [wanted.split()[-1]]:
            sys.exit(f"fish: {typed}: {offered}\n{ran.stderr}")
    print(f"fish: {len(CASES)} completed")


def main():
    omnium = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = folder / "files"
        files.mkdir()
        for file in ("only_trace.std", "only_spec.txt"):
            (files / file).touch()
        (files / "only_trace.std").write_text("a|begin(transfer)|-\na|end(transfer)|-\na|begin(deposit)|-\n", encoding="utf-8")
        environment = dict(os.environ, PATH=f"{omnium.parent}:{os.environ['PATH']}", TERM="dumb", HOME=str(folder), PS1="$ ")
        environment.pop("INPUTRC", None)
        functions = folder / "functions"
        functions.mkdir()
        for shell, file in (("bash", "omnium.bash"), ("zsh", "functions/_omnium"), ("fish", "omnium.fish")):
            script = subprocess.run([omnium, "help", "--completion", shell], capture_output=True, timeout=SECONDS, check=True).stdout
            (folder / file).write_bytes(script)
        check_terminal("bash", ["bash", "--norc", "--noprofile", "-i"],
                       f"bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; source {folder}/omnium.bash", files, environment)
        check_terminal("zsh", ["zsh", "-f", "-i"], f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e", files,
                       environment)
        # As people do who do not install it.
        check_terminal("zsh, sourced", ["zsh", "-f", "-i"],
                       f"autoload -Uz compinit; compinit -u -D; bindkey -e; source {functions}/_omnium", files, environment)
        check_fish(folder / "omnium.fish", files, environment)


main()
