#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Traces played as programs: what they do, in their order, checked while it happens.

  tests/programs/played_traces.py OMNIUM tests/rich/traces

For each trace NAME.std, NAME.json has the answers for the four combinations of --conflicts and --waits. Traces with condition
waits are left out: nobody can force these."""
import itertools
import json
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import limited_run

VIOLATION_FOUND = 66
MODES = list(itertools.product(["data", "all"], ["split", "keep"]))
LINE = re.compile(r"([^|]+)\|(\w+)\(?([^)|]*)\)?\|")
# How an operation on an object is done. Every line of the program is another place, so that no load seems to be repeated.
OPERATIONS = {
    "r": "(void)*(volatile __typeof__({0})*)&{0};",
    "w": "*(volatile __typeof__({0})*)&{0} = 1;",
    "ar": "(void)__atomic_load_n(&{0}, __ATOMIC_SEQ_CST);",
    "aw": "__atomic_store_n(&{0}, 1, __ATOMIC_SEQ_CST);",
    "rmw": "__atomic_fetch_add(&{0}, 1, __ATOMIC_SEQ_CST);",
    "retry": "{{ __typeof__({0}) never = -1; __atomic_compare_exchange_n(&{0}, &never, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }}",
    "acq": "AnnotateRWLockAcquired(\"\", 0, (unsigned long)&{0}, 1);",
    "rel": "AnnotateRWLockReleased(\"\", 0, (unsigned long)&{0}, 1);",
    "racq": "AnnotateRWLockAcquired(\"\", 0, (unsigned long)&{0}, 0);",
    "rrel": "AnnotateRWLockReleased(\"\", 0, (unsigned long)&{0}, 0);",
    "signal": "AnnotateHappensBefore(\"\", 0, (unsigned long)&{0});",
    "await": "AnnotateHappensAfter(\"\", 0, (unsigned long)&{0});",
    "fork": "pthread_create(&thread_{0}, 0, run_{0}, 0);",
    "join": "pthread_join(thread_{0}, 0);",
    "begin": "omnium_begin(\"{0}\");",
    "end": "omnium_end();",
}
KINDS = {"r": "x", "w": "x", "ar": "x", "aw": "x", "rmw": "x", "retry": "x", "acq": "l", "rel": "l", "racq": "l", "rrel": "l",
         "signal": "c", "await": "c"}


def read(path):
    events = [LINE.match(line).groups() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return None if any(kind in ("wait", "resume", "busy") for _, kind, _ in events) else events


def name_of(kind, what):
    return f"{KINDS[kind]}_{what}" if kind in KINDS else what


def declarations_of(objects):
    return [f"long {name} __attribute__((aligned(64)));" for name in objects]


def program_of(events, declare=declarations_of):
    threads = list(dict.fromkeys([thread for thread, _, _ in events] +
                                 [what for _, kind, what in events if kind in ("fork", "join")]))
    forked = {what for _, kind, what in events if kind == "fork"}
    joined = {what for _, kind, what in events if kind == "join"}
    objects = sorted({name_of(kind, what) for _, kind, what in events if kind in KINDS})
    text = ['#include <pthread.h>', f'#include "{ROOT}/examples/shapes/turns.h"']
    for function in ("AnnotateRWLockAcquired", "AnnotateRWLockReleased"):
        text.append(f"void {function}(const char*, int, unsigned long, unsigned long);")
    for function in ("AnnotateHappensBefore", "AnnotateHappensAfter"):
        text.append(f"void {function}(const char*, int, unsigned long);")
    text += declare(objects)
    for thread in threads:
        text += [f"pthread_t thread_{thread};", f"void* run_{thread}(void*);"]
    for thread in threads:
        text.append(f"void* run_{thread}(void* nothing) {{")
        for i, (who, kind, what) in enumerate(events):
            if who == thread:
                text += [f"  turn({2 * i + 1});", "  " + OPERATIONS[kind].format(name_of(kind, what)), f"  turn({2 * i + 2});"]
        text.append("  return nothing;\n}")
    text.append("int main() {")
    text += [f"  pthread_create(&thread_{thread}, 0, run_{thread}, 0);" for thread in threads if thread not in forked]
    text += [f"  pthread_join(thread_{thread}, 0);" for thread in threads if thread not in joined]
    return "\n".join(text + ["}", ""])


def play(omnium, path, scratch):
    """The combinations that have another answer than the trace's; None if it cannot be played."""
    events = read(path)
    if events is None:
        return None
    source, program = scratch / f"{path.stem}.c", scratch / path.stem
    source.write_text(program_of(events))
    limited_run.run([omnium, "cc", "-std=gnu2x", "-g", "-O1", source, "-o", program, "-pthread"], check=True)
    wrong = []
    answers = json.loads(path.with_suffix(".json").read_text())
    for conflicts, waits in MODES:
        expected = 0 if answers[f"{conflicts} {waits}"]["serializable"] else VIOLATION_FOUND
        done = limited_run.run([omnium, "run", "--conflicts", conflicts, "--waits", waits, "--log", os.devnull, "--", program])
        if done.returncode != expected:
            wrong.append(f"{path.name}, {conflicts} {waits}: status {done.returncode}, not {expected}")
    return wrong


def main():
    omnium, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        played = [play(omnium, path, pathlib.Path(scratch)) for path in sorted(folder.glob("*.std"))]
    wrong = [text for result in played if result for text in result]
    print("\n".join(wrong + [f"{sum(result is not None for result in played)} of {len(played)} traces played, {len(wrong)} wrong answers"]))
    return 1 if wrong or not any(result is not None for result in played) else 0


if __name__ == "__main__":
    sys.exit(main())
