// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The name of what went wrong, from the dependencies of a cycle (docs/formats/patterns.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "finding/finding.h"

namespace omnium {

enum class PatternName : std::uint8_t {
  kUnknown,  // the engine gave no witness
  // One variable: the block, another transaction, the block again.
  kLostUpdate,        // read, write, write
  kUnrepeatableRead,  // read, write, read
  kDirtyRead,         // write, read, write
  kOverwrittenWrite,  // write, write, read
  kDirtyWrite,        // write, write, write
  // Two variables: the block and another transaction on the first, then both on the second.
  kReadSkew,        // the block read both, the other wrote both
  kWriteSkew,       // the block read the first and wrote the second, the other the reverse
  kStaleCheck,      // the block read the first and wrote the second, the other wrote both
  kTornUpdate,      // the block wrote both, the other came between
  kBrokenHandOver,  // the block wrote the first and read the second, the other the reverse
  // No variables.
  kSplitSection,  // the block released a lock and took it again, another held it in between
  kForkAndJoin,   // the block forked a thread and waited for it
  kCycle,         // of `transactions` transactions: none of the above
};

struct Pattern {
  PatternName name = PatternName::kUnknown;
  std::uint32_t transactions = 0;  // in the cycle

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// `steps` lead from a block back to it.
Pattern pattern_of(std::span<const WitnessStep> steps);

// "lost update", "cycle of 3 transactions"; empty for kUnknown.
std::string to_string(const Pattern& pattern);

// Reads and writes of a dependency between accesses.
bool is_data(DependencyKind kind);
bool source_writes(DependencyKind kind);
bool sink_writes(DependencyKind kind);

}  // namespace omnium
