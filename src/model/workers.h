// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Work that is shared by a few threads: each takes the next item until none is left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace omnium::model {

// Calls work(worker, item) for every item below `items`; worker is below `workers`. A worker stops
// when work returns false. Returns how many items were worked on: the first ones.
template <class Work>
std::size_t share(std::uint32_t workers, std::size_t items, Work&& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&](std::uint32_t worker) {
    for (std::size_t item = next++; item < items; item = next++) {
      if (!work(worker, item)) return;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::uint32_t i = 1; i < workers && i < items; ++i) others.emplace_back(run, i);
    run(0);
  }
  return std::min(next.load(), items);
}

}  // namespace omnium::model
