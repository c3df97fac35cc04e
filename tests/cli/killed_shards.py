#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""merged(shards) = whole, for any number of shards, in any order and tree, with workers killed or stopped at any moment and started again:

  killed_shards.py OMNIUM [SEED]

The list has traces twice, under several paths, and some that cannot be read.
"""
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
ROUNDS = 6
UNREADABLE = re.compile("wrong[^/]*$")
EFFORT = re.compile(r'"seconds":[0-9.e-]+,"peak_bytes":[0-9]+')


def run(*words):
    done = subprocess.run([OMNIUM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    if done.returncode not in (0, 66) and not (done.returncode == 2 and words[0] == "check"):  # some cannot be read
        sys.exit(f"{done.args}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def merged(*results):
    return EFFORT.sub("", run("merge", *results))


def shard_words(command, traces, part, parts, result):
    return [command, "--files-from", traces, "--shard", f"{part}/{parts}", "-f", "json", "-o", result]


def in_a_tree(folder, results, choice):
    """Merges some, then others with that, some of them twice."""
    left = list(results)
    for number in range(1000):
        if len(left) == 1:
            return merged(left[0])
        choice.shuffle(left)
        some = choice.randint(2, len(left))
        node = folder / f"node-{number}.json"
        run("merge", *left[:some], *left[:1], "-o", node)
        left = [node, *left[some:]]
    return ""


def one_round(folder, command, traces, whole, choice):
    parts = choice.randint(1, 9)
    results = [folder / f"{part}.json" for part in range(1, parts + 1)]
    for result in results:
        result.unlink(missing_ok=True)
    stopped = []
    for part in choice.sample(range(1, parts + 1), parts):
        words = shard_words(command, traces, part, parts, results[part - 1])
        if choice.random() < 0.7:  # a first try, killed or stopped somewhere
            sent = choice.choice([signal.SIGKILL, signal.SIGINT])
            with subprocess.Popen([OMNIUM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as worker:
                time.sleep(choice.uniform(0, 0.05))
                worker.send_signal(sent)
            if results[part - 1].exists():  # then it is whole, or says what is missing
                run("merge", results[part - 1])
            if results[part - 1].exists() and sent == signal.SIGINT:
                partial = results[part - 1].rename(folder / f"stopped-{part}.json")
                if tells_all(command, traces, part, parts, partial):
                    stopped.append(partial)
        run(*words)
        if choice.random() < 0.3:
            run(*words)  # a task that runs twice
    order = choice.sample(results, parts)
    for text in (merged(*order), in_a_tree(folder, order, choice), merged(*stopped, *order), in_a_tree(folder, [*order, *stopped], choice)):
        if text != whole:
            sys.exit(f"{command}: {parts} shards differ from the whole\n{text}\n{whole}")


def tells_all(command, traces, part, parts, result):
    """A stopped shard tells of each of its traces, also of those that were not read. True if all of these can be."""
    mine = traces.read_text(encoding="utf-8").splitlines()[part - 1::parts]
    found = [json.loads(line) for line in result.read_text(encoding="utf-8").splitlines()]
    paths = [it["trace"] if isinstance(it["trace"], str) else it["trace"]["path"] for it in found]
    if paths != [path for path in mine if path in paths]:
        sys.exit(f"{command}: the result is in another order than the list")
    for path in mine:
        if path not in paths and not UNREADABLE.search(path):
            sys.exit(f"{command}: a stopped shard says nothing of {path}")
    return not any(UNREADABLE.search(path) for path in paths)


def spoil(folder, paths, choice):
    """Some traces under several paths, and some that are none."""
    for number in range(3):
        link, copy = folder / f"link-{number}.omt", folder / f"copy-{number}.omt"
        link.symlink_to(choice.choice(paths))
        shutil.copy(choice.choice(paths), copy)
        paths += [link, copy, choice.choice(paths)]
    wrong = folder / "wrong.std"
    wrong.write_text("t1|rel(x)|a.cc:1\n", encoding="utf-8")
    loop = folder / "wrong-loop"
    loop.symlink_to(loop)
    paths += [wrong, loop, folder / "wrong-missing.omt"]
    choice.shuffle(paths)


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    print(f"seed {seed}")
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="omnium-shards-") as name:
        folder = pathlib.Path(name)
        paths = []
        for number in range(24):
            path = folder / f"{number}.omt"
            words = ["generate", choice.choice(["random", "locks", "atomics"]), "--events", choice.choice([300, 2000, 50_000]), "--seed", number,
                     "-o", path]
            run(*words, *(["--violate"] if choice.random() < 0.6 else []))
            paths.append(path)
        generated = list(paths)
        spoil(folder, paths, choice)
        traces = folder / "traces.txt"
        traces.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
        for command in ("check", "predict"):
            if command == "predict":  # of small ones
                small = [path for path in generated if path.stat().st_size < 20_000]
                traces.write_text("".join(f"{path}\n" for path in small), encoding="utf-8")
            run(command, "--files-from", traces, "-f", "json", "-o", folder / "whole.json")
            whole = merged(folder / "whole.json")
            for _ in range(ROUNDS if command == "check" else 2):
                one_round(folder, command, traces, whole, choice)


main()
