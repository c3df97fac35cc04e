// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Addresses of code.
#pragma once

#include <cstdint>

namespace omnium::runtime {

using Pc = std::uintptr_t;

// The address that the current function returns to: the instruction before it is the call.
#define OMNIUM_CALLER_PC() reinterpret_cast<::omnium::runtime::Pc>(__builtin_return_address(0))

}  // namespace omnium::runtime
