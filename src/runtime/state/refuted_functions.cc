// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/refuted_functions.h"

#include <atomic>

#include "wire/protocol.h"

namespace omnium::runtime {

namespace {

struct Entry {
  std::atomic<Pc> function;  // 0: unused
  std::atomic<bool> refuted, dropped, body;
};
// A hash table without deletion, at most half full.
constexpr std::size_t kEntries = 2 * wire::kMaxRefuted;
Entry entries[kEntries];
std::atomic<std::size_t> used;  // grows under the lock of the reach engine

// The entry of the function, or the unused one where it would be.
Entry& find(Pc function) {
  std::size_t at = static_cast<std::size_t>((function * 0x9E3779B97F4A7C15u) >> 32) % kEntries;
  for (;; at = (at + 1) % kEntries) {
    const Pc there = entries[at].function.load(std::memory_order_acquire);
    if (there == function || there == 0) return entries[at];
  }
}

// The function's entry; null if there is no room.
Entry* add(Pc function) {
  Entry& entry = find(function);
  if (entry.function.load(std::memory_order_relaxed) != 0) return &entry;
  if (used.load(std::memory_order_relaxed) == wire::kMaxRefuted) return nullptr;
  used.fetch_add(1, std::memory_order_release);
  entry.function.store(function, std::memory_order_release);
  return &entry;
}

}  // namespace

void note_refuted(Pc function) {
  if (Entry* entry = add(function)) entry->refuted.store(true, std::memory_order_relaxed);
}

void drop_function(Pc function) {
  if (Entry* entry = add(function)) entry->dropped.store(true, std::memory_order_relaxed);
}

void note_body(Pc function) {
  drop_function(function);
  if (Entry* entry = add(function)) entry->body.store(true, std::memory_order_relaxed);
}

// An unused entry says no to everything.
bool is_dropped(Pc function) { return find(function).dropped.load(std::memory_order_relaxed); }

bool is_body(Pc function) { return find(function).body.load(std::memory_order_relaxed); }

bool is_known_not_atomic(Pc function) {
  const Entry& entry = find(function);
  return entry.refuted.load(std::memory_order_relaxed) ||
         entry.dropped.load(std::memory_order_relaxed);
}

std::size_t refuted_functions(Pc* to, std::size_t most) {
  std::size_t count = 0;
  if (used.load(std::memory_order_acquire) == 0) return count;
  for (const Entry& entry : entries) {
    const Pc function = entry.function.load(std::memory_order_acquire);
    if (!entry.refuted.load(std::memory_order_relaxed) || count == most) continue;
    to[count++] = function;
  }
  return count;
}

}  // namespace omnium::runtime
