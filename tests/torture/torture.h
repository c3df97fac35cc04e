// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program made of random actions of a few threads (see torture.cpp). What an action adds to its
// thread's sum must not depend on what other threads do, so that the output of the program is known
// from its seed. An action may use everything in World, and waits for no other action but by a
// Handover.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include <omnium/atomic.h>

namespace torture {

struct World {
  std::array<std::mutex, 3> mutexes;
  std::array<long, 3> under_mutex{};  // each under the mutex of the same number
  std::recursive_mutex recursive;
  std::timed_mutex timed;
  std::shared_mutex shared;
  pthread_spinlock_t spin;
  std::array<long, 4> under_other{};  // recursive, timed, shared, spin
  std::atomic<long> wide{0};
  std::atomic<short> narrow{0};
  std::atomic<unsigned char> byte{0};
  std::array<std::unique_ptr<std::vector<long>>, 2> mailbox;  // under mutexes[0]
  void* mapped = nullptr;                                     // a page or null; under mutexes[1]
  std::atomic<int> signals{0};
  alignas(64) volatile unsigned char unprotected[32] = {};  // data races, on purpose
  char* plugin = nullptr;                                   // path of a shared library
};

extern World world;

// What one thread is doing.
struct Worker {
  std::mt19937_64 random;
  std::uint64_t sum = 0;
  int depth = 0;  // of threads within threads

  unsigned below(unsigned bound) { return static_cast<unsigned>(random() % bound); }
  void note(std::uint64_t value) { sum = sum * 1'000'003 + value; }
};

using Action = void (*)(Worker&);

// What actions there are, by what they use.
std::span<const Action> memory_actions();
std::span<const Action> lock_actions();
std::span<const Action> thread_actions();
std::span<const Action> signal_actions();
std::span<const Action> jump_actions();
std::span<const Action> process_actions();

// Something that one thread gives and another one, later, takes. `kind` says by which means.
struct Handover {
  static constexpr unsigned kKinds = 9;
  unsigned kind = 0;
  long payload = 0;  // written by who gives, read and written by who takes
  sem_t semaphore;
  std::binary_semaphore binary{0};
  std::latch latch{1};
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::atomic<int> flag{0};
  std::promise<void> promise;
  int pipe[2] = {-1, -1};

  void prepare(unsigned which);
  void give();
  void take();
};

// A name that no other block has: of blocks with one name, a refuted one is told once.
inline std::string fresh(const char* what) {
  static std::atomic<unsigned> count{0};
  omnium_ignore_begin();
  std::string name = what + (" " + std::to_string(count++));
  omnium_ignore_end();
  return name;
}

// A lock that is taken and given back by hand, and what to do in between.
template <typename Lock, typename Do>
void locked(Lock& lock, Do action) {
  const std::lock_guard guard(lock);
  action();
}

}  // namespace torture
