// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A trace as tools read it that know only the eight operations of RAPID, names without white space,
// and numbers as locations. The richer operations become core ones with the same conflicts
// (docs/formats/std.md):
//   ar, retry            r
//   aw, rmw              w
//   wait, resume         rel, acq
//   a lock with readers  a variable: its shared side reads it, its exclusive side writes it
//   signal(c)            w of a new variable
//   await(c)             r of the variable of the last signal(c) of every other thread
//   busy                 nothing
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "event/source.h"

namespace omnium::trace {

class CoreEvents final : public EventSource {
 public:
  // Reads the source once to find the locks that have readers, and goes back to its start.
  static Result<CoreEvents> of(EventSource& source);

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return names_; }
  Position position_of(std::size_t) const override { return {}; }
  Result<EventIndex> seek(EventIndex target) override;
  void want_locations(bool wanted) override { source_->want_locations(wanted); }
  bool is_well_formed() const override { return true; }

 private:
  explicit CoreEvents(EventSource& source) : source_(&source) {}

  void add(const Event& event);
  void put(const Event& event, Kind kind, std::uint32_t object);
  std::uint32_t variable_of(std::uint32_t variable);
  std::uint32_t variable_of_lock(std::uint32_t lock);
  std::uint32_t new_signal(std::uint32_t signal, std::uint32_t thread);
  void take_names();

  EventSource* source_;
  std::set<std::uint32_t> locks_with_readers_;
  Names names_;
  std::map<std::uint32_t, std::uint32_t> variables_, lock_variables_;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>
      signals_;  // of each: the threads that have signalled, with the variables of the last time
  std::vector<Event> ready_;
  std::size_t next_ = 0;
};

}  // namespace omnium::trace
