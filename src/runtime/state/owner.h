// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who owns a chunk of memory (shadow/map.h): nobody, one thread, or all of them.
#pragma once

#include <cstdint>

namespace omnium::runtime {

using Owner = std::uint32_t;

inline constexpr Owner kNobody = 0, kShared = 1, kBecomesShared = 2, kFirstOwner = 3;
inline constexpr Owner kSuspended = Owner{1}
                                    << 31;  // flag beside an owner, while the scrubber cleans cells

}  // namespace omnium::runtime
