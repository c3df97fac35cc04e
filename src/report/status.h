// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Did it happen? If not: how sure is it that it can (docs/semantics.md#prediction)?
#pragma once

#include <cstdint>
#include <string_view>

namespace omnium::report {

enum class Status : std::uint8_t { kSeen, kCertain, kPossible };
inline constexpr int kStatuses = 3;

std::string_view to_string(Status status);  // "seen", "certain", "possible"

// What the word promises, as a sentence; empty for what was seen.
std::string_view meaning(Status status);

inline bool is_predicted(Status status) { return status != Status::kSeen; }

}  // namespace omnium::report
