// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// When a file was last modified. The recorder puts that into RawModule, and the decoder compares it
// with the file that it takes names from.
#pragma once

#include <cstdint>

#include <sys/stat.h>

namespace omnium::wire {

// Nanoseconds since 1970; 0 if there is no such file.
inline std::uint64_t file_time(const char* path) {
  struct stat file;
  if (stat(path, &file) != 0) return 0;
  return static_cast<std::uint64_t>(file.st_mtim.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(file.st_mtim.tv_nsec);
}

}  // namespace omnium::wire
