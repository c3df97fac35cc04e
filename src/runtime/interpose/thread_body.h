// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The function that a thread runs, as the author of the program would name it.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

// `start` and `argument` are those of pthread_create. Returns the function that a std::thread was
// given, if that is certain; otherwise the virtual function that runs it, whose name shows lambdas;
// otherwise `start`.
Pc thread_body(void* (*start)(void*), void* argument);

}  // namespace omnium::runtime
