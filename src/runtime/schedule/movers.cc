// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/movers.h"

#include "runtime/schedule/place_filter.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// Locks beyond these are not known, so that what they protect looks unprotected.
constexpr std::uint32_t kMostLocks = 16;

struct ThreadReduction {
  std::uintptr_t locks[kMostLocks];
  std::uint32_t count;
  bool committed;  // the block has given a lock back, or accessed what is not protected

  bool holds(std::uintptr_t lock) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (locks[i] == lock) return true;
    }
    return false;
  }
};
thread_local ThreadReduction tls_reduction __attribute__((tls_model("initial-exec")));

// What Eraser knows of a variable: who uses it, and which locks were held each time.
struct Variable {
  static constexpr std::uint32_t kMostCandidates = 4;
  enum class Use : std::uint8_t { kByOne, kReadByMany, kWrittenByMany };

  SpinLock lock;
  Use use;
  std::uint8_t count;
  std::uint32_t owner;  // number of its only thread
  std::uintptr_t address;
  std::uintptr_t candidates[kMostCandidates];

  void start(std::uintptr_t at, std::uint32_t thread) {
    address = at;
    owner = thread;
    use = Use::kByOne;
    count = 0;
  }
  void keep_held(const ThreadReduction& mine) {
    std::uint8_t kept = 0;
    for (std::uint8_t i = 0; i < count; ++i) {
      if (mine.holds(candidates[i])) candidates[kept++] = candidates[i];
    }
    count = kept;
  }
  void take_candidates(const ThreadReduction& mine) {
    count = 0;
    while (count < kMostCandidates && count < mine.count) {
      candidates[count] = mine.locks[count];
      ++count;
    }
  }
  // Returns whether other threads may access it at the same time, and it matters.
  bool is_unprotected_after(std::uint32_t thread, bool write, const ThreadReduction& mine) {
    if (use == Use::kByOne && owner == thread) return false;
    if (use == Use::kByOne) {
      use = Use::kReadByMany;
      take_candidates(mine);
    } else {
      keep_held(mine);
    }
    if (write) use = Use::kWrittenByMany;
    return use == Use::kWrittenByMany && count == 0;
  }
};

// By address. Where two share a place, the later one is as new.
constexpr std::size_t kVariables = 1 << 15;
constexpr std::uintptr_t kGranule = 4;
constinit Variable variables[kVariables] = {};

constinit PlaceFilter known_unprotected = {};

bool is_unprotected(const ThreadState& thread, const Point& point) {
  if (known_unprotected.may_contain(point.pc)) return true;
  const std::uintptr_t address = point.address / kGranule;
  Variable& variable = variables[address * 0x9E3779B97F4A7C15u >> 49];
  const SpinGuard guard(variable.lock);
  if (variable.address != address) variable.start(address, thread.number);
  return variable.is_unprotected_after(thread.number, point.kind == PointKind::kWrite,
                                       tls_reduction);
}

}  // namespace

void know_unprotected(Pc pc) { known_unprotected.add(pc); }

bool breaks_reduction(const ThreadState& thread, const Point& point) {
  if (point.kind == PointKind::kStart) return false;
  const bool in_block = thread.depth.load(std::memory_order_relaxed) > 0;
  // Locks move to the right only: none is taken once the block has committed.
  if (point.kind == PointKind::kAcquire) return in_block && tls_reduction.committed;
  if (!is_unprotected(thread, point) || !in_block) return false;
  const bool late = tls_reduction.committed;
  tls_reduction.committed = true;
  return late;
}

void reduction_takes(std::uintptr_t lock) {
  ThreadReduction& mine = tls_reduction;
  if (mine.count < kMostLocks) mine.locks[mine.count++] = lock;
}

void reduction_gives_back(std::uintptr_t lock) {
  ThreadReduction& mine = tls_reduction;
  mine.committed = true;
  for (std::uint32_t i = 0; i < mine.count; ++i) {
    if (mine.locks[i] != lock) continue;
    mine.locks[i] = mine.locks[--mine.count];
    return;
  }
}

void reduction_begins() { tls_reduction.committed = false; }

}  // namespace omnium::runtime
