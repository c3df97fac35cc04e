// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Environment variables. The runtime is initialized before the C library has them in `environ`.
#pragma once

namespace omnium::runtime {

// Does the process have rights that its user lacks (set-user-ID, set-group-ID, file capabilities)?
// Then the environment is the user's, and must not decide what the process does.
bool has_foreign_rights();

void set_environment(char** variables);
// The value of the variable; null if it is not set, or if the process has foreign rights.
const char* environment(const char* name);

}  // namespace omnium::runtime
