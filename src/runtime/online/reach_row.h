// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The rows ER and TR of one open block [docs/algorithms/reach.md], and by which dependencies it
// reached what it reaches. The dependencies are a list in the order of their arrival: a link
// depends only on links before it, so every path through them leads back to the block, whatever was
// reached anew or earlier meanwhile, and whichever threads have ended (docs/runtime/online.md,
// "Witnesses").
//
// Everything here is used under the lock of the reach engine.
#pragma once

#include <cstdint>

#include "runtime/state/code.h"
#include "runtime/state/epoch.h"
#include "runtime/state/thread.h"
#include "wire/protocol.h"

namespace omnium::runtime {

// A dependency by which a row reached a thread, or an earlier transaction of the thread.
struct ReachLink {
  std::uint64_t time;       // of the sink
  std::uint64_t from_time;  // of the source
  std::uint64_t object;
  Pc pc;  // of the sink
  ThreadRef thread, from;
  TxnRef txn, from_txn;
  std::uint32_t parent;  // ER: the link by which the row reached the source
  wire::StepKind kind;
  std::uint8_t size;
  wire::Atomicity atomicity;
  bool in_event, in_txn;  // part of ER, of TR
};

inline constexpr std::uint32_t kMaxLinks = 4096;
inline constexpr std::uint32_t kNoLink = ~std::uint32_t{0};

// Links from a row's own block on, in order.
struct ReachPath {
  std::uint32_t links[kMaxLinks];
  std::uint32_t count;
  bool complete;
};

class ReachRow {
 public:
  ThreadState* owner;
  std::uint64_t begin;
  std::uint32_t depth;
  std::uint32_t place;  // in the list of all rows

  void start(ThreadState& thread, std::uint32_t block_depth, std::uint64_t begin_time);

  bool has_event(std::uint32_t index) const { return is_set(event_set_, index); }
  bool reaches_event(const ThreadState& thread, std::uint64_t time) const {
    return has_event(thread.index) && event_[thread.index].time <= time;
  }
  std::uint64_t event_reached(std::uint32_t index) const {
    return has_event(index) ? event_[index].time : kNotReached;
  }
  std::uint64_t txn_reached(std::uint32_t index) const {
    return is_set(txn_set_, index) ? txn_[index].time : kNotReached;
  }

  // Rules 4 and 5: the row reaches the sink of the link, in ER, TR, or both.
  void reach(ReachLink link, bool in_event, bool in_txn);
  // The second half of rule 5: what the other row's transaction reaches, this one reaches as well.
  void merge_txns(const ReachRow& other);
  // The state of the thread is about to be used for another thread.
  void forget(std::uint32_t index);

  // How the row reached an event, in ER or in TR.
  void find_event_path(const ThreadState& thread, ReachPath& path) const;
  void find_txn_path(const ThreadState& thread, std::uint64_t time, ReachPath& path) const;
  const ReachLink& link(std::uint32_t number) const { return links_[number]; }

  // Calls visit(index) for each thread that TR reaches.
  template <class Visit>
  void for_each_txn(Visit&& visit) const {
    for (std::uint32_t word = 0; word < kMaxThreads / 64; ++word) {
      for (std::uint64_t bits = txn_set_[word]; bits != 0; bits &= bits - 1) {
        visit(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
      }
    }
  }

 private:
  struct Reached {
    std::uint64_t time;
    std::uint32_t link;
  };
  using Set = std::uint64_t[kMaxThreads / 64];

  static bool is_set(const Set& set, std::uint32_t index) {
    return (set[index / 64] >> index % 64 & 1) != 0;
  }
  static void put(Set& set, std::uint32_t index) {
    set[index / 64] |= std::uint64_t{1} << index % 64;
  }

  bool make_room();
  std::uint32_t add(const ReachLink& link);
  void find_ways() const;
  void remove_unused();

  Set event_set_, txn_set_;
  Reached event_[kMaxThreads];
  Reached txn_[kMaxThreads];
  std::uint32_t link_count_;
  bool full_;  // further links are not kept
  ReachLink links_[kMaxLinks];
};

}  // namespace omnium::runtime
