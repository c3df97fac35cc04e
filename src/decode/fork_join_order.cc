// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/fork_join_order.h"

#include <algorithm>

namespace omnium::decode {

ForkJoinOrder::ForkJoinOrder(std::size_t threads) {
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    threads_.push_back({thread, 0, {}});
    stretches_.push_back({thread, 1});
  }
}

// Whatever the other thread did up to now, and whatever it knows, precedes all that the thread does
// from now on.
void ForkJoinOrder::learn(std::uint32_t thread, std::uint32_t other) {
  if (thread >= kMaxThreads || other >= kMaxThreads) return;
  auto& known = threads_[thread].known;
  const auto& others = threads_[other].known;
  known.resize(std::max({known.size(), others.size(), std::size_t{other} + 1}));
  std::ranges::transform(others, known, known.begin(),
                         [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  known[other] = stretches_[threads_[other].stretch].number;
}

void ForkJoinOrder::fork(std::uint32_t thread, std::uint32_t child) {
  Thread& parent = threads_[thread];
  if (parent.depth != 0) return;
  learn(child, thread);
  const std::uint32_t number = stretches_[parent.stretch].number + 1;
  parent.stretch = static_cast<std::uint32_t>(stretches_.size());
  stretches_.push_back({thread, number});
}

void ForkJoinOrder::join(std::uint32_t thread, std::uint32_t child) {
  if (threads_[thread].depth == 0) learn(thread, child);
  threads_[child].known = {};
}

bool ForkJoinOrder::precedes(std::uint32_t stretch, std::uint32_t thread) const {
  const Stretch& earlier = stretches_[stretch];
  const auto& known = threads_[thread].known;
  return earlier.thread == thread ||
         (earlier.thread < known.size() && earlier.number <= known[earlier.thread]);
}

}  // namespace omnium::decode
