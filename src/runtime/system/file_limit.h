// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The limit of file sizes (ulimit -f). To go beyond it would end the program with SIGXFSZ.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace omnium::runtime {

inline bool is_within_file_limit(std::uint64_t size) {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}

}  // namespace omnium::runtime
