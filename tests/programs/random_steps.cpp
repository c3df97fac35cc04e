// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Programs made of random steps of three threads, in a forced order: accesses of one to sixteen
// bytes to a few words (some of which all threads read all the time), atomic operations, locks,
// nested blocks. Every block has a name of its own. same_run.py compares what is found while it
// runs with what is found in its recording; there is no expectation besides.
//
//   random_steps SEED [ROUNDS [FIRST]]
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "../../examples/shapes/turns.h"

enum class Act {
  kBegin,
  kEnd,
  kRead,
  kWrite,
  kAdd,
  kLock,
  kUnlock,
  kReadLock,
  kWriteLock,
  kUnlockRw
};

struct Step {
  int thread;
  Act act;
  unsigned place;  // of an access; which lock
  unsigned size;
  const char* label;
};

constexpr int kThreads = 3, kMutexes = 2;
constexpr unsigned kBytes = 32;

alignas(64) unsigned char memory[4096];  // the threads' own parts and kBytes in common
pthread_mutex_t mutexes[kMutexes] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
char labels[1 << 16][12];
int label_count;

template <typename Number>
struct __attribute__((packed)) Unaligned {
  Number number;
};

template <typename Number>
void touch(unsigned place, bool write) {
  auto* at = memory + place;
  if (place % sizeof(Number) == 0) {
    auto* number = reinterpret_cast<volatile Number*>(at);
    if (write) {
      *number = 1;
    } else {
      static_cast<void>(*number);
    }
  } else {
    auto* number = reinterpret_cast<volatile Unaligned<Number>*>(at);
    if (write) {
      number->number = 1;
    } else {
      static_cast<void>(number->number);
    }
  }
}

void access(const Step& step) {
  const bool write = step.act == Act::kWrite;
  switch (step.size) {
    case 1: return touch<std::uint8_t>(step.place, write);
    case 2: return touch<std::uint16_t>(step.place, write);
    case 4: return touch<std::uint32_t>(step.place, write);
    default: return touch<std::uint64_t>(step.place, write);
  }
}

void run(const Step& step) {
  switch (step.act) {
    case Act::kBegin: omnium_begin(step.label); break;
    case Act::kEnd: omnium_end(); break;
    case Act::kRead:
    case Act::kWrite: access(step); break;
    case Act::kAdd:
      __atomic_fetch_add(reinterpret_cast<int*>(memory + step.place), 1, __ATOMIC_SEQ_CST);
      break;
    case Act::kLock: pthread_mutex_lock(&mutexes[step.place]); break;
    case Act::kUnlock: pthread_mutex_unlock(&mutexes[step.place]); break;
    case Act::kReadLock: pthread_rwlock_rdlock(&rwlock); break;
    case Act::kWriteLock: pthread_rwlock_wrlock(&rwlock); break;
    case Act::kUnlockRw: pthread_rwlock_unlock(&rwlock); break;
  }
}

void await_turn(int number) {
  omnium_ignore_begin();
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) != number - 1) sched_yield();
  omnium_ignore_end();
}

// Makes steps that can be done in this order: nobody waits for a lock.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::vector<Step> round() {
    std::vector<Step> steps;
    const unsigned kind = below(3);
    for (unsigned count = 15 + below(40); count > 0; --count) {
      const int thread = static_cast<int>(below(kThreads));
      add(steps, thread, below(kind == 0 ? 12 : 18));
    }
    for (int thread = 0; thread < kThreads; ++thread) finish(steps, thread);
    return steps;
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  void add(std::vector<Step>& steps, int thread, unsigned choice) {
    if (choice < 3 && depth_[thread] < 3) {
      char* label = labels[label_count++];
      std::snprintf(label, sizeof(labels[0]), "b%d", label_count);
      ++depth_[thread];
      steps.push_back({thread, Act::kBegin, 0, 0, label});
    } else if (choice < 5 && depth_[thread] > 0) {
      --depth_[thread];
      steps.push_back({thread, Act::kEnd, 0, 0, nullptr});
    } else if (choice < 12) {
      steps.push_back(access(thread));
    } else if (choice < 13) {
      steps.push_back({thread, Act::kAdd, 4 * below(kBytes / 4), 4, nullptr});
    } else if (choice < 16) {
      lock(steps, thread, below(kMutexes));
    } else {
      lock_rw(steps, thread);
    }
  }

  Step access(int thread) {
    const Act act = below(5) < 2 ? Act::kWrite : Act::kRead;
    const unsigned size = 1u << below(4);
    const unsigned common = below(kBytes / size) * size;
    unsigned place = common;
    if (below(8) == 0) place = below(kBytes - 8);
    if (below(8) == 0) place = 1024 * static_cast<unsigned>(thread + 1) + common;
    return {thread, act, place, size, nullptr};
  }

  void lock(std::vector<Step>& steps, int thread, unsigned mutex) {
    if (holder_[mutex] == thread) {
      holder_[mutex] = -1;
      steps.push_back({thread, Act::kUnlock, mutex, 0, nullptr});
    } else if (holder_[mutex] < 0) {
      holder_[mutex] = thread;
      steps.push_back({thread, Act::kLock, mutex, 0, nullptr});
    }
  }

  void lock_rw(std::vector<Step>& steps, int thread) {
    if (writer_ == thread || reads_[thread]) {
      writer_ = writer_ == thread ? -1 : writer_;
      reads_[thread] = false;
      steps.push_back({thread, Act::kUnlockRw, 0, 0, nullptr});
    } else if (writer_ < 0 && below(2) == 0) {
      reads_[thread] = true;
      steps.push_back({thread, Act::kReadLock, 0, 0, nullptr});
    } else if (writer_ < 0 && !reads_[0] && !reads_[1] && !reads_[2]) {
      writer_ = thread;
      steps.push_back({thread, Act::kWriteLock, 0, 0, nullptr});
    }
  }

  void finish(std::vector<Step>& steps, int thread) {
    for (unsigned mutex = 0; mutex < kMutexes; ++mutex) {
      if (holder_[mutex] == thread) lock(steps, thread, mutex);
    }
    if (writer_ == thread || reads_[thread]) lock_rw(steps, thread);
    for (; depth_[thread] > 0; --depth_[thread])
      steps.push_back({thread, Act::kEnd, 0, 0, nullptr});
  }

  std::mt19937 random_;
  int depth_[kThreads] = {};
  int holder_[kMutexes] = {-1, -1};
  int writer_ = -1;
  bool reads_[kThreads] = {};
};

int main(int count, char** values) {
  Generator generator(count > 1 ? static_cast<unsigned>(std::atoi(values[1])) : 1);
  const int rounds = count > 2 ? std::atoi(values[2]) : 20;
  const int first = count > 3 ? std::atoi(values[3]) : 0;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Step> steps = generator.round();
    if (round < first) continue;
    turns_taken = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&steps, thread] {
        int number = 0;
        for (const Step& step : steps) {
          ++number;
          if (step.thread != thread) continue;
          await_turn(number);
          run(step);
          turn(number);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}
