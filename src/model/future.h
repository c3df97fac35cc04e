// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread may still do from each of its steps on: found once, before the exploration. The
// monitor forgets what no future event can bring into a cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/state.h"
#include "model/steps.h"

namespace omnium::model {

enum class Conflicts : std::uint8_t {
  kAll,   // operations of one lock conflict (docs/semantics.md)
  kData,  // locks only limit which runs exist
};

struct Future {
  ObjectSet reads = 0;
  ObjectSet writes = 0;
  ObjectSet txn_reads = 0;   // before the transaction that is open at the step ends
  ObjectSet txn_writes = 0;  // likewise
  ThreadSet joins = 0;
  bool acts = false;      // there will be an access, a fork or a join
  bool txn_acts = false;  // there will be an access or a join before the transaction ends

  friend bool operator==(const Future&, const Future&) = default;
};

// Objects that two threads use, one of them writing: all others conflict with nothing, and their
// events can be anywhere. At most 64 can be told apart.
class Futures {
 public:
  static constexpr std::uint32_t kMostObjects = 64;

  Futures(const Model& model, Conflicts conflicts);

  bool too_many_objects() const { return too_many_; }
  std::uint32_t object_count() const { return object_count_; }

  // The object's number, or kNone if it conflicts with nothing.
  std::int32_t object_of_cell(std::uint32_t cell) const { return cells_[cell]; }
  std::int32_t object_of_lock(std::uint32_t lock) const { return locks_[lock]; }
  // Does more than one thread use it?
  bool contended(std::uint32_t lock) const { return contended_[lock]; }

  const Future& at(std::uint32_t thread, std::int32_t pc) const {
    return futures_[code_of_thread_[thread]][static_cast<std::size_t>(pc)];
  }

 private:
  struct Use {
    std::uint32_t threads = 0;
    bool written = false;
    std::uint32_t last = ~0u;
  };

  void number_objects(const Model& model, Conflicts conflicts);
  void note_uses(const Code& code, std::uint32_t thread, std::vector<Use>& cells,
                 std::vector<Use>& locks) const;
  Future own(const Code& code, const Step& step) const;
  std::vector<Future> solve(const Code& code) const;
  ObjectSet objects(const std::vector<std::int32_t>& numbers, const Code& code, std::int32_t first,
                    std::uint32_t length, std::int32_t index) const;
  ObjectSet awaited(const Code& code, std::int32_t node) const;

  std::vector<std::int32_t> cells_;
  std::vector<std::int32_t> locks_;
  std::vector<bool> contended_;
  std::vector<std::uint32_t> code_of_thread_;
  std::vector<std::vector<Future>> futures_;  // per code and step; the last one is "not forked yet"
  std::uint32_t object_count_ = 0;
  bool too_many_ = false;
};

}  // namespace omnium::model
