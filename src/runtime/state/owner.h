// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who owns a chunk of memory (shadow/map.h): a thread, or what stands in the place of one.
#pragma once

#include <cstdint>

namespace omnium::runtime {

using Owner = std::uint32_t;

inline constexpr Owner kNobody = 0, kShared = 1, kBecomesShared = 2, kFirstOwner = 3;
inline constexpr Owner kSuspended = Owner{1} << 31;  // beside an owner: while cells are cleaned

}  // namespace omnium::runtime
