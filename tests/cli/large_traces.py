#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""One large trace: two threads say what one says, memory stays flat, progress is shown: large_traces.py OMNIUM

Python 3, standard library only.
"""
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
SECONDS = 240
EVENTS = "600K"  # a second thread begins to read after 262,144
VARYING = re.compile(r'"seconds":[0-9.e-]+|"peak_bytes":[0-9]+|"seconds_to_first":[0-9.e-]+')


def run(words, **options):
    return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False,
                          **options)


def expect(condition, what, *details):
    if not condition:
        sys.exit("\n".join([what, *map(str, details)]))


def answer(words):
    done = run([OMNIUM, *words])
    return done.returncode, VARYING.sub("", done.stdout), done.stderr


def same(words, status):
    """-j 1 is one thread."""
    one, two = answer([*words, "-j", "1"]), answer(words)
    expect(one == two, f"two threads say something else: {words}", one, two)
    expect(one[0] == status, f"status {one[0]} instead of {status}: {words}", one)
    return one


def made(folder, family, name, *words):
    path = folder / name
    done = run([OMNIUM, "generate", family, "--events", EVENTS, "-o", path, *words])
    expect(done.returncode == 0, "generate", done.stderr)
    return path


def two_threads_say_the_same(folder):
    (folder / "some.spec").write_text("not-atomic *1\nnot-atomic t*\n", encoding="utf-8")
    for number, family in enumerate(["locks", "longtx", "random", "atomics", "waits", "forkjoin"]):
        violates = ["--violate"] if number % 2 == 0 else []
        for extension in ("omt", "std"):
            path = made(folder, family, f"{family}.{extension}", *violates)
            status = 66 if violates else run([OMNIUM, "check", "-j", "1", path]).returncode
            same(["check", "-f", "json", path], status)
        same(["check", "-f", "json", "--conflicts", "all", path], run([OMNIUM, "check", "-j", "1", "--conflicts", "all", path]).returncode)
        same(["check", "--all", "-e", "velodrome", path], run([OMNIUM, "check", "-j", "1", "-e", "velodrome", path]).returncode)
        same(["check", "-f", "json", "-s", folder / "some.spec", path],
             run([OMNIUM, "check", "-j", "1", "-s", folder / "some.spec", path]).returncode)
        one, two = (answer(["refine", "-o", folder / "new.spec", path, *jobs]) for jobs in ([], ["-j", "1"]))
        expect(one == two, "refine", one, two)


def what_is_wrong_is_told_at_its_place(folder):
    path = made(folder, "locks", "wrong.std")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for at in (1000, 400_000, len(lines) - 1):
        for wrong in ("t0|rel(never)|a.cc:1\n", "t0|what(x)|a.cc:1\n", "nothing\n"):
            path.write_text("".join([*lines[:at], wrong, *lines[at:]]), encoding="utf-8")
            _, _, err = same(["check", path], 2)
            expect(f":{at + 1}:" in err, f"line {at + 1}", err)
    path.write_text("".join(lines), encoding="utf-8")
    omt = folder / "wrong.omt"
    expect(run([OMNIUM, "convert", path, omt]).returncode == 0, "convert")
    whole = omt.read_bytes()
    omt.write_bytes(whole[:len(whole) * 3 // 4])
    _, _, err = same(["check", omt], 0)
    expect("truncated after" in err, "truncated", err)
    omt.write_bytes(whole[:len(whole) * 3 // 4] + b"\0" * 100 + whole[len(whole) * 3 // 4 + 100:])
    _, _, err = same(["check", omt], 2)
    expect("damaged" in err, "damaged", err)


def interrupted_in_the_middle(folder):
    """From a pipe that stays open, when the second thread reads."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    violation = "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n"
    filler = "t3|begin(loop)|c.cc:1\nt3|r(y)|c.cc:2\nt3|end(loop)|c.cc:3\n" * 200_000
    with subprocess.Popen([OMNIUM, "check", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with open(pipe, "w", encoding="utf-8") as writer:
            writer.write(violation + filler)
            writer.flush()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=SECONDS)
    expect(process.returncode == 66, f"status {process.returncode}", out, err)
    expect("stopped after" in err and "inc" in out, "what was found so far", out, err)


def memory_stays_flat(folder):
    """From a pipe: the copy for a second look is a file, not memory."""
    peaks = []
    for events in ("2M", "20M"):
        command = f"'{OMNIUM}' generate locks --events {events} --to omt -o - | TMPDIR='{folder}' '{OMNIUM}' check -f json -"
        done = run(["sh", "-c", command])
        expect(done.returncode == 0, "from a pipe", done.stderr)
        peaks.append(int(re.search(r'"peak_bytes":([0-9]+)', done.stdout).group(1)))
    expect(peaks[1] < peaks[0] + (2 << 20), f"memory grows with the trace: {peaks}")


def no_room():
    """Files may have 1 MB, and the signal about that is no end."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def no_room_for_a_copy(folder):
    """The first look at a pipe does not need the copy; what only a second look can tell is missing."""
    for extension in ("omt", "std"):
        path = made(folder, "locks", f"violated.{extension}", "--violate")
        for jobs in ([], ["-j", "1"]):
            with open(path, "rb") as trace:
                with subprocess.Popen(["cat"], stdin=trace, stdout=subprocess.PIPE) as pipe:
                    done = run([OMNIUM, "check", *jobs, "-"], stdin=pipe.stdout, preexec_fn=no_room, env={**os.environ, "TMPDIR": str(folder)})
            expect(done.returncode == 66, f"status {done.returncode}", done.stdout, done.stderr)
            expect("could not be read a second time" in " ".join(done.stdout.split()), "says what is missing", done.stdout, done.stderr)


def progress_is_shown(folder):
    """On a terminal: events, rate, percent and time left; elsewhere nothing."""
    path = folder / "long.omt"
    expect(run([OMNIUM, "generate", "locks", "--events", "30M", "-o", path]).returncode == 0, "generate")
    words = [OMNIUM, "convert", "--to", "std", path, "/dev/null"]
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(words, stderr=theirs) as process:
        os.close(theirs)
        while True:
            try:
                some = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not some:
                break
            shown += some
    os.close(ours)
    text = shown.decode()
    expect(re.search(r"long\.omt: [0-9]+M events, [0-9.]+M/s, [0-9]+%, [0-9]+ (s|min) left", text), "no progress line", text)
    expect(text.endswith("\r\x1b[K"), "the line is erased at the end", text[-40:])
    short = run([OMNIUM, "convert", "--to", "std", made(folder, "locks", "short.omt"), "/dev/null"])
    expect(short.stderr == "", "no terminal, no progress line", short.stderr)


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory(prefix="omnium-large-") as name:
        folder = pathlib.Path(name)
        two_threads_say_the_same(folder)
        what_is_wrong_is_told_at_its_place(folder)
        interrupted_in_the_middle(folder)
        memory_stays_flat(folder)
        no_room_for_a_copy(folder)
        progress_is_shown(folder)


main()
