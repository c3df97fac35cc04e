// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The histories of the threads of a finding, with the ends of its steps in them. Where the oldest
// entries have been overwritten, the begins and acquires that must have been there are added. If an
// end of a step itself has been overwritten, its thread is *bare*: nothing is left of it but the
// ends of steps and the transactions around them, which the steps themselves know.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "event/event.h"
#include "watch/message.h"

namespace omnium::watch {

enum class Matter : std::uint8_t { kBlock, kMemory, kMutex, kSharedLock, kMeeting, kThread };

// An event of the program that becomes an event of a trace.
struct Item {
  Kind kind = Kind::kSkip;
  Matter matter = Matter::kMemory;
  std::uint8_t size = 0;
  bool witness = false;      // an end of a step
  std::uint32_t thread = 0;  // index of a Thread
  std::uint64_t object = 0;  // address, number of a thread; of a meeting: the step; of a block: the
                             // label, or kUnknownLabel
  std::uint64_t pc = 0;      // 0: not known
  std::uint64_t time = 0;
  std::uint64_t stamp = 0;  // 0: not known
  wire::Atomicity atomicity = wire::Atomicity::kPlain;
};
using ItemIndex = std::uint32_t;
// An event that may or may not have been in a block is shown in a block of unknown name.
inline constexpr std::uint64_t kUnknownLabel = ~std::uint64_t{0};

struct Histories {
  std::vector<Item> items;
  std::vector<std::vector<ItemIndex>> threads;         // of each thread, in program order
  std::vector<std::pair<ItemIndex, ItemIndex>> order;  // ends of steps: source, sink
  std::optional<ItemIndex> closing;  // the sink of the last step, if it is one event
  std::optional<ItemIndex> refuted;  // begin of the innermost block that the runtime refuted
};

// What reader-writer locks are: to an engine that takes locks for conflicts they are variables, to
// all others they are locks with a shared side.
enum class SharedLocks : std::uint8_t { kVariables, kLocks };

// With `witness_only` all threads are bare. Returns none if the message contradicts itself.
std::optional<Histories> histories_of(const FindingMessage& message, bool witness_only,
                                      SharedLocks shared_locks);

// Do the accesses have a byte in common?
bool overlap(const Item& a, const Item& b);

}  // namespace omnium::watch
