// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How far a run has come with its target: which step is to come, and who plays which role. Used
// under a lock, or by the thread that has the token. Threads are known by numbers.
#pragma once

#include "runtime/schedule/place_filter.h"
#include "runtime/schedule/point.h"
#include "runtime/schedule/target.h"

namespace omnium::runtime {

enum class Answer { kGo, kGoLate, kWait };

class Progress {
 public:
  static constexpr std::uint32_t kNobody = ~0u;

  // Ends the program if the file cannot be used.
  void read(const char* path);
  // After find_modules_of_target().
  void place_target();
  const Target& target() const { return target_; }
  // Needs no lock.
  bool may_contain(Pc pc) const { return filter_.may_contain(pc); }

  // What the thread may do at the point. It does nothing yet.
  Answer look(std::uint32_t number, const Point& point) const;

  // The same, and if it may go on it does: it may take the next step, or show that the target has
  // to start again.
  struct Done {
    Answer answer = Answer::kGo;
    bool changed = false;  // a step was taken, or nothing is left of earlier ones
    bool holds = false;    // the step says that its thread waits then
    bool is_over = false;  // it was the last step
  };
  Done go(std::uint32_t number, const Point& point);

  void start_again();

 private:
  // What the target says of a point: the step that it belongs to, or kMostSteps, and the answer.
  struct Found {
    std::uint32_t step = Target::kMostSteps;
    Answer answer = Answer::kGo;
    bool takes = false;  // it is the next step
    bool lost = false;   // it came through its gate before the target had come so far
  };
  Found find(std::uint32_t number, const Point& point) const;
  Found at_step(std::uint32_t number, std::uint32_t step, const Point& point) const;
  bool plays_another(std::uint32_t number, std::uint32_t role) const;
  bool may_play(std::uint32_t number, std::uint32_t step) const;
  bool has_memory(const Point& point, const TargetStep& step) const;
  void fill_filter();

  Target target_ = {};
  PlaceFilter filter_ = {};
  std::uint32_t next_ = 0;                          // the step that is to come
  std::uint32_t players_[Target::kMostRoles] = {};  // numbers of threads
  std::uintptr_t accessed_[Target::kMostSteps] = {};
};

}  // namespace omnium::runtime
