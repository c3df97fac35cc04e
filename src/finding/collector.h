// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Keeps what an engine reports until a report is made of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "finding/finding.h"

namespace omnium {

class Collector final : public FindingSink {
 public:
  explicit Collector(bool every_instance) : every_instance_(every_instance) {}

  void violation(Violation violation) override;
  void repeated_instance() override { ++instances_; }
  void refuted(RefutedBlock refuted) override { refuted_.push_back(refuted.block); }
  void transaction_ended(const BlockRef& transaction, EventIndex end) override;
  void not_serializable(Cycle cycle) override { cycle_ = std::move(cycle); }
  void start_again() override { *this = Collector(every_instance_); }
  bool every_instance() const override { return every_instance_; }

  bool serializable() const { return !cycle_.has_value(); }
  const std::optional<Cycle>& cycle() const& { return cycle_; }
  std::optional<Cycle>&& cycle() && { return std::move(cycle_); }
  const std::vector<Violation>& violations() const& { return violations_; }
  std::vector<Violation>&& violations() && { return std::move(violations_); }
  const std::vector<BlockRef>& refuted() const& { return refuted_; }
  std::vector<BlockRef>&& refuted() && { return std::move(refuted_); }
  std::uint64_t instances() const { return instances_; }

 private:
  bool every_instance_;
  std::vector<Violation> violations_;
  std::vector<std::size_t> open_;  // violations whose transaction has not ended
  std::vector<BlockRef> refuted_;
  std::optional<Cycle> cycle_;
  std::uint64_t instances_ = 0;
};

}  // namespace omnium
