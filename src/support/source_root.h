// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The root of the repository around the working directory.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace omnium::support {

// The working directory itself if it is in no repository.
inline std::string source_root() {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed);
  for (auto folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", failed)) return folder.string();
    if (folder == folder.root_path()) break;
  }
  return here.string();
}

}  // namespace omnium::support
