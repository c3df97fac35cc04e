// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Locks and atomic operations. Updates that are split over two critical sections are on purpose.
#include "torture.h"

namespace torture {
namespace {

void add(Worker& self) {
  const unsigned which = self.below(3);
  locked(world.mutexes[which], [&] { world.under_mutex[which] += 1; });
}

void split_add(Worker& self) {
  const unsigned which = self.below(3);
  long seen = 0;
  locked(world.mutexes[which], [&] { seen = world.under_mutex[which]; });
  locked(world.mutexes[which], [&] { world.under_mutex[which] = seen + 1; });
}

void transfer(Worker& self) {
  const unsigned from = self.below(3), to = (from + 1 + self.below(2)) % 3;
  const std::scoped_lock both(world.mutexes[from], world.mutexes[to]);
  world.under_mutex[from] -= 1;
  world.under_mutex[to] += 1;
}

void try_add(Worker& self) {
  const unsigned which = self.below(3);
  const std::unique_lock attempt(world.mutexes[which], std::try_to_lock);
  if (attempt) world.under_mutex[which] += 1;
}

void recursive_add(Worker&) {
  const std::lock_guard outer(world.recursive);
  locked(world.recursive, [] { world.under_other[0] += 1; });
}

void timed_add(Worker&) {
  const std::unique_lock attempt(world.timed, std::chrono::milliseconds(1));
  if (attempt) world.under_other[1] += 1;
}

void share(Worker& self) {
  if (self.below(3) == 0) {
    locked(world.shared, [] { world.under_other[2] += 1; });
  } else {
    const std::shared_lock lock(world.shared);
    static_cast<void>(*static_cast<volatile long*>(&world.under_other[2]));
  }
}

void spin(Worker&) {
  pthread_spin_lock(&world.spin);
  world.under_other[3] += 1;
  pthread_spin_unlock(&world.spin);
}

void update_atomics(Worker& self) {
  switch (self.below(5)) {
    case 0: world.wide += 1; break;
    case 1: world.narrow.exchange(1); break;
    case 2: world.byte.store(static_cast<unsigned char>(self.below(9))); break;
    case 3: static_cast<void>(world.wide.load()); break;
    default: {
      long seen = world.wide.load(std::memory_order_relaxed);
      while (!world.wide.compare_exchange_weak(seen, seen + 2)) {
      }
    }
  }
}

void stale_update(Worker&) {
  const long seen = world.wide;
  world.wide = seen + 1;
}

constexpr Action kActions[] = {add,       split_add, transfer, try_add,        recursive_add,
                               timed_add, share,     spin,     update_atomics, stale_update};

}  // namespace

std::span<const Action> lock_actions() { return kActions; }

}  // namespace torture
