#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Random traces played as programs whose variables are single bytes of few words, and of words of their own.

  tests/programs/played_bytes.py OMNIUM [TRACES [FIRST_SEED]]

Blocks nest, so that a word has bytes that were accessed by several blocks of a thread, some of which have ended. `omnium run`
must refute the blocks that `omnium check` refutes in the trace, and agree about the whole."""
import json
import os
import pathlib
import random
import sys
import tempfile

import played_traces
from played_traces import limited_run

THREADS = ["T0", "T1", "T2"]
# What is in a block of T0 after one that is nested in it has ended: which times mean the same there? `rN` is a read of variable N, `|`
# changes the thread, `(b` begins a block.
EXACT = [
    "(a r0 (b (c r1 ) r0 | w0 w2 | r2 ) )",              # not those before the inner one of the open blocks began
    "| (o w2 | (a r0 (c r1 r2 ) r0 | w0 ) | )",          # not those before the open block of T1 arrived, in the nested one
    "| (o w2 | (a r0 (c r1 ) (e ) ar2 r0 | w0 ) | )",     # nor if it arrives when nobody has seen the current time yet
    "(a r0 (c r1 ) (e ) (d r0 | w0 w2 | r2 ) )",         # not those before a block that begins then
    "(a r0 (c r1 ) r1 | w1 w2 | r2 )",                   # those of the nested block
]


def random_trace(seed):
    """Events (thread, operation, object). Every block has a label of its own. Threads do several things in a row."""
    chance = random.Random(seed)
    events, open_blocks, blocks = [], {thread: [] for thread in THREADS}, 0
    thread, variables = THREADS[0], chance.choice([2, 4, 8])
    for _ in range(chance.randint(60, 200)):
        thread = chance.choice(THREADS) if chance.random() < 0.3 else thread
        kind = chance.choices(["r", "w", "begin", "end"], [8, 2, 4, 3])[0]
        if kind == "begin":
            blocks += 1
            events.append((thread, "begin", f"b{blocks}"))
            open_blocks[thread].append(blocks)
        elif kind != "end":
            events.append((thread, kind, str(chance.randrange(variables))))
        elif open_blocks[thread]:
            open_blocks[thread].pop()
            events.append((thread, "end", ""))
    return events + [(thread, "end", "") for thread in THREADS for _ in open_blocks[thread]]


def exact_trace(text):
    events, thread = [], 0
    for word in text.split():
        if word == "|":
            thread = 1 - thread
        else:
            kind = word.rstrip("0123456789")
            name = word[len(kind):]
            if word[0] in "()":
                kind, name = ("begin", word[1:]) if word[0] == "(" else ("end", "")
            events.append((THREADS[thread], kind, name))
    return events


def bytes_of_words(objects):
    """The variables are bytes beside each other."""
    return ["char bytes[16] __attribute__((aligned(16)));"] + [f"#define {name} bytes[{i + 1}]" for i, name in enumerate(objects)]


def result_of(omnium, command, output):
    done = limited_run.run([omnium, *command])
    if done.returncode not in (0, played_traces.VIOLATION_FOUND):
        raise SystemExit(f"{command}: status {done.returncode}\n{done.stderr}")
    found = json.loads(output.read_text())
    return found["serializable"], sorted({block["label"] for violation in found["violations"] for block in violation["refuted"]})


def play(omnium, title, events, scratch):
    """What is wrong with this trace's program, as texts."""
    trace, output = scratch / "trace.std", scratch / "result.json"
    trace.write_text("".join(f"{thread}|{kind}{f'({what})' if what else ''}|{i}\n" for i, (thread, kind, what) in enumerate(events)))
    expected = result_of(omnium, ["check", "-f", "json", "-o", output, "--all", trace], output)
    wrong = []
    for name, declare in [("bytes", bytes_of_words), ("words", played_traces.declarations_of)]:
        source, program = scratch / f"{name}.c", scratch / name
        source.write_text(played_traces.program_of(events, declare))
        limited_run.run([omnium, "cc", "-std=gnu2x", "-g", "-O1", source, "-o", program, "-pthread"], check=True)
        found = result_of(omnium, ["run", "--log", os.devnull, "-o", output, "--", program], output)
        if found != expected:
            wrong.append(f"{title}, {name}: {found}, not {expected}")
    return wrong


def main():
    omnium = os.path.abspath(sys.argv[1])
    traces, first = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((2, 40), (3, 1)))
    played = [(text, exact_trace(text)) for text in EXACT]
    played += [(f"seed {seed}", random_trace(seed)) for seed in range(first, first + traces)]
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [text for title, events in played for text in play(omnium, title, events, pathlib.Path(scratch))]
    print("\n".join([*wrong, f"{len(played)} traces, {len(wrong)} wrong answers"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
