// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every admissible interleaving of a small recording, judged by the definition: which transactions
// are violated in one of them, and is there a cycle of transactions without a violated one? What it
// does not find does not exist.
//
// Interleavings that differ only in the order of independent events have the same answer, and one
// of them is enough (sleep sets, Godefroid 1996).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "event/check_mode.h"
#include "finding/finding.h"
#include "predict/admissible.h"

namespace omnium::predict {

// An interleaving that is not serializable.
struct Unserializable {
  BlockRef transaction;  // the block or part that is violated; of a cycle, one that is on it
  BlockRef block;        // the outermost block that it is, or is a part of
  bool cycle = false;    // no transaction is violated alone
  std::vector<EventIndex> order;
};

class Exhaustive {
 public:
  static constexpr std::size_t kMostEvents = 64;

  // A recording of at most kMostEvents events.
  Exhaustive(const Recording& recording, Waits waits);

  // Calls `found` for each violated transaction, at the first interleaving that violates it, and
  // for the first cycle without one; stops when it returns false. False if the budget was not
  // enough to see all interleavings; reduces it by the events scheduled.
  bool run(Reads reads, std::uint64_t& budget,
           const std::function<bool(const Unserializable&)>& found);

 private:
  using Mask = std::uint64_t;
  using Masks = std::array<Mask, kMostEvents>;

  void find_blocks();
  void find_relations();
  bool conflict(std::size_t a, std::size_t b) const;
  bool dependent(std::size_t a, std::size_t b) const;
  bool cuts_differ(std::size_t a, std::size_t b) const;
  void explore(Mask sleep);
  void enter(std::size_t event);
  void judge();
  bool report_violated(const std::vector<std::size_t>& part_of);
  void report_cycle(const std::vector<std::size_t>& part_of);
  BlockRef part(std::size_t event, std::size_t first) const;
  void report(Unserializable found);

  const Recording& recording_;
  Waits waits_;
  Admissible machine_;
  std::vector<std::uint32_t> threads_;                // that have events
  std::array<std::uint8_t, kMostEvents> block_of_{};  // the event that begins the outermost block
  Masks conflicts_{};         // per event: which, of other threads, it depends on
  Masks dependent_{};         // per event: whose order with it matters
  Masks before_{};            // CHB, per event that has happened
  std::vector<Masks> reach_;  // per event that has happened: which blocks reach which
  std::vector<bool> cyclic_;  // likewise: some block reaches itself
  Mask happened_ = 0;
  std::uint64_t budget_ = 0;
  bool stopped_ = false;
  bool complete_ = true;
  Mask reported_ = 0;  // transactions, by their first event
  bool reported_cycle_ = false;
  const std::function<bool(const Unserializable&)>* found_ = nullptr;
};

}  // namespace omnium::predict
