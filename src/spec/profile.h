// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Built-in specifications, as the papers start from: every block is atomic but some that never are.
//
//   naive   exclude `main` and thread entry functions
//   paper   also exclude blocks that wait on a condition: a wait gives up the lock on purpose
//
// One pass over the trace (a survey) finds these blocks. A recording says which block is a thread's
// body (event/for_check.h), and its waits are events. In other traces the block that a forked
// thread starts with is its body, and waits may be known by the labels of blocks only.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "event/names.h"

namespace omnium {

enum class Profile { kNaive, kPaper };

std::optional<Profile> find_profile(std::string_view name);

class ProfileSurvey {
 public:
  explicit ProfileSurvey(Profile profile) : profile_(profile) {}

  // The next events of the trace.
  void look_at(std::span<const Event> events, const Names& names);

  // Labels of blocks that the profile does not call atomic.
  const std::set<std::string>& excluded() const { return excluded_; }

 private:
  struct Thread {
    bool forked = false;
    bool acted = false;
    bool body_is_next = false;  // the next block is its body
    std::vector<LabelId> open;
  };
  void begin(Thread& thread, LabelId label, const Names& names);
  void exclude_open(const Thread& thread, const Names& names);

  Profile profile_;
  bool first_ = true;        // nothing was looked at yet
  bool bodies_gone_ = false;  // bodies of threads are no blocks in this trace
  std::vector<Thread> threads_;
  std::set<std::string> excluded_;
};

}  // namespace omnium
