// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Iterative refinement of a specification: drop the blocks that were found not to be atomic, check
// again (the blocks inside them are the outermost now), until nothing is found.
//
// One pass over each trace is enough. Whether a block is refuted depends on the order of events
// alone, not on what else is called atomic, and a block around a refuted one is refuted too. So the
// dropped labels are those of all refuted blocks, and the rounds can be replayed from the labels
// around each of them: docs/algorithms/refinement.md.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "event/names.h"
#include "finding/finding.h"
#include "support/interner.h"

namespace omnium {

struct RefinementRound {
  struct Dropped {
    std::string label;
    std::uint64_t violations;  // transactions of this label that had a violation in this round
    std::uint64_t distinct_witnesses;  // sequences of blocks that showed it
    std::string example;               // "run.omt, event 812"
  };
  std::vector<Dropped> dropped;  // by label
  std::uint64_t violations = 0;
  std::uint64_t distinct_witnesses = 0;
};

// Collects refuted blocks over any number of traces.
class Refinement final : public FindingSink {
 public:
  // The findings that follow are of this trace, which the names belong to.
  void start_trace(std::string path, const Names& names);

  // Adds what was collected elsewhere, of traces after these.
  void add(const Refinement& more);

  // What the naive loop would do, round by round; the last round finds nothing.
  std::vector<RefinementRound> rounds() const;

  void violation(Violation) override {}
  void repeated_instance() override {}
  void refuted(RefutedBlock refuted) override;
  void transaction_ended(const BlockRef&, EventIndex) override {}
  void not_serializable(Cycle) override {}
  void start_again() override;
  bool every_instance() const override { return false; }
  bool wants_block_witnesses() const override { return true; }

 private:
  using Label = std::uint32_t;
  using Chain = std::vector<Label>;  // labels of open blocks, outermost first
  struct Refuted {
    std::uint64_t blocks = 0;
    std::set<std::string> witnesses;
    std::string example;
  };

  Label global(LabelId label);

  using RefutedChains = std::map<Chain, Refuted>;
  static void add(const RefutedChains& more, RefutedChains& to);

  support::Interner labels_;  // of all traces
  RefutedChains refuted_;     // of the traces before this one
  RefutedChains here_;        // of this trace
  std::string path_;
  const Names* names_ = nullptr;
  std::vector<Chain> open_;  // per thread: labels of the refuted blocks that are open
};

}  // namespace omnium
