// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Built-in specifications, as the papers start from: every block is atomic but some that never are.
//
//   naive   exclude `main` and thread entry functions
//   paper   also exclude blocks that wait on a condition: a wait gives up the lock on purpose
//
// One pass over the trace (a survey) finds these blocks.
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
    std::vector<LabelId> open;
  };
  void begin(Thread& thread, LabelId label, const Names& names);

  Profile profile_;
  std::vector<Thread> threads_;
  std::set<std::string> excluded_;
};

}  // namespace omnium
