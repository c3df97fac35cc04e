// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The instructions behind the places that reports name: "bank.cpp:44" is where a person looks, a
// run is steered at addresses.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "event/source.h"

namespace omnium::hunt {

class Places {
 public:
  // Adds those of a recording whose events have been read, with locations.
  void add(const EventSource& recording);
  // Empty if no instruction is known.
  const std::set<Code>& at(std::string_view position) const;

 private:
  std::map<std::string, std::set<Code>, std::less<>> codes_;  // by position
};

}  // namespace omnium::hunt
