// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Can a process go on by itself?
#pragma once

#include <sys/types.h>

namespace omnium::watch {

// Do all its threads wait for each other, for ever?
bool is_deadlocked(pid_t process);

}  // namespace omnium::watch
