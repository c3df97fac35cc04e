// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who of the process can go on? The kernel knows, also of threads that wait in calls which are not
// interposed.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "wire/system_call.h"

namespace omnium::runtime {

using wire::Activity;

// What a thread of this process does.
Activity activity_of(pid_t number);
// Is it in a system call that is made to wait? Others may take long when the machine is busy.
bool is_in_wait(pid_t number);

// The most that any does of all threads but these.
Activity activity_of_others(const pid_t* but, std::size_t count);

}  // namespace omnium::runtime
