// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Environment variables, also before the C library knows them: the runtime is initialized first.
#pragma once

namespace omnium::runtime {

void set_environment(char** variables);
// Null if it is not set.
const char* environment(const char* name);

}  // namespace omnium::runtime
