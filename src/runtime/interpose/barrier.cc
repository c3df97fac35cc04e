// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers: the arrivals of a round precede its departures. As many threads as the barrier counts
// make a round. Others wait here until all of these have left; so it is certain who meets whom,
// even if a thread is interrupted between its arrival here and the real one.
#include <pthread.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_barrier_init);
OMNIUM_REAL(pthread_barrier_destroy);
OMNIUM_REAL(pthread_barrier_wait);

struct Barrier {
  const void* address;
  std::uint64_t number;  // no other barrier has had it
  unsigned count;        // number of arrivals in a round
  unsigned arrived;      // in this round
  unsigned departed;
  Meeting meeting;

  void clear() {
    number = 0;
    count = arrived = departed = 0;
    reset(meeting);
  }
  bool is_full() const { return arrived == count; }

  void arrive(Pc pc) {
    if (arrived++ == 0) reset(meeting);
    contribute(meeting, address, pc);
  }
  void depart(Pc pc) {
    collect(meeting, address, pc);
    if (++departed == count) arrived = departed = 0;
  }
};
ObjectTable<Barrier, 1 << 10> barriers;

// The number of the barrier; 0 if it is not known.
std::uint64_t arrive(const void* address, Pc pc) {
  Patience patience;
  for (bool patient = true;; patient = patience.pause()) {
    const ObjectsLock lock;
    Barrier* barrier = lock ? barriers.find(address) : nullptr;
    if (barrier == nullptr) return 0;
    if (!barrier->is_full()) {
      barrier->arrive(pc);
      return barrier->number;
    }
    if (patient) continue;
    barriers.forget(address);
    return 0;
  }
}

void depart(const void* address, std::uint64_t number, Pc pc) {
  const ObjectsLock lock;
  Barrier* barrier = lock && number != 0 ? barriers.find(address) : nullptr;
  if (barrier != nullptr && barrier->number == number) barrier->depart(pc);
}

// Threads of the last round may still have to depart when another one destroys the barrier.
void forget_barrier(const void* address) {
  Patience patience;
  for (bool patient = true;; patient = patience.pause()) {
    const ObjectsLock lock;
    const Barrier* barrier = lock ? barriers.find(address) : nullptr;
    if (barrier == nullptr) return;
    if (barrier->is_full() && patient) continue;
    return barriers.forget(address);
  }
}

bool is_shared_with_processes(const pthread_barrierattr_t* attributes) {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) pthread_barrierattr_getpshared(attributes, &shared);
  return shared == PTHREAD_PROCESS_SHARED;
}

}  // namespace

void forget_barriers(std::uintptr_t begin, std::uintptr_t end) {
  barriers.forget_range(begin, end);
}

OMNIUM_INTERPOSE int pthread_barrier_init(pthread_barrier_t* barrier,
                                          const pthread_barrierattr_t* attributes,
                                          unsigned count) noexcept {
  const int result = real_pthread_barrier_init(barrier, attributes, count);
  // How many of the threads that meet there are in this process is not known.
  if (result != 0 || is_shared_with_processes(attributes)) return result;
  const ObjectsLock lock;
  if (!lock) return result;
  static std::uint64_t made = 0;
  note_object(barrier);
  Barrier& known = barriers.insert(barrier);
  known.count = count;
  known.number = ++made;
  return result;
}

OMNIUM_INTERPOSE int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  const int result = real_pthread_barrier_destroy(barrier);
  if (result == 0) forget_barrier(barrier);
  return result;
}

OMNIUM_INTERPOSE int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  OMNIUM_BEFORE_ACQUIRE(barrier);
  return call_away([&] {
    const std::uint64_t number = arrive(barrier, pc);
    const int result = real_pthread_barrier_wait(barrier);
    depart(barrier, number, pc);
    return result;
  });
}

}  // namespace omnium::runtime
