// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How much memory this process took at most.
#pragma once

#include <cstdint>

namespace omnium::cli {

std::uint64_t peak_bytes();

}  // namespace omnium::cli
