// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The latest findings in short, for a debugger that stops the program (events/debugger.cc). What is
// sent to the watcher is longer, and is not kept.
#pragma once

#include <cstdint>

#include "runtime/state/code.h"
#include "wire/protocol.h"

namespace omnium::runtime {

class FindingDraft;

struct FoundEnd {
  Pc pc;                    // 0: not known any more
  Pc function;              // the outermost block around it, if that is a function
  char block[64];           // the block, if it is annotated; both are empty outside of blocks
  char thread_name[32];     // empty if it has none
  std::uint32_t thread;     // its number
  wire::Atomicity access;
};

struct FoundStep {
  std::uint64_t object;
  std::uint32_t kind;  // a StepKind
  std::uint32_t size;
  FoundEnd from, to;
};

struct Found {
  static constexpr std::uint32_t kSteps = 8;

  const void* seen;      // std::uint64_t: how often
  char block[64];        // the innermost block that is not atomic, if it is annotated
  Pc function;           // or the function that it is
  Pc pc;                 // where it begins
  std::uint32_t thread;  // number of its thread
  std::uint32_t blamed;  // 1: the block alone is not atomic; 0: only a cycle of transactions
  std::uint32_t step_count, unused;  // more than kSteps: only the last ones are here
  FoundStep steps[kSteps];
};

inline constexpr std::uint32_t kMostFound = 32;
extern Found found[kMostFound];    // a ring
extern std::uint32_t found_count;  // ever

// Must be called under the lock of the reach engine, once for each finding that is certain.
void note_found(const FindingDraft& draft);

}  // namespace omnium::runtime
