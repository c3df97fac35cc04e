// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Programs made of random steps of three threads, and of a fourth that one of them forks, in a
// forced order: nested blocks, accesses of words and of bytes of a word, atomic operations that
// fail or succeed, locks, waits, signals, joins. Each program writes what it does as a trace.
// true_run.py compares what is found while it runs with what the engines find in that trace; there
// is no expectation besides.
//
//   random_waits SEED TRACE [ROUNDS [FIRST]]
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "../../examples/shapes/turns.h"

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

enum class Act {
  kBegin,
  kEnd,
  kRead,
  kWrite,
  kReadBytes,
  kWriteBytes,
  kLoad,
  kRetryLoad,  // of a spinning loop
  kStore,
  kAdd,
  kFail,  // a compare-exchange that does not exchange
  kLock,
  kUnlock,
  kWait,  // for a condition, until a moment in the past
  kReadLock,
  kWriteLock,
  kReadUnlock,
  kWriteUnlock,
  kSignal,
  kAwait,
  kFork,
  kLeave,  // the forked thread ends
  kJoin,
};

struct Step {
  int thread;
  Act act;
  int place;
};

constexpr int kThreads = 3, kHelper = 3, kPlaces = 3;

long plain[kPlaces];

// Two words that are accessed in parts: 1, 2 or 4 bytes from any byte on.
constexpr int kBytes = 8;
alignas(8) char bytes[kBytes];
struct Part {
  int first, size;
  int place() const { return first * 8 + size; }
  static Part at(int place) { return {place / 8, place % 8}; }
};

std::atomic<long> atomics[kPlaces];
pthread_mutex_t mutexes[kPlaces] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                    PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
long meetings[kPlaces];
char labels[1 << 16][12];

std::vector<Step> steps;
pthread_t helper;
pid_t helper_number;

// A thread's steps in the order of the whole program.
void* run_thread(void* number);

void fail(int place) {
  long unlikely = -1;
  atomics[place].compare_exchange_strong(unlikely, 0);
}

void wait(int place) {
  const timespec past{1, 0};
  pthread_cond_timedwait(&condition, &mutexes[place], &past);
}

template <typename T>
void access(Part part, bool write) {
  auto* value = reinterpret_cast<volatile T*>(bytes + part.first);
  if (write) {
    *value = 1;
  } else {
    static_cast<void>(*value);
  }
}

void access_part(Part part, bool write) {
  switch (part.size) {
    case 1: return access<std::uint8_t>(part, write);
    case 2: return access<std::uint16_t>(part, write);
    default: return access<std::uint32_t>(part, write);
  }
}

[[gnu::noinline]] void run(Act act, int place) {
  switch (act) {
    case Act::kBegin: omnium_begin(labels[place]); break;
    case Act::kEnd: omnium_end(); break;
    case Act::kRead: static_cast<void>(*const_cast<volatile long*>(&plain[place])); break;
    case Act::kWrite: *const_cast<volatile long*>(&plain[place]) = 1; break;
    case Act::kReadBytes: access_part(Part::at(place), false); break;
    case Act::kWriteBytes: access_part(Part::at(place), true); break;
    case Act::kLoad:
    case Act::kRetryLoad: static_cast<void>(atomics[place].load()); break;
    case Act::kStore: atomics[place].store(1); break;
    case Act::kAdd: atomics[place].fetch_add(1); break;
    case Act::kFail: fail(place); break;
    case Act::kLock: pthread_mutex_lock(&mutexes[place]); break;
    case Act::kUnlock: pthread_mutex_unlock(&mutexes[place]); break;
    case Act::kWait: wait(place); break;
    case Act::kReadLock: pthread_rwlock_rdlock(&rwlock); break;
    case Act::kWriteLock: pthread_rwlock_wrlock(&rwlock); break;
    case Act::kReadUnlock:
    case Act::kWriteUnlock: pthread_rwlock_unlock(&rwlock); break;
    case Act::kSignal: __tsan_release(&meetings[place]); break;
    case Act::kAwait: __tsan_acquire(&meetings[place]); break;
    case Act::kFork:
      pthread_create(&helper, nullptr, run_thread, reinterpret_cast<void*>(kHelper));
      break;
    case Act::kLeave: break;
    case Act::kJoin: pthread_join(helper, nullptr); break;
  }
}

// The thread that leaves does not pass the turn on: whoever comes next waits until it is gone.
void await_turn(int number) {
  int before = number - 1;
  if (before > 0 && steps[before - 1].act == Act::kLeave) --before;
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) != before) sched_yield();
  while (before != number - 1 && tgkill(getpid(), helper_number, 0) == 0) sched_yield();
  turns_taken = number - 1;
}

void* run_thread(void* argument) {
  const int thread = static_cast<int>(reinterpret_cast<std::intptr_t>(argument));
  // Only the steps themselves are events.
  omnium_ignore_begin();
  if (thread == kHelper) helper_number = gettid();
  int number = 0;
  for (const Step step : steps) {
    ++number;
    if (step.thread != thread) continue;
    await_turn(number);
    if (step.act == Act::kLeave) break;
    omnium_ignore_end();
    run(step.act, step.place);
    omnium_ignore_begin();
    turn(number);
  }
  omnium_ignore_end();
  return nullptr;
}

// Makes steps that can be done in this order: nobody waits for a lock.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  void round() {
    steps.clear();
    helper_ = Helper::kNone;
    for (std::vector<Step>& done : done_) done.clear();
    for (bool& signalled : signalled_) signalled = false;
    for (int thread = 0; thread < kThreads; ++thread) {
      if (below(3) != 0) begin(thread);
    }
    for (unsigned count = 15 + below(45); count > 0; --count) {
      const unsigned threads = helper_ == Helper::kRunning ? 4 : 3;
      add(static_cast<int>(below(threads)), below(40));
    }
    for (int thread = 0; thread <= kHelper; ++thread) finish(thread);
    if (helper_ == Helper::kRunning) leave();
    if (helper_ == Helper::kLeft) join(0);
  }

 private:
  enum class Helper { kNone, kRunning, kLeft, kJoined };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void push(int thread, Act act, int place = 0) {
    steps.push_back({thread, act, place});
    done_[thread].push_back(steps.back());
  }

  void add(int thread, unsigned choice) {
    const int place = static_cast<int>(below(kPlaces));
    if (choice < 4) {
      begin(thread);
    } else if (choice < 6) {
      end(thread);
    } else if (choice < 12) {
      push(thread, below(5) < 2 ? Act::kWrite : Act::kRead, place);
    } else if (choice >= 32) {
      const int size = 1 << below(3);
      const Part part{static_cast<int>(below(kBytes + 1 - size)), size};
      push(thread, below(5) < 2 ? Act::kWriteBytes : Act::kReadBytes, part.place());
    } else if (choice < 17) {
      load(thread, place);
    } else if (choice < 19) {
      push(thread, below(2) == 0 ? Act::kStore : Act::kAdd, place);
    } else if (choice < 22) {
      push(thread, Act::kFail, place);
    } else if (choice < 25) {
      lock(thread, place);
    } else if (choice < 27) {
      lock_rw(thread);
    } else if (choice < 30) {
      meet(thread, place);
    } else {
      start_or_stop(thread);
    }
  }

  void begin(int thread) {
    if (depth_[thread] == 3) return;
    std::snprintf(labels[label_count_], sizeof(labels[0]), "b%d", label_count_);
    push(thread, Act::kBegin, label_count_++);
    ++depth_[thread];
  }

  void end(int thread) {
    if (depth_[thread] == 0) return;
    push(thread, Act::kEnd);
    --depth_[thread];
  }

  static bool is_load(const Step& step, int place) {
    return (step.act == Act::kLoad || step.act == Act::kRetryLoad) && step.place == place;
  }

  static bool is_plain(Act act) { return act >= Act::kRead && act <= Act::kWriteBytes; }

  // A load that follows the same load is an attempt that failed. The runtime does not see plain
  // accesses that are repetitions, so a load that only they divide from the same load is left out.
  void load(int thread, int place) {
    const std::vector<Step>& done = done_[thread];
    if (!done.empty() && is_load(done.back(), place)) return push(thread, Act::kRetryLoad, place);
    std::size_t i = done.size();
    while (i > 0 && is_plain(done[i - 1].act)) --i;
    if (i == 0 || !is_load(done[i - 1], place)) push(thread, Act::kLoad, place);
  }

  void lock(int thread, int mutex) {
    if (holder_[mutex] == thread) {
      const bool waits = below(3) == 0;
      push(thread, waits ? Act::kWait : Act::kUnlock, mutex);
      if (!waits) holder_[mutex] = -1;
    } else if (holder_[mutex] < 0) {
      holder_[mutex] = thread;
      push(thread, Act::kLock, mutex);
    }
  }

  bool is_read() const { return reads_[0] || reads_[1] || reads_[2] || reads_[kHelper]; }

  void lock_rw(int thread) {
    if (writer_ == thread) {
      writer_ = -1;
      push(thread, Act::kWriteUnlock);
    } else if (reads_[thread]) {
      reads_[thread] = false;
      push(thread, Act::kReadUnlock);
    } else if (writer_ < 0 && below(2) == 0) {
      reads_[thread] = true;
      push(thread, Act::kReadLock);
    } else if (writer_ < 0 && !is_read()) {
      writer_ = thread;
      push(thread, Act::kWriteLock);
    }
  }

  void meet(int thread, int place) {
    if (below(2) == 0) {
      signalled_[place] = true;
      push(thread, Act::kSignal, place);
    } else if (signalled_[place]) {
      push(thread, Act::kAwait, place);
    }
  }

  // The forked thread's first event follows at once, since the runtime takes its start for one.
  void start_or_stop(int thread) {
    if (helper_ == Helper::kNone) {
      push(thread, Act::kFork);
      push(kHelper, Act::kRead);
      helper_ = Helper::kRunning;
    } else if (helper_ == Helper::kRunning && thread == kHelper) {
      finish(thread);
      leave();
    } else if (helper_ == Helper::kLeft) {
      join(thread);
    }
  }

  // To the runtime the end of a thread is its last event, so an event comes right before it.
  void leave() {
    push(kHelper, Act::kRead);
    push(kHelper, Act::kLeave);
    helper_ = Helper::kLeft;
  }

  void join(int thread) {
    push(thread, Act::kJoin);
    helper_ = Helper::kJoined;
  }

  void finish(int thread) {
    if (thread == kHelper && helper_ != Helper::kRunning) return;
    for (int mutex = 0; mutex < kPlaces; ++mutex) {
      while (holder_[mutex] == thread) lock(thread, mutex);
    }
    if (writer_ == thread || reads_[thread]) lock_rw(thread);
    while (depth_[thread] > 0) end(thread);
  }

  std::mt19937 random_;
  std::vector<Step> done_[kThreads + 1];
  int depth_[kThreads + 1] = {};
  int holder_[kPlaces] = {-1, -1, -1};
  int writer_ = -1;
  bool reads_[kThreads + 1] = {};
  bool signalled_[kPlaces] = {};
  int label_count_ = 0;
  Helper helper_ = Helper::kNone;
};

std::string event_of(const Step& step, int round) {
  const std::string place = std::to_string(step.place), child = std::to_string(round) + "_3";
  switch (step.act) {
    case Act::kBegin: return std::string("begin(") + labels[step.place] + ")";
    case Act::kEnd: return "end";
    case Act::kRead: return "r(p" + place + ")";
    case Act::kWrite: return "w(p" + place + ")";
    case Act::kReadBytes:
    case Act::kWriteBytes: break;  // several events
    case Act::kLoad: return "ar(a" + place + ")";
    case Act::kFail:
    case Act::kRetryLoad: return "retry(a" + place + ")";
    case Act::kStore: return "aw(a" + place + ")";
    case Act::kAdd: return "rmw(a" + place + ")";
    case Act::kLock: return "acq(m" + place + ")";
    case Act::kUnlock: return "rel(m" + place + ")";
    case Act::kWait: return "wait(m" + place + ")";
    case Act::kReadLock: return "racq(rw)";
    case Act::kWriteLock: return "acq(rw)";
    case Act::kReadUnlock: return "rrel(rw)";
    case Act::kWriteUnlock: return "rel(rw)";
    case Act::kSignal: return "signal(c" + place + ")";
    case Act::kAwait: return "await(c" + place + ")";
    case Act::kFork: return "fork(T" + child + ")";
    case Act::kJoin: return "join(T" + child + ")";
    case Act::kLeave: break;
  }
  return "";
}

void write_event(std::FILE* trace, int round, int thread, const std::string& event) {
  if (!event.empty()) std::fprintf(trace, "T%d_%d|%s|0\n", round, thread, event.c_str());
}

// One access, so the order of the bytes must not matter: each comes before and after each other.
void write_part(std::FILE* trace, int round, const Step& step) {
  const Part part = Part::at(step.place);
  const std::string kind = step.act == Act::kWriteBytes ? "w" : "r";
  for (int i = 0; i < 2 * part.size; ++i) {
    const int byte = part.first + i % part.size;
    write_event(trace, round, step.thread, kind + "(y" + std::to_string(byte) + ")");
  }
}

void write_round(std::FILE* trace, int round) {
  for (int thread = 0; thread < kThreads; ++thread) {
    std::fprintf(trace, "M|fork(T%d_%d)|0\n", round, thread);
  }
  for (const Step& step : steps) {
    write_event(trace, round, step.thread, event_of(step, round));
    if (step.act == Act::kReadBytes || step.act == Act::kWriteBytes) {
      write_part(trace, round, step);
    }
    if (step.act == Act::kWait) {
      write_event(trace, round, step.thread, "resume(m" + std::to_string(step.place) + ")");
    }
  }
  for (int thread = 0; thread < kThreads; ++thread) {
    std::fprintf(trace, "M|join(T%d_%d)|0\n", round, thread);
  }
}

int main(int count, char** values) {
  if (count < 3) return 2;
  Generator generator(static_cast<unsigned>(std::atoi(values[1])));
  std::FILE* trace = std::fopen(values[2], "w");
  const int rounds = count > 3 ? std::atoi(values[3]) : 20;
  const int first = count > 4 ? std::atoi(values[4]) : 0;
  for (int round = 0; round < rounds; ++round) {
    generator.round();
    if (round < first) continue;
    write_round(trace, round);
    turns_taken = 0;
    pthread_t threads[kThreads];
    for (int thread = 0; thread < kThreads; ++thread) {
      pthread_create(&threads[thread], nullptr, run_thread, reinterpret_cast<void*>(thread));
    }
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
  }
  std::fclose(trace);
}
