// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where events come from, and where they go. Readers and writers of every format, generators and
// filters meet at these two interfaces.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "event/names.h"
#include "support/error.h"

namespace omnium {

// An instruction of a program.
struct Code {
  std::string module;         // path of the file
  std::uint64_t address = 0;  // in the file, of the instruction behind it
  friend auto operator<=>(const Code&, const Code&) = default;
};

class EventSource {
 public:
  virtual ~EventSource() = default;

  // Fills a prefix of `out` with the next events and returns how many; 0 only at the end. On an
  // error nothing of the failed call counts; events of earlier calls stay valid.
  virtual Result<std::size_t> read(std::span<Event> out) = 0;

  // Names of every id that read() has handed out so far.
  virtual const Names& names() const = 0;

  // Place in the input of event `offset` of the latest read(), for messages.
  virtual Position position_of(std::size_t offset) const = 0;

  // Reading goes on at an event at or before `target`; returns its index. `target` must have been
  // handed out by read() before. Used to look again at the events of a finding.
  virtual Result<EventIndex> seek(EventIndex target) = 0;

  // From here on events carry locations (or not). Off at first: names of locations are the only
  // thing that may grow with the length of a trace, and engines do not look at them.
  virtual void want_locations(bool wanted) = 0;

  // Without them names of variables may be empty, but there are as many: only findings need them,
  // and most small traces have none. They are wanted at first, and may be wanted again at any time.
  virtual Result<void> want_variable_names(bool) { return {}; }

  // How the events are stored, in a word; empty if they are not.
  virtual std::string_view format() const { return {}; }

  // WellFormed has accepted the events already.
  virtual bool is_well_formed() const { return false; }

  // The instructions that have the location: the place where a run can be stopped
  // (docs/hunting.md). Empty where that is not known: only raw logs know it.
  virtual std::vector<Code> codes_at(LocId) const { return {}; }

  // What a user should know although reading went on, such as a cut-off file; valid at the end.
  virtual std::vector<std::string> warnings() const { return {}; }
};

class EventSink {
 public:
  virtual ~EventSink() = default;

  // `names` holds at least the names of `events`; it is the same object on every call.
  virtual Result<void> write(std::span<const Event> events, const Names& names) = 0;

  // Completes the output; without it the output counts as cut off (or is not there at all).
  virtual Result<void> finish(const Names& names) = 0;
};

}  // namespace omnium
