// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// CHECK: our own mistakes stop the program, in release builds too. Wrong input is never a CHECK
// (see error.h).
#pragma once

#include <cstdio>
#include <cstdlib>

namespace omnium::support {

[[noreturn, gnu::cold]] inline void check_failed(const char* condition, const char* file,
                                                 int line) {
  std::fprintf(stderr, "%s:%d: internal error: CHECK(%s) failed\n", file, line, condition);
  std::abort();
}

}  // namespace omnium::support

#define CHECK(condition)              \
  ((condition) ? static_cast<void>(0) \
               : ::omnium::support::check_failed(#condition, __FILE__, __LINE__))
