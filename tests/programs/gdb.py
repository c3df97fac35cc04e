#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Omnium's commands for gdb, with the real gdb in batch mode.

  tests/programs/gdb.py OMNIUM SOURCE

Python 3, standard library only.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
BANK = SOURCE / "examples/bank/bank.cpp"

# A clerk stops in the middle of two nested blocks, with two locks; main waits for it.
OFFICE = """
#include <pthread.h>
#include <unistd.h>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <omnium/atomic.h>
struct Drawer { long files[4]; };
struct Office { std::mutex door; Drawer drawers[2]; } office;
struct Lamp { std::shared_mutex knob; int light; };
extern "C" __attribute__((noinline)) void in_the_middle() { asm volatile(""); }
void file(long what, Lamp* lamp) {
  OMNIUM_ATOMIC("file");
  std::lock_guard guard(office.door);
  office.drawers[1].files[2] = what;
  OMNIUM_ATOMIC("look up");
  std::shared_lock light(lamp->knob);
  if (lamp->light == 0) in_the_middle();
}
int main(int argc, char**) {
  Lamp* lamp = new Lamp{};
  std::thread clerk([&] {
    pthread_setname_np(pthread_self(), "clerk");
    file(argc, lamp);
    while (argc > 1) sleep(1);
  });
  clerk.join();
}
"""


def expect(condition, *shown):
    if not condition:
        raise SystemExit("\n".join(map(str, shown)))


def run(*words, seconds=240):
    done = limited_run.run(list(map(str, words)), seconds=seconds, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def build(source, name):
    run(OMNIUM, "c++", "-std=c++20", "-g", "-O1", "-pthread", source, "-o", name)
    expect(os.path.exists(name), f"{name} was not built")
    return f"./{name}"


def has_lines(text, *lines):
    """Each of these stands somewhere after the one before."""
    at = 0
    for line in lines:
        found = text.find(line, at)
        expect(found >= 0, f"missing: {line}", "in:", text)
        at = found + len(line)


def stopped_where_it_is_found():
    program = build(BANK, "bank")
    said = run(OMNIUM, "gdb", "--batch", "--catch", "--ex", "run", "--ex", "info omnium", "--", program)
    has_lines(said, "Omnium has found a violation here", "write_balance", "account.balance = balance;",
              "1 finding so far:", "transfer (teller-1, bank.cpp:43) was not atomic; seen once",
              "teller-1 in transfer read savings.balance (bank.cpp:28),",
              "then teller-2 in deposit wrote it (bank.cpp:39)",
              "teller-2 in deposit wrote savings.balance (bank.cpp:39),",
              "then teller-1 in transfer wrote it (bank.cpp:33)",
              "  main (gdb's thread 1)", "in no atomic block", "holds no lock", "create        teller-1",
              "* teller-1 (gdb's thread 2)", "in block transfer, begun at bank.cpp:43: not atomic",
              "holds savings.mutex, taken at bank.cpp:32", "last events:", "read          savings.balance  bank.cpp:28",
              "lock          savings.mutex  bank.cpp:32")


def stopped_anywhere():
    pathlib.Path("office.cpp").write_text(OFFICE, encoding="utf-8")
    program = build("office.cpp", "office")
    said = run(OMNIUM, "gdb", "--batch", "--ex", "break in_the_middle", "--ex", "run", "--ex", "info omnium 3",
               "--ex", "frame", "--", program)
    has_lines(said, "No findings so far.", "* clerk", "in block file, begun at office.cpp:13\n",
              "in block look up, begun at office.cpp:16\n", "holds office.door, taken at office.cpp:14",
              "-byte allocation (office.cpp:21) for reading, taken at office.cpp:17", "last events:",
              "read-lock", "allocation (office.cpp:21)  office.cpp:17", "read", "allocation (office.cpp:21)  office.cpp:18",
              "#0  in_the_middle")
    said = run(OMNIUM, "gdb", "--batch", "--ex", "break in_the_middle", "--ex", "run", "--ex", "info omnium 9", "--", program)
    expect("write         office.drawers[1].files[2]  office.cpp:15" in said, said)


def without_symbols_of_the_runtime():
    """As a package has it: the library is stripped."""
    folder = OMNIUM.parent
    os.mkdir("runtime")
    for name in ["omnium_module.o", "omnium_gcc.specs", "libomnium_rt.so", "omnium_gdb.py", "libomnium_rt.so-gdb.py"]:
        shutil.copy(folder / name, "runtime")
    for name in ["omnium_assembler", "omnium_headers", "omnium_overlay"]:
        shutil.copytree(folder / name, f"runtime/{name}")
    subprocess.run(["strip", "--strip-all", "runtime/libomnium_rt.so"], check=True)
    os.environ["OMNIUM_RUNTIME_DIR"] = os.path.abspath("runtime")
    program = build(BANK, "stripped")
    # gdb loads the commands by itself if it may.
    may = f"add-auto-load-safe-path {os.path.abspath('runtime')}"
    said = run("gdb", "-nx", "-batch", "-iex", may, "-ex", "break deposit", "-ex", "run", "-ex", "info omnium",
               "-ex", "catch omnium", "-ex", "continue", "-ex", "info omnium", program)
    has_lines(said, "No findings so far.", "teller-1", "in block transfer, begun at bank.cpp:43",
              "last events:", "read          savings.balance  bank.cpp:28", "* teller-2",
              "Omnium has found a violation here", "1 finding so far:", "holds savings.mutex, taken at bank.cpp:32")
    del os.environ["OMNIUM_RUNTIME_DIR"]


def attached():
    with subprocess.Popen(["./office", "wait"]) as office:
        try:
            said = ""
            for _ in range(60):
                said = run(OMNIUM, "gdb", "--batch", "--pid", office.pid, "--ex", "info omnium")
                if "clerk" in said or "not permitted" in said:
                    break
            if "not permitted" in said:
                print("attaching is not allowed here: not tried")
                return
            has_lines(said, "No findings so far.", "clerk", "in no atomic block", "holds no lock")
        finally:
            office.send_signal(signal.SIGKILL)


def replayed():
    """A schedule of a hunt in gdb has the same commands."""
    said = run(OMNIUM, "hunt", "--time", "60", "--", "./bank")
    (schedule,) = sorted(pathlib.Path().glob("av-*.omh")) or [None]
    expect(schedule, said)
    pathlib.Path("commands").write_text("catch omnium\nrun\ninfo omnium\nkill\nquit\n", encoding="utf-8")
    with open("commands", encoding="utf-8") as commands:
        done = limited_run.run([str(OMNIUM), "replay", "--gdb", str(schedule)], seconds=240, stdin=commands,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    has_lines(done.stdout, "Omnium has found a violation here", "1 finding so far:", "transfer (teller-1")


def wrong_use():
    said = run(OMNIUM, "gdb", "--batch", "--ex", "info omnium", "--", "./bank")
    expect("The program is not being run." in said, said)
    said = run(OMNIUM, "gdb", "--batch", "--ex", "break main", "--ex", "run", "--ex", "info omnium many", "--", "./bank")
    expect("N is a number of events" in said, said)
    pathlib.Path("plain.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    subprocess.run(["cc", "-g", "plain.c", "-o", "plain"], check=True)
    said = run(OMNIUM, "gdb", "--batch", "--ex", "break main", "--ex", "run", "--ex", "info omnium", "--", "./plain")
    expect("was not built with `omnium c++`" in said, said)
    expect("missing argument: PROGRAM" in run(OMNIUM, "gdb"), "a program is needed")
    expect("--pid needs" in run(OMNIUM, "gdb", "--pid", "x"), "a number is needed")


def main():
    if shutil.which("gdb") is None:
        print("skipped: gdb is not installed")
        sys.exit(77)
    os.environ.update(DEBUGINFOD_URLS="", LC_ALL="C.UTF-8", COLUMNS="80")
    tests = [stopped_where_it_is_found, stopped_anywhere, without_symbols_of_the_runtime, attached, replayed, wrong_use]
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for test in tests:
            print(test.__name__, flush=True)
            test()
        os.chdir("/")
    print(f"{len(tests)} passed, 0 failed")


main()
