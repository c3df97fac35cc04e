#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Nothing of one trace is left when the next one is checked: many traces in one process say what each says alone:

  many_traces.py OMNIUM [SEED]

Traces of all families and sizes, in any order, some of them twice, and files that are none or are damaged among them; with every engine, on one
thread and on several. Python 3, standard library only.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
FAMILIES = ["locks", "private", "readshared", "longtx", "pipeline", "chain", "star", "forkjoin", "random", "atomics", "waits"]
ENGINES = [["-e", name] for name in ("reach", "velodrome", "aerodrome", "aerodrome-basic", "davida", "conflict-graph", "summary-graph")]
VARIANTS = [*ENGINES, ["-e", "velodrome", "--no-merge"], ["--conflicts", "all", "--waits", "keep"], ["--not-atomic", "*1"], ["--all"], ["--first"]]
VARYING = re.compile(r'"seconds":[0-9.e-]+|"peak_bytes":[0-9]+|"seconds_to_first":[0-9.e-]+')
# One name for everything, as long as an interner stores in place and longer; the same ids mean other things in the next trace.
RENAMED = {"x0": "m0", "m1": "x1", "T0": "T1", "T1": "T0", "x2": "a_name_of_more_than_sixteen_bytes", "x3": "a_name_of_more_than_sixteen_byteS"}


def run(*words):
    done = subprocess.run([OMNIUM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200, check=False)
    said = [line for line in done.stderr.decode(errors="backslashreplace").splitlines() if "matches no block" not in line]  # that is about all traces
    return done.returncode, VARYING.sub("", done.stdout.decode()).splitlines(), said


def made(folder, number, choice):
    path = folder / f"{number}.{choice.choice(['omt', 'std', 'omt', 'std', 'csv'])}"
    family = choice.choice(FAMILIES[:9] if path.suffix == ".csv" else FAMILIES)
    words = ["generate", family, "--events", choice.choice([200, 1000, 3000]), "--seed", choice.randrange(1000), "--threads",
             choice.choice([3, 8, 40]), "--variables", choice.choice([100, 500]), "--locks", choice.choice([1, 16]), "-o", path]
    status, _, said = run(*words, *(["--violate"] if choice.random() < 0.5 else []))
    if status != 0:
        sys.exit(f"{words}: status {status}, {said}")
    if path.suffix == ".std" and choice.random() < 0.5:
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\b[xmT]\d\b", lambda it: RENAMED.get(it.group(), it.group()), text), encoding="utf-8")
    return path


def spoilt(folder, path, number, choice):
    """A copy that is cut off, damaged, or wrong somewhere."""
    whole = path.read_bytes()
    at = choice.randrange(len(whole))
    out = folder / f"spoilt-{number}{path.suffix}"
    kind = choice.randrange(3)
    if kind == 0:
        out.write_bytes(whole[:at])
    elif kind == 1:
        out.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << choice.randrange(8)]) + whole[at + 1:])
    else:
        lines = whole.splitlines(keepends=True)
        at = choice.randrange(len(lines))
        wrong = choice.choice([b"T0|rel(never)|a.cc:1\n", b"T0|what(x)|a.cc:1\n", b"nothing\n", b"T1|end|\n", b"T0|join(T1)|\n"])
        out.write_bytes(b"".join([*lines[:at], wrong, *lines[at:]]))
    return out


def many(folder, choice):
    paths = [made(folder, number, choice) for number in range(24)]
    paths += [spoilt(folder, choice.choice(paths), number, choice) for number in range(12)]
    for name, content in (("empty.std", b""), ("comment.std", b"# nothing\n"), ("noise.omt", b"\x89OMT\r\n\x1a\n" + bytes(40)), ("result.json", b'{"tool":"omnium"}\n')):
        (folder / name).write_bytes(content)
        paths.append(folder / name)
    return [*paths, folder, folder / "missing.omt"]


def same_ids(paths):
    """A trace has the same id whoever reads it, and however."""
    for path in paths:
        ids = [re.findall(r'"run_id":"([0-9a-f]{32})"', "".join(run(*words, "-f", "json", path)[1])) for words in (["check"], ["predict", "--budget", "1"])]
        if ids[0] and ids[1] and ids[0] != ids[1]:
            sys.exit(f"{path}: check names the run {ids[0]}, and predict {ids[1]}")


def difference(got, expected):
    for a, b in zip(got, expected):
        if a != b:
            return f"is:        {a[:2000]}\nexpected:  {b[:2000]}"
    return f"{len(got)} lines instead of {len(expected)}"


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    print(f"seed {seed}")
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="omnium-many-") as name:
        folder = pathlib.Path(name)
        paths = many(folder, choice)
        same_ids(paths)
        statuses = set()
        for words in VARIANTS:
            stats = ["--stats"] if choice.random() < 0.8 else []
            alone = {path: run("check", "-f", "json", *words, *stats, path) for path in paths}
            for jobs in (1, 1, 2, 3):
                order = choice.choices(paths, k=len(paths)) + choice.sample(paths, len(paths))
                traces = folder / "traces.txt"
                traces.write_text("".join(f"{path}\n" for path in order), encoding="utf-8")
                status, out, err = run("check", "-f", "json", "-j", jobs, *words, *stats, "--files-from", traces)
                for what, got, number in (("results", out, 1), ("messages", err, 2)):
                    expected = [line for path in order for line in alone[path][number]]
                    if got != expected:
                        sys.exit(f"{words}, {jobs} jobs, {what}: {difference(got, expected)}")
                statuses |= {result[0] for result in alone.values()}
                if status != 2:
                    sys.exit(f"{words}: status {status}, and some traces cannot be read")
        if statuses != {0, 2, 66}:
            sys.exit(f"traces of every kind are needed: {statuses}")


main()
