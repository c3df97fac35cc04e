// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which functions belong to the C++ library, by the names that the linker knows.
#pragma once

#include <string_view>

namespace omnium::wire {

// Is it a mangled name in namespace std or __gnu_cxx, or one of the functions that libstdc++ locks
// with (__gthread...)?
constexpr bool is_library_name(std::string_view name) {
  const auto take = [&](std::string_view start) {
    const bool found = name.starts_with(start);
    if (found) name.remove_prefix(start.size());
    return found;
  };
  if (!take("_Z")) return false;
  take("L");
  std::string_view word = name;
  while (!word.empty() && word[0] >= '0' && word[0] <= '9') word.remove_prefix(1);
  if (word.starts_with("__gthread")) return true;
  take("N");
  while (take("K") || take("V")) {
  }
  return (name.size() > 1 && name[0] == 'S' && name[1] >= 'a' && name[1] <= 'z') ||
         name.starts_with("9__gnu_cxx");
}

}  // namespace omnium::wire
