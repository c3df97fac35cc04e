// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/symmetry.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace omnium::model {

namespace {

template <class Visit>
void for_each_thread(ThreadSet set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::uint32_t>(std::countr_zero(set)));
}

}  // namespace

Symmetry::Symmetry(const Model& model, const Layout& layout) : layout_(layout) {
  std::map<std::int32_t, Group> groups;
  for (std::uint32_t t = 0; t < model.threads.size(); ++t) {
    if (model.threads[t].group != kNone) groups[model.threads[t].group].push_back(t);
  }
  for (auto& [first, group] : groups) {
    if (group.size() > 1) groups_.push_back(std::move(group));
  }
  order_.resize(model.threads.size());
  std::iota(order_.begin(), order_.end(), 0u);
  place_.resize(model.threads.size());
  held_.resize(model.threads.size());
}

void Symmetry::sort_copies(State& state) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::fill(held_.begin(), held_.end(), 0u);
  for (std::uint32_t i = 0; i < layout_.locks(); ++i) {
    const std::int32_t owner = state.slots[layout_.lock(i)];
    // Two sets of locks with one sum cost some merging and nothing else.
    if (owner > 0) held_[static_cast<std::size_t>(owner - 1)] += std::uint64_t{i} * i + 1;
    if (layout_.readers(i) == Layout::kNoReaders) continue;
    const auto readers = static_cast<ThreadSet>(state.slots[layout_.readers(i)]);
    for_each_thread(readers, [&](std::uint32_t t) { held_[t] += std::uint64_t{i} * i + 1; });
  }
  bool moved = false;
  for (const Group& group : groups_) moved |= sort_group(state, group);
  if (moved) apply(state);
}

// What does not depend on how the copies are numbered.
int Symmetry::compare(const State& state, std::uint32_t a, std::uint32_t b, ThreadSet group) const {
  const std::int32_t* first = state.slots.data() + layout_.pc(a);
  const std::int32_t* second = state.slots.data() + layout_.pc(b);
  for (std::uint32_t i = 0; i <= layout_.slot_count(a); ++i) {
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  }
  if (held_[a] != held_[b]) return held_[a] < held_[b] ? -1 : 1;
  Row one = state.rows[a];
  Row two = state.rows[b];
  const int reached_one = std::popcount(one.threads & group);
  const int reached_two = std::popcount(two.threads & group);
  // Copies that somebody forks or joins are in no group.
  one.threads &= ~group;
  two.threads &= ~group;
  if (one != two) return one < two ? -1 : 1;
  return reached_one - reached_two;
}

bool Symmetry::sort_group(const State& state, const Group& group) {
  ThreadSet all = 0;
  for (const std::uint32_t t : group) all |= ThreadSet{1} << t;
  bool moved = false;
  // Insertion sort: groups are small and mostly in order, since one thread moved.
  for (std::size_t i = 1; i < group.size(); ++i) {
    const std::uint32_t t = order_[group[i]];
    std::size_t j = i;
    while (j > 0 && compare(state, t, order_[group[j - 1]], all) < 0) {
      order_[group[j]] = order_[group[j - 1]];
      --j;
    }
    order_[group[j]] = t;
    moved |= j != i;
  }
  return moved;
}

ThreadSet Symmetry::moved(ThreadSet threads) const {
  ThreadSet out = 0;
  for_each_thread(threads, [&](std::uint32_t t) { out |= ThreadSet{1} << place_[t]; });
  return out;
}

void Symmetry::apply(State& state) {
  before_ = state;
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    state.rows[i] = before_.rows[order_[i]];
    if (order_[i] != i) {
      std::copy_n(before_.slots.begin() + layout_.pc(order_[i]), 1 + layout_.slot_count(i),
                  state.slots.begin() + layout_.pc(i));
    }
    state.rows[i].threads = moved(state.rows[i].threads);
  }
  for (std::uint32_t i = 0; i < layout_.locks(); ++i) {
    std::int32_t& owner = state.slots[layout_.lock(i)];
    if (owner > 0)
      owner = static_cast<std::int32_t>(place_[static_cast<std::size_t>(owner - 1)]) + 1;
    if (layout_.readers(i) == Layout::kNoReaders) continue;
    std::int32_t& readers = state.slots[layout_.readers(i)];
    readers = static_cast<std::int32_t>(moved(static_cast<ThreadSet>(readers)));
  }
}

}  // namespace omnium::model
