// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which events are ordered by forks and joins alone? A stretch is what a thread does between two of
// its forks. Forks and joins inside of blocks do not count, because the order that they make can be
// part of a finding (docs/runtime/recording.md).
#pragma once

#include <cstdint>
#include <vector>

namespace omnium::decode {

class ForkJoinOrder {
 public:
  // Threads are given by their indices in the log.
  explicit ForkJoinOrder(std::size_t threads);

  void fork(std::uint32_t thread, std::uint32_t child);
  void join(std::uint32_t thread, std::uint32_t child);
  void begin(std::uint32_t thread) { ++threads_[thread].depth; }
  void end(std::uint32_t thread) {
    if (threads_[thread].depth != 0) --threads_[thread].depth;
  }

  // The stretch that the thread is in now.
  std::uint32_t stretch_of(std::uint32_t thread) const { return threads_[thread].stretch; }
  // Is the stretch the thread's own, or did it end before what the thread does next?
  bool precedes(std::uint32_t stretch, std::uint32_t thread) const;

 private:
  // Nothing is known about further threads: the memory needed is the square of this.
  static constexpr std::uint32_t kMaxThreads = 1024;

  struct Stretch {
    std::uint32_t thread;
    std::uint32_t number;  // among the stretches of the thread, from 1
  };
  struct Thread {
    std::uint32_t stretch;
    std::uint32_t depth = 0;           // of open blocks
    std::vector<std::uint32_t> known;  // by thread: its stretches up to this number precede ours
  };

  void learn(std::uint32_t thread, std::uint32_t other);

  std::vector<Thread> threads_;
  std::vector<Stretch> stretches_;
};

}  // namespace omnium::decode
