// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A recording without the accesses that matter to no check begins with a signal of this name, in
// every format, so that no prediction is made from it (docs/runtime/recording.md).
#pragma once

#include <string_view>

namespace omnium {

inline constexpr std::string_view kForCheckSignal = "recorded for check";

}  // namespace omnium
