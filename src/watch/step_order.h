// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the steps of a finding tell about the order of other items: what follows an end of a step in
// its thread comes after all that had to come before that end.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "watch/history.h"

namespace omnium::watch {

class StepOrder {
 public:
  explicit StepOrder(const Histories& histories);

  // Do the steps tell which of the two came first? The second one is an end of a step.
  bool tells(const Item& item, const Item& end);

 private:
  struct Reach {
    std::vector<std::size_t> after;   // by thread: position of the first item after the end
    std::vector<std::size_t> before;  // by thread: how many items come before the end
  };
  const Reach& reach_of(ItemIndex end);
  bool grow(Reach& reach) const;
  ItemIndex index_of(const Item& item) const;

  const Histories& histories_;
  std::vector<std::pair<ItemIndex, ItemIndex>> order_;
  std::vector<std::size_t> position_;  // of each item in its thread
  std::map<ItemIndex, Reach> reach_;
};

}  // namespace omnium::watch
