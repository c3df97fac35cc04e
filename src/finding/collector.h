// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Keeps what an engine reports until a report is made of it.
//
// If blocks are functions that nobody declared atomic, most of those that are refuted were never
// meant to be atomic. Then each function is told once, by its shortest witness, and a function that
// is refuted does not hide those that it calls: `omnium run` refines in the same way.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "finding/finding.h"

namespace omnium {

class Collector final : public FindingSink {
 public:
  enum class Wants { kFirstInstances, kRefined, kEveryInstance };
  explicit Collector(Wants wants) : wants_(wants) {}

  void violation(Violation violation) override;
  void repeated_instance() override { ++instances_; }
  void refuted(RefutedBlock refuted) override { refuted_.push_back(refuted.block); }
  void transaction_ended(const BlockRef& transaction, EventIndex end) override;
  void not_serializable(Cycle cycle) override { cycle_ = std::move(cycle); }
  void start_again() override { *this = Collector(wants_); }
  void functions_are_blocks() override { refines_ = wants_ == Wants::kRefined; }
  bool every_instance() const override { return wants_ == Wants::kEveryInstance; }
  bool wants_inner_block(const BlockRef& block) const override;

  bool serializable() const { return !cycle_.has_value(); }
  const std::optional<Cycle>& cycle() const& { return cycle_; }
  std::optional<Cycle>&& cycle() && { return std::move(cycle_); }
  const std::vector<Violation>& violations() const& { return violations_; }
  std::vector<Violation>&& violations() && { return std::move(violations_); }
  const std::vector<BlockRef>& refuted() const& { return refuted_; }
  std::vector<BlockRef>&& refuted() && { return std::move(refuted_); }
  std::uint64_t instances() const { return instances_; }
  bool refines() const { return refines_; }
  // If it refines: by function that was refuted, those that were refuted around it.
  std::map<LabelId, std::set<LabelId>>&& callers() && { return std::move(callers_); }

 private:
  struct Function {
    std::size_t violation;  // its shortest one so far
    std::uint64_t seen;
  };
  void keep_shortest(Violation violation);

  Wants wants_;
  bool refines_ = false;
  std::map<LabelId, Function> functions_;  // that were refuted, if it refines
  std::map<LabelId, std::set<LabelId>> callers_;
  std::vector<Violation> violations_;
  std::vector<std::size_t> open_;  // violations whose transaction has not ended
  std::vector<BlockRef> refuted_;
  std::optional<Cycle> cycle_;
  std::uint64_t instances_ = 0;
};

}  // namespace omnium
