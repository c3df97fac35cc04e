// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How a serial run is to go, and how one went (docs/hunting.md).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "event/source.h"
#include "support/error.h"
#include "wire/serial_board.h"

namespace omnium::hunt {

using wire::SerialStrategy;

// A decision against the default rule. Threads are known by their creation: "0.1".
struct Switch {
  std::string from, to;
  bool forced = false;  // `from` could not go on
  Code place;           // where `from` was, otherwise
  std::uint32_t visit = 0;
  std::uint64_t time = 0;  // how many points there were before, in the run that made it

  friend auto operator<=>(const Switch&, const Switch&) = default;
};

struct SerialPlan {
  SerialStrategy strategy = SerialStrategy::kFollow;
  std::uint64_t seed = 0;
  std::uint32_t depth = 0;     // of kPriorities
  std::uint32_t selected = 0;  // of kWeighted: one of how many variables matters; 0: all
  std::uint32_t rule = 0;      // of kRule
  bool loose = true;
  std::uint64_t clock_start = 0;  // of a virtual clock: the date, in seconds; 0: the real clock
  bool hasty = false;             // nobody waits for sleeps and time limits of others
  std::vector<Switch> switches;
  std::set<Code> places;  // plain accesses that are points
  std::vector<wire::SerialThreadCount> counts;
  std::uint64_t length = 0;
  std::uint64_t begin = 0;  // before so many points only the switches are made
};

struct SerialPoint {
  std::string thread;
  Code place;
  std::uint32_t visit = 0;
};

struct SerialResult {
  bool is_serial = false;  // it was, up to its end
  bool is_exact = false;   // and all that was decided is known
  std::string why_not;
  bool knows_time = false;  // a thread slept, or waited with a time limit
  std::vector<Switch> switches;
  std::vector<SerialPoint> points;  // at most so many as the board keeps
  std::uint64_t point_count = 0;
  std::vector<wire::SerialThreadCount> counts;
  std::set<Code> places;        // that were learned
  std::uint64_t last_new = 0;   // when something happened that is new; 0: never
  std::size_t not_reached = 0;  // the first wanted switch that was not made, from 1; 0: none
};

// The file that the runtime reads and writes.
class SerialFile {
 public:
  static Result<SerialFile> create(const std::string& path);
  SerialFile(SerialFile&& other) noexcept;
  ~SerialFile();
  SerialFile(const SerialFile&) = delete;
  SerialFile& operator=(const SerialFile&) = delete;

  void write(const SerialPlan& plan);
  // What is special about the run is known from then on.
  SerialResult read();

 private:
  explicit SerialFile(wire::SerialBoard* board) : board_(board) {}
  Code code_at(std::uint64_t pc) const;
  std::uint32_t module_number(const std::string& path);
  Switch made(const wire::SerialSwitch& one) const;

  wire::SerialBoard* board_;
};

// The lines of a schedule (docs/formats/schedules.md).
std::string to_text(const SerialPlan& plan);
Result<SerialPlan> read_plan(const std::string& lines);
// Where the accesses are that the steps of a schedule mean.
std::set<Code> places_of_steps(const std::string& lines);
// What people read of them.
std::string comments_of(const std::string& lines);
// "thread 0.1 at its visit 3 of a.out:1cc8 → 0.2"
std::string in_words(const Switch& one);

}  // namespace omnium::hunt
