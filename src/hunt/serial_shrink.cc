// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/serial_shrink.h"

#include <algorithm>
#include <utility>

namespace omnium::hunt {

std::vector<Switch> shrink(std::vector<Switch> switches, const TrySwitches& try_switches,
                           const std::function<bool()>& may_go_on) {
  std::size_t part = std::max<std::size_t>(1, switches.size() / 2);
  bool improved = false;
  // From the end on: what is left out there changes least of the rest.
  for (std::size_t end = switches.size(); !switches.empty() && may_go_on();) {
    const std::size_t begin = end > part ? end - part : 0;
    std::vector<Switch> fewer(switches.begin(),
                              switches.begin() + static_cast<std::ptrdiff_t>(begin));
    fewer.insert(fewer.end(), switches.begin() + static_cast<std::ptrdiff_t>(end), switches.end());
    const auto shown = try_switches(fewer);
    if (shown && shown->size() < switches.size()) {
      switches = *shown;
      end = std::min(begin, switches.size());
      improved = true;
    } else {
      end = begin;
    }
    if (end > 0) continue;
    if (part == 1 && !std::exchange(improved, false)) break;
    part = std::max<std::size_t>(1, std::min(part / 2, switches.size()));
    end = switches.size();
  }
  return switches;
}

}  // namespace omnium::hunt
