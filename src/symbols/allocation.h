// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The name of a heap allocation, the same in live reports and in recordings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::symbols {

// "a 64-byte allocation at bank.cpp:31", "an 8-byte allocation" if the place is empty.
std::string allocation_name(std::uint64_t bytes, std::string_view place);

}  // namespace omnium::symbols
