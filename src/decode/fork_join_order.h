// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which events do forks and joins put in order, without any other? What a thread does between two
// of its forks is a stretch. Forks and joins inside of blocks do not count: what they order can be
// a part of a finding (docs/runtime/recording.md).
#pragma once

#include <cstdint>
#include <vector>

namespace omnium::decode {

class ForkJoinOrder {
 public:
  // Threads are indices of the log.
  explicit ForkJoinOrder(std::size_t threads);

  void fork(std::uint32_t thread, std::uint32_t child);
  void join(std::uint32_t thread, std::uint32_t child);
  void begin(std::uint32_t thread) { ++threads_[thread].depth; }
  void end(std::uint32_t thread) {
    if (threads_[thread].depth != 0) --threads_[thread].depth;
  }

  // The stretch that the thread is in.
  std::uint32_t stretch_of(std::uint32_t thread) const { return threads_[thread].stretch; }
  // Is the stretch over before the thread goes on, or its own?
  bool precedes(std::uint32_t stretch, std::uint32_t thread) const;

 private:
  // Of the others nothing is known: memory is bounded by its square.
  static constexpr std::uint32_t kMaxThreads = 1024;

  struct Stretch {
    std::uint32_t thread;
    std::uint32_t number;  // of the thread's stretches, from 1
  };
  struct Thread {
    std::uint32_t stretch;
    std::uint32_t depth = 0;           // of open blocks
    std::vector<std::uint32_t> known;  // by thread: its stretches up to this one are before ours
  };

  void learn(std::uint32_t thread, std::uint32_t other);

  std::vector<Thread> threads_;
  std::vector<Stretch> stretches_;
};

}  // namespace omnium::decode
