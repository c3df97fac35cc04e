// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread may still do from each of its steps on: found once, before the exploration. The
// monitor forgets what no future event can bring into a cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "event/check_mode.h"
#include "model/state.h"
#include "model/steps.h"

namespace omnium::model {

using omnium::Conflicts;

struct Future {
  ObjectSet reads = 0;       // also channels that it awaits
  ObjectSet writes = 0;      // without channels: a signal conflicts with nothing before it
  ObjectSet txn_reads = 0;   // before the transaction that is open at the step ends
  ObjectSet txn_writes = 0;  // likewise
  ThreadSet joins = 0;
  ThreadSet txn_joins = 0;
  bool acts = false;         // there will be an access, a fork or a join
  bool txn_acts = false;     // there will be an access or a join before the transaction ends
  bool txn_retries = false;  // there may be a failed attempt that cuts its block before that

  friend bool operator==(const Future&, const Future&) = default;
};

// Objects that two threads use, one of them writing (channels that one signals and another awaits):
// all others conflict with nothing, and their events can be anywhere. At most 64 can be told apart.
class Futures {
 public:
  static constexpr std::uint32_t kMostObjects = 64;

  Futures(const Model& model, CheckMode mode);

  bool too_many_objects() const { return too_many_; }
  std::uint32_t object_count() const { return object_count_; }

  // The object's number, or kNone if it conflicts with nothing.
  std::int32_t object_of_cell(std::uint32_t cell) const { return cells_[cell]; }
  std::int32_t object_of_lock(std::uint32_t lock) const { return locks_[lock]; }
  std::int32_t object_of_channel(std::uint32_t channel) const { return channels_[channel]; }
  // Does more than one thread use it?
  bool contended(std::uint32_t lock) const { return contended_[lock]; }
  // May a thread find that another one holds it, and go on?
  bool watched(std::uint32_t lock) const { return watched_[lock]; }

  bool splits() const { return mode_.waits == Waits::kSplit; }
  // What of the monitor's state there is: does any block fork, or may it be cut at such a step?
  bool forks_in_blocks() const { return forks_in_blocks_; }
  bool joins_cut() const { return joins_cut_; }
  bool awaits_cut() const { return awaits_cut_; }
  bool retries_cut() const { return retries_cut_; }

  const Future& at(std::uint32_t thread, std::int32_t pc) const {
    return futures_[code_of_thread_[thread]][static_cast<std::size_t>(pc)];
  }

 private:
  struct Use {
    std::uint32_t threads = 0;
    bool written = false;
    std::uint32_t last = ~0u;
  };

  struct Uses {
    std::vector<Use> cells, locks, signals, awaits;
  };

  void number_objects(const Model& model);
  void note_uses(const Code& code, std::uint32_t thread, Uses& uses);
  void note_cuts(const Code& code);
  std::int32_t number_if(bool conflicting);
  Future own(const Code& code, std::uint32_t pc) const;
  bool cuts_always(const Code& code, std::uint32_t pc) const;
  std::vector<Future> solve(const Code& code) const;
  ObjectSet objects(const std::vector<std::int32_t>& numbers, const Code& code, std::int32_t first,
                    std::uint32_t length, std::int32_t index) const;
  ObjectSet awaited(const Code& code, std::int32_t node) const;

  std::vector<std::int32_t> cells_;
  std::vector<std::int32_t> locks_;
  std::vector<std::int32_t> channels_;
  std::vector<bool> contended_;
  std::vector<bool> watched_;
  std::vector<std::uint32_t> code_of_thread_;
  std::vector<std::vector<Future>> futures_;  // per code and step; the last one is "not forked yet"
  std::uint32_t object_count_ = 0;
  bool too_many_ = false;
  CheckMode mode_;
  bool forks_in_blocks_ = false, joins_cut_ = false, awaits_cut_ = false, retries_cut_ = false;
};

}  // namespace omnium::model
