// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The function that a person knows a thread by.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

// `start` and `argument` are those of pthread_create. The function that a std::thread was given, if
// it is certain; else the virtual function that runs it, whose name tells of lambdas; else `start`.
Pc thread_body(void* (*start)(void*), void* argument);

}  // namespace omnium::runtime
