// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a recording says about itself, in every format: by signals of these names, which nobody
// awaits. Those about the whole of it come first.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "event/names.h"

namespace omnium {

// The accesses that matter to no check are missing, so that no prediction is made from it
// (docs/runtime/recording.md).
inline constexpr std::string_view kForCheckSignal = "recorded for check";
// Its blocks are functions that nobody declared atomic (docs/decisions/function-blocks.md).
inline constexpr std::string_view kUndeclaredSignal = "blocks are not declared";

// The block that a thread begins behind this signal is the thread's body, the function that it was
// started with.
inline std::string name_of_body(std::string_view thread) { return std::string(thread) + " body"; }

// Do the first events of a trace contain this remark?
inline bool has_remark(std::span<const Event> first, const Names& names, std::string_view remark) {
  const auto end = std::ranges::find_if(
      first, [](const Event& event) { return event.kind != Kind::kSignal; });
  return std::any_of(first.begin(), end, [&](const Event& event) {
    return names.signals.name(event.object) == remark;
  });
}

}  // namespace omnium
