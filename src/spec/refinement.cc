// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/refinement.h"

#include <algorithm>

#include <fmt/format.h>

#include "finding/witness_signature.h"

namespace omnium {

void Refinement::start_trace(std::string path, const Names& names) {
  add(here_, refuted_);
  start_again();
  path_ = std::move(path);
  names_ = &names;
}

void Refinement::start_again() {
  here_.clear();
  open_.clear();
}

void Refinement::add(const RefutedChains& more, RefutedChains& to) {
  for (const auto& [chain, refuted] : more) {
    Refuted& total = to[chain];
    if (total.blocks == 0) total.example = refuted.example;
    total.blocks += refuted.blocks;
    total.witnesses.insert(refuted.witnesses.begin(), refuted.witnesses.end());
  }
}

void Refinement::add(const Refinement& more) {
  add(here_, refuted_);
  start_again();
  for (const RefutedChains* chains : {&more.refuted_, &more.here_}) {
    RefutedChains renamed;
    for (const auto& [chain, refuted] : *chains) {
      Chain labels;
      for (const Label label : chain) labels.push_back(labels_.intern(more.labels_.name(label)));
      renamed.emplace(std::move(labels), refuted);
    }
    add(renamed, refuted_);
  }
}

Refinement::Label Refinement::global(LabelId label) {
  return labels_.intern(names_->labels.name(label.v));
}

void Refinement::refuted(RefutedBlock refuted) {
  const std::uint32_t thread = refuted.block.thread.v;
  if (open_.size() <= thread) open_.resize(thread + 1);
  // The blocks around this one were refuted before it, so they are the first `depth` of the chain.
  Chain& chain = open_[thread];
  chain.resize(refuted.depth);
  chain.push_back(global(refuted.block.label));
  Refuted& found = here_[chain];
  if (found.blocks++ == 0) {
    found.example = fmt::format("{}, event {}", path_, refuted.block.begin);
  }
  found.witnesses.insert(witness_signature(refuted.witness, *names_));
}

std::vector<RefinementRound> Refinement::rounds() const {
  std::vector<RefinementRound> rounds;
  RefutedChains all = refuted_;
  add(here_, all);
  std::set<Label> dropped;
  do {
    std::map<Label, Refuted> found;  // of blocks that are outermost in this round
    for (const auto& [chain, refuted] : all) {
      const bool outermost = std::all_of(chain.begin(), chain.end() - 1,
                                         [&](Label label) { return dropped.contains(label); });
      if (!outermost || dropped.contains(chain.back())) continue;
      Refuted& total = found[chain.back()];
      if (total.example.empty()) total.example = refuted.example;
      total.blocks += refuted.blocks;
      total.witnesses.insert(refuted.witnesses.begin(), refuted.witnesses.end());
    }
    RefinementRound& round = rounds.emplace_back();
    for (const auto& [label, total] : found) {
      round.dropped.push_back(
          {std::string(labels_.name(label)), total.blocks, total.witnesses.size(), total.example});
      round.violations += total.blocks;
      round.distinct_witnesses += total.witnesses.size();
      dropped.insert(label);
    }
    std::ranges::sort(round.dropped, {}, &RefinementRound::Dropped::label);
  } while (!rounds.back().dropped.empty());
  return rounds;
}

}  // namespace omnium
