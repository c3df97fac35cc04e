// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers of the C++ library, through the header that stands before <barrier>. The arrivals of a
// round precede its departures. Who arrives need not wait, so nobody knows when all have departed:
// two meetings alternate, since threads can arrive for the next round while others have yet to
// depart from this one. A thread that departs so late that its meeting is in use for another round
// collects nothing.
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

struct Barrier {
  const void* address;
  long count;               // number of arrivals in a round
  long arrived;             // in this round
  long dropped;             // arrivals that later rounds do not expect
  std::uint64_t round;      // from 1
  std::uint64_t serves[2];  // the round of each meeting
  Meeting meetings[2];

  void clear() {
    count = arrived = dropped = 0;
    round = 1;
    for (int i = 0; i < 2; ++i) {
      serves[i] = 0;
      reset(meetings[i]);
    }
  }
};
ObjectTable<Barrier, 1 << 10> barriers;

void created(const void* address, long count) {
  const ObjectsLock lock;
  if (!lock) return;
  note_object(address);
  barriers.insert(address).count = count;
}

Meeting& meeting_of(Barrier& barrier, std::uint64_t round) {
  const std::uint64_t which = round % 2;
  if (barrier.serves[which] != round) {
    reset(barrier.meetings[which]);
    barrier.serves[which] = round;
  }
  return barrier.meetings[which];
}

// The number of the round; 0 if the barrier is not known.
std::uint64_t arrive(const void* address, long arrivals, bool drops, Pc pc) {
  const ObjectsLock lock;
  Barrier* barrier = lock ? barriers.find(address) : nullptr;
  if (barrier == nullptr) return 0;
  const std::uint64_t round = barrier->round;
  contribute(meeting_of(*barrier, round), address, pc);
  if (drops) ++barrier->dropped;
  barrier->arrived += arrivals;
  if (barrier->arrived >= barrier->count) {
    barrier->count -= barrier->dropped;
    barrier->arrived = barrier->dropped = 0;
    ++barrier->round;
  }
  return round;
}

// What the completion of the round did precedes its departures, too.
void complete(const void* address, std::uint64_t round, Pc pc) {
  const ObjectsLock lock;
  Barrier* barrier = lock && round != 0 ? barriers.find(address) : nullptr;
  if (barrier != nullptr) contribute(meeting_of(*barrier, round), address, pc);
}

void depart(const void* address, std::uint64_t round, Pc pc) {
  const ObjectsLock lock;
  Barrier* barrier = lock && round != 0 ? barriers.find(address) : nullptr;
  if (barrier == nullptr || barrier->serves[round % 2] != round) return;
  collect(barrier->meetings[round % 2], address, pc);
}

}  // namespace

void forget_cxx_barriers(std::uintptr_t begin, std::uintptr_t end) {
  barriers.forget_range(begin, end);
}

OMNIUM_INTERPOSE void __omnium_barrier_created(const void* barrier, long expected) {
  created(barrier, expected);
}
OMNIUM_INTERPOSE unsigned long __omnium_barrier_arrival(const void* barrier, long arrivals,
                                                        bool drops) {
  return arrive(barrier, arrivals, drops, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_barrier_completed(const void* barrier, unsigned long round) {
  complete(barrier, round, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_barrier_passed(const void* barrier, unsigned long round) {
  depart(barrier, round, OMNIUM_USER_PC());
}

}  // namespace omnium::runtime
