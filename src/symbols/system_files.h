// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Files that are not what a person wrote who reads a report.
#pragma once

#include <string_view>

namespace omnium::symbols {

// Headers, whose inlined code is shown as the place that uses them.
inline bool is_system_file(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
         path.find("/include/c++/") != std::string_view::npos ||
         path.find("/omnium_overlay/") != std::string_view::npos ||
         path.find("/driver/files/overlay/") != std::string_view::npos ||
         path.ends_with("/omnium/atomic.h");
}

// Libraries as packages of the system install them.
inline bool is_system_library(std::string_view path) {
  return path.starts_with("/lib/") || path.starts_with("/lib64/") ||
         path.starts_with("/usr/lib/") || path.starts_with("/usr/lib64/");
}

}  // namespace omnium::symbols
