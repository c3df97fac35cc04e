#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""`omnium hunt` and `omnium replay` with small programs whose ordinary runs show nothing.

  tests/programs/hunt.py OMNIUM

Python 3, standard library only.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

OMNIUM = pathlib.Path(sys.argv[1]).resolve()
FOUND = 66

WITHDRAW = """
#include <mutex>
#include <thread>
std::mutex mutex;
int balance = 100;
int look() { std::lock_guard lock(mutex); return balance; }
void put(int to) { std::lock_guard lock(mutex); balance = to; }
#ifdef FIXED
void withdraw(int amount) { std::lock_guard lock(mutex); balance -= amount; }
#else
void withdraw(int amount) { put(look() - amount); }
#endif
int main() {
  std::thread first([] { withdraw(10); }), second([] { withdraw(20); });
  first.join();
  second.join();
}
"""

# What is wrong is in a library that the program loads while it runs.
LOADED = """
#include <mutex>
std::mutex mutex;
int balance = 100;
extern "C" void withdraw(int amount) {
  std::unique_lock lock(mutex);
  const int seen = balance;
#ifndef FIXED
  lock.unlock();
  lock.lock();
#endif
  balance = seen - amount;
}
"""
LOADER = """
#include <dlfcn.h>
#include <thread>
int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) return 1;
  auto* withdraw = reinterpret_cast<void (*)(int)>(dlsym(library, "withdraw"));
  std::thread first([=] { withdraw(10); }), second([=] { withdraw(20); });
  first.join();
  second.join();
}
"""

# Each takes its locks in its own order.
CROSSED = """
#include <mutex>
#include <thread>
std::mutex left, right;
void meet(std::mutex& first, std::mutex& then) {
  std::lock_guard outer(first);
  std::lock_guard inner(then);
}
int main() {
  std::thread other([] { meet(left, right); });
#ifdef FIXED
  meet(left, right);
#else
  meet(right, left);
#endif
  other.join();
}
"""

# Reads all that there is, and leaves two processes behind that sleep: a child, and a daemon.
READER = """
#include <cstdio>
#include <thread>
#include <unistd.h>
int main() {
  std::thread([] {}).join();
  while (std::getchar() != EOF) {}
  for (int daemon = 0; daemon < 2; ++daemon) {
    if (fork() != 0) continue;
    if (daemon != 0) setsid();
    sleep(1000);
    _exit(0);
  }
}
"""

# Forks while threads are stopped, and handles signals in between.
FORKING = """
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
std::mutex mutex;
int balance = 100;
thread_local volatile int ticks;
int look() { std::lock_guard lock(mutex); return balance; }
void put(int to) { std::lock_guard lock(mutex); balance = to; }
void withdraw(int amount) { put(look() - amount); }
void tick(int) { ticks = ticks + 1; }
int main() {
  signal(SIGALRM, tick);
  ualarm(300, 300);
  std::thread first([] { withdraw(10); }), second([] { withdraw(20); });
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int j = 0; j < 100; ++j) balance = balance + 1;
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    if (status != 0) abort();
  }
  first.join();
  second.join();
}
"""

# All that can block a thread, or leave it anywhere: nothing is wrong, and every run ends.
BLOCKING = """
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <latch>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <omnium/atomic.h>
std::mutex mutex;
std::shared_mutex shared;
std::condition_variable changed;
std::atomic<int> done{0};
std::atomic<bool> stop{false};
int total;
struct AtEnd { ~AtEnd() { std::lock_guard lock(mutex); ++total; } int used = 0; };
thread_local AtEnd at_end;
void* wait_for_ever(void*) { for (;;) pause(); }
void tick(int) { (void)done.load(); }
void pipes() {
  int ends[2];
  if (pipe(ends) != 0) abort();
  std::thread reader([&] { char c = 0; if (read(ends[0], &c, 1) != 1) abort(); done++; });
  std::thread writer([&] { usleep(500); if (write(ends[1], "x", 1) != 1) abort(); done++; });
  reader.join();
  writer.join();
}
void waits() {
  std::unique_lock lock(mutex);
  changed.wait_for(lock, std::chrono::milliseconds(2), [] { return false; });
  lock.unlock();
  std::thread waiter([] {
    std::unique_lock own(mutex);
    changed.wait(own, [] { return total > 0; });
  });
  { std::lock_guard own(mutex); ++total; }
  changed.notify_all();
  waiter.join();
}
void meetings() {
  std::barrier together(2);
  std::latch both(2);
  pthread_barrier_t old;
  pthread_barrier_init(&old, nullptr, 2);
  sem_t tokens;
  sem_init(&tokens, 0, 0);
  std::thread other([&] {
    together.arrive_and_wait();
    both.count_down();
    pthread_barrier_wait(&old);
    sem_post(&tokens);
    std::shared_lock reads(shared);
  });
  together.arrive_and_wait();
  both.arrive_and_wait();
  pthread_barrier_wait(&old);
  while (sem_wait(&tokens) != 0) {}
  { std::unique_lock writes(shared); }
  other.join();
}
int main() {
  signal(SIGALRM, tick);
  ualarm(700, 700);
  std::thread spinner([] { while (!stop) {} });
  std::thread local([] { at_end.used = 1; });
  pthread_t cancelled;
  pthread_create(&cancelled, nullptr, wait_for_ever, nullptr);
  pipes();
  waits();
  meetings();
  if (void* math = dlopen("libm.so.6", RTLD_NOW)) dlclose(math);
  if (const pid_t child = fork(); child == 0) {
    std::lock_guard lock(mutex);
    _exit(0);
  } else {
    while (waitpid(child, nullptr, 0) < 0) {}
  }
  pthread_cancel(cancelled);
  pthread_join(cancelled, nullptr);
  stop = true;
  spinner.join();
  local.join();
  std::thread([] { OMNIUM_ATOMIC("add"); std::lock_guard lock(mutex); ++total; }).detach();
  std::thread([] { for (;;) { std::lock_guard lock(mutex); ++total; } }).detach();
  for (int i = 0; i < 5; ++i) sched_yield();
  _exit(0);
}
"""

ENDLESS = """
#include <atomic>
#include <thread>
std::atomic<bool> stop;
int main() { std::thread([] { while (!stop) std::this_thread::yield(); }).join(); }
"""

CRASHING = """
#include <thread>
int main() { std::thread([] { __builtin_trap(); }).join(); }
"""


# The buffer is freed while the other thread may still use it, or twice. Without a look at freed memory nothing is seen.
FREED = """
#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex mutex;
int* buffer = static_cast<int*>(std::malloc(64));
volatile int seen;
void use() {
#ifdef FIXED
  std::lock_guard lock(mutex);
  if (buffer != nullptr) seen = *buffer;
#else
  int* mine;
  { std::lock_guard lock(mutex); mine = buffer; }
  if (mine != nullptr) seen = *mine;
#endif
}
void drop() {
  std::lock_guard lock(mutex);
  std::free(buffer);
  buffer = nullptr;
}
int main() {
  std::thread first(use), second(drop);
  first.join();
  second.join();
}
"""

# No block is declared, and no function is one: the thread's own function is not atomic.
PLAIN_RACE = """
#include <cassert>
#include <pthread.h>
int count;
void* add(void*) { const int seen = count; count = seen + 1; return nullptr; }
int main() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, add, nullptr);
  for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  assert(count == 2);
}
"""

# Gives up after some hours, though the other thread may be slow; shows what clocks and random numbers say.
SLEEPER = """
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>
std::mutex mutex;
std::condition_variable changed;
bool done;
using namespace std::chrono_literals;
int main() {
  std::printf("date %ld random %u\\n", static_cast<long>(time(nullptr)), std::random_device()());
  std::thread other([] {
    std::this_thread::sleep_for(2h);
    std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  const auto begin = std::chrono::steady_clock::now();
  bool in_time;
  {
    std::unique_lock lock(mutex);
    in_time = changed.wait_for(lock, 150min, [] { return done; });
  }
  const auto waited = std::chrono::steady_clock::now() - begin;
  other.join();
  if (waited < 1h || waited > 3h) return 5;
  return in_time ? 0 : 4;
}
"""


TURNS = """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int numbers[2] = {1, 1};
void add(int own) {
  for (int i = 0; i < 9; ++i) {
    std::lock_guard lock(mutex);
    numbers[own] += numbers[1 - own];
  }
}
int main() {
  std::thread first(add, 0), second(add, 1);
  first.join();
  second.join();
  assert(numbers[0] < 6765 && numbers[1] < 6765);
}
"""

ROUND_TABLE = """
#include <mutex>
#include <thread>
#include <vector>
constexpr int kSeats = 16;
std::mutex forks[kSeats];
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kSeats; ++i) {
    threads.emplace_back([i] {
      std::lock_guard left(forks[i]);
      std::lock_guard right(forks[(i + 1) % kSeats]);
    });
  }
  for (auto& thread : threads) thread.join();
}
"""

SPINNING = """
#include <cassert>
#include <thread>
volatile int ready, value, seen;
int main() {
  std::thread second([] {
    while (ready == 0) {
    }
    assert(value == 42);
    seen = 1;
  });
  std::thread first([] {
    ready = 1;
    value = 42;
    while (seen == 0) {
    }
  });
  first.join();
  second.join();
}
"""

SPUN_FOR = """
#include <atomic>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance = 100;
std::atomic<int> done{0};
int look() { std::lock_guard lock(mutex); return balance; }
void put(int to) { std::lock_guard lock(mutex); balance = to; }
void withdraw(int amount) { put(look() - amount); }
int main() {
  std::thread first([] { withdraw(10); done = 1; });
  std::thread second([] {
    while (done == 0) {
    }
    withdraw(20);
  });
  first.join();
  second.join();
}
"""


def build(source, name, *flags):
    pathlib.Path(f"{name}.cpp").write_text(source, encoding="utf-8")
    limited_run.run([OMNIUM, "c++", "-g", "-O1", "-pthread", *flags, f"{name}.cpp", "-o", name], check=True)
    return f"./{name}"


def omnium(*words):
    """Exit status and what was said."""
    done = limited_run.run([OMNIUM, *words], seconds=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def schedules():
    return sorted(str(path) for path in pathlib.Path().glob("*.omh"))


def expect(condition, *shown):
    if not condition:
        raise SystemExit("\n".join(map(str, shown)))


def replayed(schedule, times, *options):
    """What was said. In all replays just what the schedule is about has happened: something else is not enough."""
    (cause,) = re.findall("^cause (.*)$", pathlib.Path(schedule).read_text(encoding="utf-8"), re.M)
    status, said = omnium("replay", "--times", str(times), *options, schedule)
    again = re.search(rf"^{cause}( \(.*\))?: happened in {times} of {times} runs$", said, re.M)
    expect(status == FOUND and again and "something else" not in said, status, said)
    return said


def steered_and_replayed():
    program = build(WITHDRAW, "withdraw")
    status, said = omnium("hunt", "--time", "60", "-f", "json", "-o", "found.json", "--", program)
    expect(status == FOUND and "lost update on balance" in said, status, said)
    (cause,) = json.loads(pathlib.Path("found.json").read_text(encoding="utf-8"))["causes"]
    expect("omnium replay" in cause["found_by"], cause["found_by"])
    expect("omnium replay" in " ".join(omnium("report", "found.json")[1].split()), "stored results say how to run it again")
    expect("steered, again in 5 of 5 replays" in " ".join(said.split()), said)
    (schedule,) = schedules()
    expect(re.fullmatch(r"av-[0-9a-f]{8}\.omh", schedule), schedule)
    # Steps leave all else to chance. What is kept is one switch of a serial run by them.
    text = pathlib.Path(schedule).read_text(encoding="utf-8")
    expect("\nserial\n" in text and len(re.findall("^(switch|stop) ", text, re.M)) == 1, text)
    expect(len(re.findall("^# thread [12] (reads|writes) at withdraw.cpp:", text, re.M)) == 3, text)
    expect(os.path.getsize(schedule) < 4096, "a schedule is small")
    replayed(schedule, 20)
    if shutil.which("gdb"):
        pathlib.Path("commands").write_text("run\nquit\n", encoding="utf-8")
        with open("commands", encoding="utf-8") as commands:
            done = limited_run.run([OMNIUM, "replay", "--gdb", schedule], seconds=120, stdin=commands,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        expect("lost update on balance" in done.stdout, done.stdout)
    # The same steps cannot hurt the program that was mended: it is another build.
    fixed = build(WITHDRAW, "mended", "-DFIXED")
    os.replace("mended", "withdraw")
    status, said = omnium("replay", schedule)
    expect(status == 0 and "was rebuilt since" in said and "any more" in said, status, said)
    status, said = omnium("hunt", "--time", "5", "--", program)
    expect(status == 0 and "nothing happened" in said, status, said)
    expect(fixed and schedules() == [schedule], schedules())
    os.remove(schedule)


def noise_alone():
    program = build(WITHDRAW, "withdraw")
    found = sum(omnium("run", "--perturb", str(seed), "--", program)[0] == FOUND for seed in range(1, 61))
    expect(found > 0, "no seed of 60 has found it")
    expect(omnium("run", "--perturb", "x", "--", program)[0] == 2, "a seed is a number")
    status, said = omnium("run", "--perturb", "1", "--repeat", "200", "--", program)
    expect(status == FOUND and re.search(r"this is run \d+: --perturb \d+", said), status, said)
    expect(said.count("no block is annotated") == 1, said)
    status, said = omnium("hunt", "--way", "noise", "--time", "60", "--", program)
    expect(status == FOUND and "noise" in said and "steered" not in said.split("replays")[0], status, said)
    expect("again in 5 of 5 replays" in " ".join(said.split()), said)
    for schedule in schedules():
        replayed(schedule, 10)
        os.remove(schedule)


def pauses_alone():
    program = build(WITHDRAW, "withdraw")
    status, said = omnium("hunt", "--way", "pause", "--runs", "12", "--", program)
    expect(status == FOUND and "paused" in said and "noise" not in said, status, said)
    for schedule in schedules():
        os.remove(schedule)
    fixed = build(WITHDRAW, "withdraw_fixed", "-DFIXED")
    status, said = omnium("hunt", "--way", "pause", "--runs", "12", "--", fixed)
    expect(status == 0 and "nothing happened" in said, status, said)
    os.environ["OMNIUM_OPTIONS"] = "pause=x"
    status, said = omnium("run", "--", program)
    del os.environ["OMNIUM_OPTIONS"]
    expect(status == 2 and "pause must be a number" in said, status, said)


def serial_runs():
    program = build(WITHDRAW, "withdraw")
    status, said = omnium("hunt", "--way", "serial", "--time", "60", "--", program)
    expect(status == FOUND and "lost update on balance" in said and "serial" in said, status, said)
    expect("again in 5 of 5 replays" in " ".join(said.split()), said)
    (schedule,) = schedules()
    text = pathlib.Path(schedule).read_text(encoding="utf-8")
    expect("\nserial\n" in text and len(text) < 4096, text)
    expect(len(re.findall("^(switch|stop) ", text, re.M)) <= 2, text)
    said = replayed(schedule, 30)
    expect("another way" not in said, said)
    # Where it cannot be followed, the replay says so.
    pathlib.Path(schedule).write_text(text.replace("0.1", "0.7"), encoding="utf-8")
    status, said = omnium("replay", schedule)
    expect("went another way: switch 1 of" in said, status, said)
    os.remove(schedule)
    status, said = omnium("hunt", "--way", "serial", "--time", "4", "--", build(WITHDRAW, "mended", "-DFIXED"))
    expect(status == 0 and "nothing happened" in said, status, said)
    # A deadlock happens again each time.
    status, said = omnium("hunt", "--way", "serial", "--time", "60", "--", build(CROSSED, "crossed"))
    expect(status == FOUND, status, said)
    replayed("failure-1.omh", 5)
    os.remove("failure-1.omh")
    status, said = omnium("hunt", "--way", "serial", "--time", "6", "--", build(BLOCKING, "blocking", "-std=c++20"))
    expect(status == 0 and "nothing happened" in said, status, said)


# The consumer keeps the lock of the shop while it waits. It comes first if the main thread wakes up before others have gone on.
NESTED = """
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex shop, queue;
std::condition_variable changed;
int items;
int main() {
  std::thread producer([] {
    std::lock_guard outer(shop), inner(queue);
    ++items;
    changed.notify_one();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::thread consumer([] {
    std::lock_guard outer(shop);
    std::unique_lock inner(queue);
    while (items == 0) changed.wait(inner);
  });
  producer.join();
  consumer.join();
}
"""

# The producer sleeps after each item. Too many fit in only if nobody takes one in all that time.
OVERFULL = """
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex mutex;
std::condition_variable changed;
int items[4], count, in, out;
int main() {
  std::thread producer([] {
    for (int i = 0; i < 8; ++i) {
      {
        std::unique_lock lock(mutex);
        while (count > 4) changed.wait(lock);
        items[in] = i;
        in = (in + 1) % 4;
        ++count;
        changed.notify_all();
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  for (int i = 0; i < 8; ++i) {
    std::unique_lock lock(mutex);
    while (count == 0) changed.wait(lock);
    assert(items[out] == i);
    out = (out + 1) % 4;
    --count;
    changed.notify_all();
  }
  producer.join();
}
"""

# Overdrawn if one looks, and the other one goes through in between. The look alone is a step.
LOOKED = """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance = 100;
void withdraw(int amount) {
  { std::lock_guard lock(mutex); if (balance < amount) return; }
  std::lock_guard lock(mutex);
  balance -= amount;
}
int main() {
  std::thread first(withdraw, 70), second(withdraw, 60);
  first.join();
  second.join();
  assert(balance >= 0);
}
"""


def exact():
    """What was found by steps is followed exactly, whatever the steps leave to chance: who sleeps, who waits till the others are through."""
    for name, source in (("nested", NESTED), ("overfull", OVERFULL), ("looked", LOOKED)):
        status, said = omnium("hunt", "--way", "steer", "--time", "60", "--", build(source, name))
        expect(status == FOUND and "again in 5 of 5 replays" in " ".join(said.split()), status, said)
        for schedule in schedules():
            text = pathlib.Path(schedule).read_text(encoding="utf-8")
            expect("\nserial\n" in text and "\nstep " not in text, text)
            replayed(schedule, 10)
            os.remove(schedule)


# It fails if the first thread writes last. Both compute for long, without any point.
COMPUTING = """
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance = 100;
__attribute__((noinline)) void computed() { asm(""); }
void compute() { for (volatile int i = 0; i < 20'000'000; i = i + 1) {} }
int look() { std::lock_guard lock(mutex); return balance; }
void put(int to) { std::lock_guard lock(mutex); balance = to; }
void withdraw(int amount) {
  const int seen = look();
  compute();
  computed();
  compute();
  put(seen - amount);
}
int main() {
  std::thread first(withdraw, 10), second(withdraw, 20);
  first.join();
  second.join();
  assert(balance != 90);
}
"""


def stopped_in_gdb():
    """Time that the program stands still in a debugger does not count: nobody is taken for stuck."""
    if not shutil.which("gdb"):
        return
    status, said = omnium("hunt", "--way", "serial", "--time", "60", "--", build(COMPUTING, "computing"))
    expect(status == FOUND and "balance != 90" in said, status, said)
    (schedule,) = (it for it in schedules() if it.startswith("failure"))
    pathlib.Path("commands").write_text("break computed\nrun\nshell sleep 4\ncontinue\nshell sleep 4\ncontinue\nquit\n", encoding="utf-8")
    with open("commands", encoding="utf-8") as commands:
        done = limited_run.run([OMNIUM, "replay", "--gdb", schedule], seconds=120, stdin=commands,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(done.stdout.count("hit Breakpoint") == 2 and "balance != 90" in done.stdout, done.stdout)
    for it in schedules():
        os.remove(it)


# All that makes threads of a team wait for each other in libgomp, and a look that is too early.
TEAM = """
#include <cassert>
#include <omp.h>
int best = -1, tasks, single, rounds, ordered;
omp_lock_t own;
void consider(int number) {
#ifdef FIXED
#pragma omp critical
  if (number > best) best = number;
#else
  if (number > best) {
#pragma omp critical
    best = number;
  }
#endif
}
int main() {
  omp_init_lock(&own);
#pragma omp parallel num_threads(3)
  {
    int copied = 0;
#pragma omp single copyprivate(copied)
    copied = 1;
#pragma omp critical
    single += copied;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task
      {
#pragma omp atomic
        ++tasks;
      }
    }
    omp_set_lock(&own);
    ++rounds;
    omp_unset_lock(&own);
#pragma omp for ordered
    for (int i = 0; i < 3; ++i) {
#pragma omp ordered
      ordered = i;
    }
  }
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 8; ++i) consider(i * 5 % 8);
  assert(tasks == 4 && single == 3 && rounds == 3 && ordered == 2);
  assert(best == 7);
}
"""

# Each takes its locks in its own order. They are locks of OpenMP.
TEAM_LOCKS = """
#include <omp.h>
omp_lock_t locks[2];
int main() {
  for (omp_lock_t& lock : locks) omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    const int first = omp_get_thread_num();
    omp_set_lock(&locks[first]);
    omp_set_lock(&locks[1 - first]);
    omp_unset_lock(&locks[1 - first]);
    omp_unset_lock(&locks[first]);
  }
}
"""


def teams():
    """Serial runs know when threads of libgomp wait, and take turns at its locks."""
    for name, source, how in (("team", TEAM, "best == 7"), ("team_locks", TEAM_LOCKS, "deadlock")):
        status, said = omnium("hunt", "--way", "serial", "--runs", "200", "--time", "60", "--", build(source, name, "-fopenmp"))
        expect(status == FOUND and how in said and "again in 5 of 5 replays" in " ".join(said.split()), status, said)
        expect("tasks == 4" not in said and "serial" in said, said)
        for schedule in schedules():
            replayed(schedule, 5)
            os.remove(schedule)
    # Whatever has found it, by chance or not, the schedule can be followed when the hunt is over.
    status, said = omnium("hunt", "--time", "60", "--", "./team")
    expect(status == FOUND, status, said)
    for schedule in schedules():
        replayed(schedule, 5)
        os.remove(schedule)
    status, said = omnium("hunt", "--runs", "150", "--time", "30", "--", build(TEAM, "team_in_order", "-fopenmp", "-DFIXED"))
    expect(status == 0 and "nothing happened" in said, status, said)


# Looks whether it was started like any program, and kills the process that forks it.
FORKED = """
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>
int constructed;
struct Counted { Counted() { ++constructed; } } counted;
int main(int argc, char** argv) {
  int sum = 0;
  std::thread([&] { sum = 1; }).join();
  if (constructed != 1 || argc != 2 || std::strcmp(argv[1], "word") != 0) return 3;
  if (std::getenv("OMNIUM_CHANNEL") == nullptr || std::getenv("OMNIUM_CHANNEL")[0] == 's') return 4;
  if (getpgrp() != getpid() || std::getchar() != EOF || sum != 1) return 5;
  if (dup(0) != 3) return 6;
  char name[32] = "";
  std::FILE* parent = std::fopen(("/proc/" + std::to_string(getppid()) + "/comm").c_str(), "r");
  if (parent == nullptr || std::fscanf(parent, "%31s", name) != 1) return 7;
  if (std::strcmp(name, "forked") == 0) kill(getppid(), SIGKILL);
}
"""


def started_anew():
    """Runs are as if the program were executed each time; and it is, if nobody forks it any more."""
    program = build(FORKED, "forked")
    status, said = omnium("hunt", "--way", "noise", "--runs", "6", "--time", "60", "--", program, "word")
    expect(status == 0 and "nothing happened in 6 runs" in said and "every run" not in said, status, said)


# Two updates may be lost.
# Two deadlocks, which have nothing in common.
CROSSED_TWICE = """
#include <mutex>
#include <thread>
std::mutex left, right, high, low;
void meet(std::mutex& first, std::mutex& then) {
  std::lock_guard outer(first);
  std::lock_guard inner(then);
}
int main() {
  std::thread other([] { meet(left, right); meet(high, low); });
  meet(right, left);
  meet(low, high);
  other.join();
}
"""


LOST_UPDATES = """
#include <cassert>
#include <thread>
int count, total;
void add() { const int seen = count; count = seen + 1; }
void sum() { const int seen = total; total = seen + 1; }
int main() {
  std::thread first([] { add(); sum(); }), second([] { add(); sum(); });
  first.join();
  second.join();
  assert(count == 2);
  assert(total == 2);
}
"""

# Two pointers lead nowhere for a moment.
MOVED = """
#include <thread>
int number;
int *volatile left = &number, *volatile right = &number;
__attribute__((noinline)) void use_left() { *left = 1; }
__attribute__((noinline)) void use_right() { *right = 2; }
void move() {
  left = nullptr;
  left = &number;
  right = nullptr;
  right = &number;
}
int main() {
  std::thread first([] { use_left(); use_right(); }), second(move);
  first.join();
  second.join();
}
"""


def many_failures():
    """Different deadlocks, assertions and crashes are different findings, with the same ids in the next hunt."""
    if os.access("/proc/self/syscall", os.R_OK):
        different(build(CROSSED_TWICE, "crossed_twice"), ("deadlock",))
    different(build(LOST_UPDATES, "lost_updates"), ("assertion failed: count == 2", "assertion failed: total == 2"))
    different(build(MOVED, "moved"), ("killed by SIGSEGV use_left", "killed by SIGSEGV use_right"))


def different(program, wanted):
    ids = []
    for result in ("first.json", "second.json"):
        status, said = omnium("hunt", "--way", "serial", "--runs", "400", "--time", "60", "-o", result, "--", program)
        causes = {cause["id"]: cause["failure"]["what"] + " " + (cause["block"]["label"] or "")
                  for line in pathlib.Path(result).read_text(encoding="utf-8").splitlines() for cause in json.loads(line)["causes"]
                  if "failure" in cause}
        expect(status == FOUND and all(any(it.startswith(want) for it in causes.values()) for want in wanted), said, causes)
        ids.append({id for id, what in causes.items() if what.startswith(wanted)})
        expect(len(ids[-1]) == 2, causes)
        for schedule in schedules():
            if schedule.startswith("av-"):
                continue
            text = pathlib.Path(schedule).read_text(encoding="utf-8")
            expect("\ncause fl-" in text, text)
            replayed(schedule, 2)
            os.remove(schedule)
    expect(ids[0] == ids[1], ids)
    # One that is known does not hide the others.
    pathlib.Path("known").write_text(f"suppress {min(ids[0])} because it is known\n", encoding="utf-8")
    status, said = omnium("report", "--suppressions", "known", "first.json")
    expect(status == FOUND, status, said)
    status, said = omnium("merge", "first.json", "second.json", "-o", "both.json")
    both = [cause["id"] for cause in json.loads(pathlib.Path("both.json").read_text(encoding="utf-8"))["causes"]]
    expect(ids[0] <= set(both) and len(both) == len(set(both)), both)
    for schedule in schedules():
        os.remove(schedule)


ENVIRONMENT = """
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>
int count;
void add() { const int seen = count; count = seen + 1; }
bool is(const char* name, const char* value) {
  const char* now = std::getenv(name);
  return now != nullptr && std::strcmp(now, value) == 0;
}
int main() {
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(!is("MODE", "strict") || !is("OMP_NUM_THREADS", "3") || count == 2);
}
"""


def environment():
    """A schedule has the variables that matter, and no other ones; a replay sets them."""
    program = build(ENVIRONMENT, "environment")
    os.environ.update({"OMP_NUM_THREADS": "3", "API_TOKEN": "a secret"})
    status, said = omnium("hunt", "--time", "60", "--env", "MODE=strict", "--", program)
    os.environ["OMP_NUM_THREADS"] = "7"
    expect(status == FOUND and "SIGABRT" in said, status, said)
    text = pathlib.Path("failure-1.omh").read_text(encoding="utf-8")
    expect("\nenvironment MODE=strict\n" in text and "\nenvironment OMP_NUM_THREADS=3\n" in text and "a secret" not in text, text)
    expect(len(text) < 4096, "a schedule is small")
    replayed("failure-1.omh", 5)
    # Only with these values it fails.
    for other in ("MODE=lax", "OMP_NUM_THREADS"):
        status, said = omnium("replay", "--env", other, "failure-1.omh")
        expect(status == 0 or "SIGABRT" not in said.split("something else")[0], other, status, said)
    status, said = omnium("hunt", "--env", "NOT_SET", "--", program)
    expect(status == 2 and "NOT_SET: it is not set" in said, status, said)
    del os.environ["OMP_NUM_THREADS"], os.environ["API_TOKEN"]
    for schedule in schedules():
        os.remove(schedule)


def rules():
    """Turns from the first addition to the last, and a deadlock of many: no chance, but simple rules of who goes last."""
    status, said = omnium("hunt", "--runs", "12", "--time", "60", "--", build(TURNS, "turns"))
    expect(status == FOUND and "SIGABRT" in said and "in turns of a write" in said, status, said)
    replayed("failure-1.omh", 5)
    os.remove("failure-1.omh")
    status, said = omnium("hunt", "--way", "serial", "--runs", "12", "--time", "60", "--", build(ROUND_TABLE, "round_table"))
    expect(status == FOUND and "deadlock" in said and "second locks last" in said, status, said)
    os.remove("failure-1.omh")


def spinning():
    # Nobody knows yet in the first serial run that the flag is shared.
    program = build(SPINNING, "spinning")
    status, said = omnium("hunt", "--way", "serial", "--runs", "20", "--time", "60", "--", program)
    expect(status == FOUND and "SIGABRT" in said, status, said)
    os.remove("failure-1.omh")
    # A thread that is held up, and another one that spins until it goes on, wait for each other.
    status, said = omnium("hunt", "--way", "steer", "--runs", "4", "--time", "60", "--", build(SPUN_FOR, "spun_for"))
    expect("the threads waited for each other" in said and "never came" not in said, status, said)


def failure_of(path):
    """The one finding of a result, which is a failure."""
    (cause,) = (cause for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() for cause in json.loads(line)["causes"])
    expect("failure" in cause and re.fullmatch("fl-[0-9a-f]{8}", cause["id"]), cause)
    return cause


def failures():
    program = build(CROSSED, "crossed")
    status, said = omnium("hunt", "--time", "20", "--way", "steer", "-o", "crossed.json", "-o", "crossed.sarif", "--", program)
    # Some systems hide what a thread waits for.
    hidden = not os.access("/proc/self/syscall", os.R_OK)
    how = "did not end within" if hidden else "deadlock: all threads wait for each other"
    expect(status == FOUND and how in said, status, said)
    expect(schedules() == ["failure-1.omh"], schedules(), said)
    os.remove("failure-1.omh")
    cause = failure_of("crossed.json")
    expect(cause["pattern"] == ("hang" if hidden else "deadlock") and "omnium replay ./failure-1.omh" in cause["found_by"], cause)
    if not hidden:
        waits = {(it["lock"], it["thread"], it["held_by"]) for it in cause["failure"]["waits"]}
        expect({it[0] for it in waits} == {"left", "right"} and all(it[1] != it[2] for it in waits), waits)
    (result,) = json.loads(pathlib.Path("crossed.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    expect(result["ruleId"] == cause["pattern"] and cause["id"] in result["partialFingerprints"].values(), result)
    # The same failure has the same id in the next hunt: it can be suppressed, and is in the baseline.
    pathlib.Path("known").write_text(f"suppress {cause['id']} because it is known\n", encoding="utf-8")
    for known in (("--suppressions", "known"), ("--baseline", "crossed.json")):
        status, said = omnium("hunt", "--time", "20", "--way", "steer", *known, "-o", "again.json", "--", program)
        expect(status == 0 and how in said, status, said)
        expect(failure_of("again.json")["id"] == cause["id"], said)
    # Two hunts together.
    status, said = omnium("merge", "crossed.json", "again.json", "-o", "both.json")
    both = failure_of("both.json")
    expect(both["count"] == cause["count"] + failure_of("again.json")["count"] and len(both["seen_in"]) == 2, both)
    expect("omnium replay" in both["found_by"], both)
    os.remove("failure-1.omh")
    status, said = omnium("hunt", "--time", "4", "--", build(CROSSED, "in_order", "-DFIXED"))
    expect(status == 0 and "nothing happened" in said, status, said)
    # What always fails is no finding of a schedule, but is told.
    status, said = omnium("hunt", "--time", "3", "--", build(CRASHING, "crashing"))
    expect("killed by SIG" in said, status, said)
    for schedule in schedules():
        os.remove(schedule)


def freed_memory():
    status, said = omnium("hunt", "--time", "60", "-o", "freed.json", "-o", "freed.html", "--", build(FREED, "freed"))
    expect(status == FOUND and re.search(r"use after free: read at freed.cpp:\d+ in use, freed at freed.cpp:\d+ in drop", said),
           status, said)
    causes = [cause for line in pathlib.Path("freed.json").read_text(encoding="utf-8").splitlines() for cause in json.loads(line)["causes"]]
    (cause,) = (it for it in causes if it["pattern"] == "use after free")
    expect(cause["block"]["label"] == "use" and re.fullmatch(r"freed.cpp:\d+", cause["locations"]["event"]), cause)
    expect(re.fullmatch(r"freed.cpp:\d+", cause["failure"]["freed"]) and cause["failure"]["freed"] != cause["locations"]["event"], cause)
    expect(cause["id"] in pathlib.Path("freed.html").read_text(encoding="utf-8"), "the page has it")
    for schedule in schedules():
        os.remove(schedule)
    status, said = omnium("hunt", "--time", "4", "--", build(FREED, "kept", "-DFIXED"))
    expect(status == 0 and "nothing happened" in said, status, said)


def without_blocks():
    program, said = build(PLAIN_RACE, "plain_race"), "run 1, recorded"
    while "run 1, recorded" in said:  # a run that nobody interferes with may fail, too
        for schedule in schedules():
            os.remove(schedule)
        status, said = omnium("hunt", "--time", "60", "--way", "steer", "--", program)
    expect(status == FOUND and "interleaved" in said and "SIGABRT" in said, status, said)
    replayed("failure-1.omh", 5)
    os.remove("failure-1.omh")


def loaded_late():
    """Steps in a library count from when it is loaded."""
    program, shared = build(LOADER, "loader"), ("-shared", "-fPIC")
    status, said = omnium("hunt", "--time", "60", "--way", "steer", "--", program, build(LOADED, "loaded.so", *shared))
    expect(status == FOUND and "lost update on balance" in said and "failed" not in said, status, said)
    (schedule,) = schedules()
    replayed(schedule, 20)
    os.remove(schedule)
    status, said = omnium("hunt", "--time", "4", "--", program, build(LOADED, "mended.so", *shared, "-DFIXED"))
    expect(status == 0 and "nothing happened" in said, status, said)


def virtual_clock():
    """Hours pass in no time, and a replay has the same date and draws the same numbers."""
    program = build(SLEEPER, "sleeper")
    status, said = omnium("hunt", "--time", "virtual", "--runs", "300", "--", program)
    expect(status == FOUND and "exit status 4" in said and "exit status 5" not in said, status, said)
    expect("\nclock " in pathlib.Path("failure-1.omh").read_text(encoding="utf-8"), "the schedule knows the clock")
    shown = set()
    for _ in range(2):
        said = replayed("failure-1.omh", 1)
        shown.add(re.search(r"date \d+ random \d+", said).group())
    expect(len(shown) == 1, shown)
    os.remove("failure-1.omh")
    expect(omnium("hunt", "--clock", "virtual", "--way", "noise", "--", program)[0] == 2, "only serial runs have one")


# Whether it is executed, or forked by the server.
def killed_hunts():
    program = build(ENDLESS, "endless")
    with tempfile.TemporaryDirectory() as left:
        for run in ("run 1", "run 2"):
            hunt = subprocess.Popen([OMNIUM, "hunt", "--time", "60", "--", program], env=dict(os.environ, TMPDIR=left),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + 30
            seen = set()
            while time.monotonic() < end and len(seen) < (1 if run == "run 1" else 3):
                seen |= set(subprocess.run(["pgrep", "-f", program], stdout=subprocess.PIPE, text=True,
                                           check=False).stdout.split()) - {str(hunt.pid)}
                time.sleep(0.05)
            hunt.kill()
            hunt.wait()
            end = time.monotonic() + 10
            while time.monotonic() < end and subprocess.run(["pgrep", "-f", program], stdout=subprocess.DEVNULL,
                                                            check=False).returncode == 0:
                time.sleep(0.05)
            expect(subprocess.run(["pgrep", "-f", program], check=False).returncode != 0, "outlived its hunt:", run)
        # What they leave behind the next hunt removes, but not what is new, or used by somebody.
        behind = list(pathlib.Path(left).glob("omnium-hunt-*"))
        expect(behind, "a hunt that is killed removes nothing")
        new, used, other = (pathlib.Path(left) / f"omnium-hunt-{name}" for name in ("is_new", "in_use", "of-somebody"))
        for folder in (new, used, other):
            folder.mkdir()
        for folder in (*behind, used, other):
            os.utime(folder, (0, 0))
        holder = os.open(used, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(holder, fcntl.LOCK_EX)
        limited_run.run([OMNIUM, "hunt", "--runs", "2", "--", build(WITHDRAW, "withdraw")], seconds=120,
                        env=dict(os.environ, TMPDIR=left), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(holder)
        expect({*pathlib.Path(left).iterdir()} == {new, used, other}, *pathlib.Path(left).iterdir())
        for schedule in schedules():
            os.remove(schedule)


def hard_programs():
    started = time.monotonic()
    status, said = omnium("hunt", "--time", "3", "--", build(ENDLESS, "endless"))
    expect(status == FOUND and "did not end within" in said, status, said)
    expect(time.monotonic() - started < 60, "a program that does not end must be ended")
    status, said = omnium("hunt", "--time", "3", "--", build(READER, "reader"))
    expect(status == 0, status, said)
    running = subprocess.run(["pgrep", "-f", os.getcwd() + "/(endless|reader)|^./(endless|reader)$"],
                             stdout=subprocess.PIPE, text=True, check=False).stdout
    expect(running == "", "left running:", running)
    forking = build(FORKING, "forking")
    for seed in range(1, 11):  # as hunted runs are recorded
        options = f"undeclared=functions:check=0:record=forking.raw:perturb={seed}"
        done = limited_run.run([forking], env=dict(os.environ, OMNIUM_OPTIONS=options), stderr=subprocess.DEVNULL)
        expect(done.returncode == 0, "recorded with noise:", done.returncode)
        os.remove("forking.raw")
    status, said = omnium("hunt", "--time", "30", "--", forking)
    expect(status == FOUND and "lost update on balance" in said and "did not end" not in said, status, said)
    status, said = omnium("hunt", "--", "/bin/true")
    expect(status == 2 and "not instrumented" in said, status, said)
    status, said = omnium("hunt", "--save", "nowhere", "--", "./reader")
    expect(status == 2 and "nowhere" in said, status, said)
    status, said = omnium("replay", "reader.cpp")
    expect(status == 2 and "this is source code" in said, status, said)
    for schedule in schedules():
        os.remove(schedule)


def main():
    with tempfile.TemporaryDirectory(prefix="omnium-hunt-test-") as folder:
        os.chdir(folder)
        own = pathlib.Path(folder) / "tmp"
        own.mkdir()
        os.environ["TMPDIR"] = str(own)
        for test in (steered_and_replayed, exact, teams, stopped_in_gdb, started_anew, noise_alone, pauses_alone, serial_runs, environment, many_failures, rules,
                     spinning, freed_memory, without_blocks, loaded_late, virtual_clock, failures, killed_hunts, hard_programs):
            test()
            print(f"{test.__name__} passed", flush=True)
        expect(not list(own.iterdir()), "left behind:", *own.iterdir())
        os.chdir("/")


main()
