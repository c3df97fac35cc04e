#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""`omnium hunt --corpus`: hunters that share what they know, some of them killed.

  tests/programs/corpus.py OMNIUM

Python 3, standard library only.
"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
FOUND = 66

# Two causes, and a pair of accesses that matters to nobody.
PROGRAM = """
#include <mutex>
#include <thread>
std::mutex mutex;
int balance = 100, stock = 7, last;
int look() { std::lock_guard lock(mutex); return balance; }
void put(int to) { std::lock_guard lock(mutex); balance = to; }
int count() { std::lock_guard lock(mutex); return stock; }
void set(int to) { std::lock_guard lock(mutex); stock = to; }
void withdraw(int amount) { put(look() - amount); }
void sell(int amount) { set(count() - amount); }
int main() {
  std::thread first([] { withdraw(10); sell(1); last = 1; }), second([] { withdraw(20); sell(2); last = 2; });
  first.join();
  second.join();
}
"""


def command(folder, *words):
    return [OMNIUM, "hunt", "--corpus", folder / "corpus", *words, "--", folder / "shop"]


def hunt(folder, *words, status=FOUND):
    done = limited_run.run(command(folder, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    if done.returncode != status:
        sys.exit(f"status {done.returncode} instead of {status}: {done.args}\n{done.stdout}\n{done.stderr}")
    return done


def expect(condition, what, done):
    if not condition:
        sys.exit(f"{what}\n{done.args}\n{done.stdout}\n{done.stderr}")


def runs_of(done):
    return int(re.search(r"in ([0-9]+) runs?, ", done.stderr).group(1))


def ground_of(folder):
    (ground,) = (folder / "corpus").iterdir()
    return ground


def causes(path):
    text = path.read_text(encoding="utf-8")
    return sorted({cause["id"] for line in text.splitlines() for cause in json.loads(line)["causes"]})


def kill_some(folder):
    """Hunters that are killed in the middle of whatever they do."""
    choice = random.Random(18)
    for _ in range(4):
        hunters = [subprocess.Popen(command(folder, "--time", "60"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
                                    start_new_session=True) for _ in range(2)]
        time.sleep(choice.uniform(0.02, 0.6))
        for hunter in hunters:
            os.killpg(hunter.pid, signal.SIGKILL)
            hunter.wait()


def one_after_the_other(folder):
    """The second hunter knows all that the first one has tried."""
    first = hunt(folder, "--way", "steer", "-f", "json", "-o", "first.json")
    ground = ground_of(folder)
    found = causes(folder / "first.json")
    expect(found, "nothing was found", first)
    expect(all((ground / f"{cause}.omh").is_file() for cause in found), "schedules are in the ground", first)
    expect(not list(folder.glob("*.omh")), "schedules are in the ground alone", first)
    # The first one stops when it has found something and no target is left; others go on with pairs of accesses. A recording in
    # which the threads came in another order may add a few.
    for _ in range(8):
        second = hunt(folder, "--way", "steer", "-f", "json", "-o", "second.json")
        expect(set(found) <= set(causes(folder / "second.json")), "it tells what is known", second)
        expect(not re.search("^  av-.*, seen in", second.stderr, re.MULTILINE) or set(causes(folder / "second.json")) > set(found),
               "what is known is not found again", second)
        found = causes(folder / "second.json")
        if runs_of(second) == 1:
            break
    expect(runs_of(second) == 1, "nothing is left to try in the end", second)
    expect(runs_of(first) > 5, "there was in the beginning", first)
    expect(all(f"known: {cause}, not seen here" in second.stderr for cause in found), "it says what is known", second)
    # A schedule of the ground is a schedule.
    again = limited_run.run([OMNIUM, "replay", ground / f"{found[0]}.omh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect(again.returncode == FOUND, "a replay", again)
    # The result of a hunter that knows everything adds nothing.
    for name, results in (("once", ["second.json"]), ("twice", ["first.json", "second.json"])):
        limited_run.run([OMNIUM, "merge", *results, "-o", f"{name}.json"], cwd=folder)
    counts = [{cause["id"]: cause["count"] for cause in json.loads((folder / f"{name}.json").read_text())["causes"]} for name in ("once", "twice")]
    expect(counts[0] == counts[1], f"merging counts each run once: {counts}", second)


def garbage(folder):
    """What cannot be read is ignored with a warning, and nothing else is lost."""
    ground = ground_of(folder)
    target = next(ground.glob("target-*"))
    text = target.read_bytes()
    target.write_bytes(text[:len(text) // 2])
    (ground / "run-0.json").write_text('{"engine": "reach", "causes": [')
    (ground / "serial-0").write_bytes(os.urandom(100))
    (ground / "failed-0").write_text("")
    (ground / "notes.txt").write_text("of a person")
    (ground / "target-folder").mkdir()
    done = hunt(folder, "--way", "steer")
    for name in (target.name, "run-0.json", "serial-0", "failed-0", "target-folder"):
        expect(re.search(f"warning: .*{name}.*: ignored", done.stderr), f"a warning about {name}", done)
    expect("notes.txt" not in done.stderr, "other files are no matter", done)
    for path in (target, ground / "run-0.json", ground / "serial-0", ground / "failed-0"):
        path.unlink()
    (ground / "target-folder").rmdir()


def together(folder):
    """Hunters at the same time, after some were killed: all know the same in the end."""
    kill_some(folder)
    hunters = [subprocess.Popen(command(folder, "--runs", "60", "-f", "json", "-o", f"hunter-{i}.json"), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, cwd=folder) for i in range(3)]
    for hunter in hunters:
        _, err = hunter.communicate(timeout=240)
        if hunter.returncode != FOUND or "warning" in err:
            sys.exit(f"hunter: status {hunter.returncode}\n{err}")
    last = hunt(folder, "--way", "steer", "-f", "json", "-o", "last.json")
    merged = set().union(*(causes(folder / f"hunter-{i}.json") for i in range(3)))
    expect(merged <= set(causes(folder / "last.json")), f"the last one knows {merged}", last)
    for path in ground_of(folder).glob("target-*"):
        expect(b"\n# sum " in path.read_bytes(), f"{path} is whole", last)


def main():
    with tempfile.TemporaryDirectory(prefix="omnium-corpus-") as name:
        folder = pathlib.Path(name)
        (folder / "shop.cpp").write_text(PROGRAM, encoding="utf-8")
        limited_run.run([OMNIUM, "c++", "-g", "-O1", "-pthread", "shop.cpp", "-o", "shop"], cwd=folder, check=True)
        one_after_the_other(folder)
        garbage(folder)
        for path in list(ground_of(folder).iterdir()):
            path.unlink()
        together(folder)


main()
