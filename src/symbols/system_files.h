// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Headers whose inlined code is not what a person wrote: the place that uses them is.
#pragma once

#include <string_view>

namespace omnium::symbols {

inline bool is_system_file(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
         path.find("/include/c++/") != std::string_view::npos ||
         path.find("/omnium_overlay/") != std::string_view::npos ||
         path.find("/driver/files/overlay/") != std::string_view::npos ||
         path.ends_with("/omnium/atomic.h");
}

}  // namespace omnium::symbols
