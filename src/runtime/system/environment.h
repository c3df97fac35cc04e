// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Environment variables. The runtime is initialized before the C library has them in `environ`.
#pragma once

namespace omnium::runtime {

void set_environment(char** variables);
// The value of the variable; null if it is not set.
const char* environment(const char* name);

}  // namespace omnium::runtime
