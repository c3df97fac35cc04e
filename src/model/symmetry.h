// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Copies of a thread that nothing tells apart: of all states that differ only in which copy is
// which, one is explored.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state.h"

namespace omnium::model {

class Symmetry {
 public:
  Symmetry(const Model& model, const Layout& layout);

  bool any() const { return !groups_.empty(); }

  // Puts the copies of each thread into order. Afterwards order()[i] is the thread that was moved
  // to place i.
  void sort_copies(State& state);
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  using Group = std::vector<std::uint32_t>;

  bool sort_group(const State& state, const Group& group);
  int compare(const State& state, std::uint32_t a, std::uint32_t b, ThreadSet group) const;
  void apply(State& state);
  ThreadSet moved(ThreadSet threads) const;

  const Layout& layout_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_;  // the inverse
  std::vector<std::uint64_t> held_;   // per thread: a sum over the locks that it holds
  State before_;
};

}  // namespace omnium::model
