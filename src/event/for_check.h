// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a recording says about itself: it begins with signals of these names, in every format, and
// nobody awaits them.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "event/names.h"

namespace omnium {

// The accesses that matter to no check are missing, so that no prediction is made from it
// (docs/runtime/recording.md).
inline constexpr std::string_view kForCheckSignal = "recorded for check";
// Its blocks are functions that nobody declared atomic (docs/decisions/function-blocks.md).
inline constexpr std::string_view kUndeclaredSignal = "blocks are not declared";

// Do the first events of a trace contain this remark?
inline bool has_remark(std::span<const Event> first, const Names& names, std::string_view remark) {
  const auto end = std::ranges::find_if(
      first, [](const Event& event) { return event.kind != Kind::kSignal; });
  return std::any_of(first.begin(), end, [&](const Event& event) {
    return names.signals.name(event.object) == remark;
  });
}

}  // namespace omnium
