// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/pattern.h"

#include <set>

#include <fmt/format.h>

#include "support/check.h"

namespace omnium {

namespace {

std::uint32_t transactions_of(std::span<const WitnessStep> steps) {
  std::set<BlockRef> blocks;
  for (const WitnessStep& step : steps) {
    blocks.insert(step.from);
    blocks.insert(step.to);
  }
  return static_cast<std::uint32_t>(blocks.size());
}

// a, b, c: does the block, the other transaction, the block again write the one variable?
PatternName one_variable(const Dependency& out, const Dependency& back) {
  const bool first = source_writes(out.kind);
  const bool last = sink_writes(back.kind);
  if (!first) return last ? PatternName::kLostUpdate : PatternName::kUnrepeatableRead;
  if (!last) return PatternName::kOverwrittenWrite;
  return sink_writes(out.kind) ? PatternName::kDirtyWrite : PatternName::kDirtyRead;
}

PatternName two_variables(const Dependency& out, const Dependency& back) {
  const bool first = source_writes(out.kind);
  const bool last = sink_writes(back.kind);
  if (first && last) return PatternName::kTornUpdate;
  if (!first && !last) return PatternName::kReadSkew;
  if (!first) {
    return source_writes(back.kind) ? PatternName::kStaleCheck : PatternName::kWriteSkew;
  }
  return sink_writes(out.kind) ? PatternName::kCycle : PatternName::kBrokenHandOver;
}

PatternName two_steps(const WitnessStep& out, const WitnessStep& back, std::uint32_t transactions) {
  const Dependency& first = out.dependency;
  const Dependency& last = back.dependency;
  const bool same_object = first.object == last.object;
  if (first.kind == DependencyKind::kReleaseAcquire && last.kind == first.kind && same_object) {
    return PatternName::kSplitSection;
  }
  if (first.kind == DependencyKind::kFork && last.kind == DependencyKind::kJoin && same_object) {
    return PatternName::kForkAndJoin;
  }
  if (transactions != 2 || !is_data(first.kind) || !is_data(last.kind)) return PatternName::kCycle;
  return same_object ? one_variable(first, last) : two_variables(first, last);
}

}  // namespace

bool is_data(DependencyKind kind) {
  return kind == DependencyKind::kWriteRead || kind == DependencyKind::kReadWrite ||
         kind == DependencyKind::kWriteWrite;
}

bool source_writes(DependencyKind kind) {
  return kind == DependencyKind::kWriteRead || kind == DependencyKind::kWriteWrite;
}

bool sink_writes(DependencyKind kind) {
  return kind == DependencyKind::kReadWrite || kind == DependencyKind::kWriteWrite;
}

Pattern pattern_of(std::span<const WitnessStep> steps) {
  if (steps.empty()) return {};
  const std::uint32_t transactions = transactions_of(steps);
  if (steps.size() != 2) return {PatternName::kCycle, transactions};
  return {two_steps(steps[0], steps[1], transactions), transactions};
}

std::string to_string(const Pattern& pattern) {
  switch (pattern.name) {
    case PatternName::kUnknown: return "";
    case PatternName::kLostUpdate: return "lost update";
    case PatternName::kUnrepeatableRead: return "unrepeatable read";
    case PatternName::kDirtyRead: return "dirty read";
    case PatternName::kOverwrittenWrite: return "overwritten write";
    case PatternName::kDirtyWrite: return "dirty write";
    case PatternName::kReadSkew: return "read skew";
    case PatternName::kWriteSkew: return "write skew";
    case PatternName::kStaleCheck: return "stale check";
    case PatternName::kTornUpdate: return "torn update";
    case PatternName::kBrokenHandOver: return "broken hand-over";
    case PatternName::kSplitSection: return "split critical section";
    case PatternName::kForkAndJoin: return "fork and join";
    case PatternName::kCycle: return fmt::format("cycle of {} transactions", pattern.transactions);
  }
  CHECK(false);
}

}  // namespace omnium
