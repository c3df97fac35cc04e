// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/installation.h"

#include <cstdlib>

#include <fmt/format.h>

namespace omnium::driver {

namespace {

namespace fs = std::filesystem;

bool exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path folder() {
  if (const char* said = std::getenv("OMNIUM_RUNTIME_DIR"); said != nullptr && *said != '\0') {
    return fs::absolute(said);
  }
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  const Installation build_tree{beside};
  if (exists(build_tree.specs())) return beside;
  return (beside / OMNIUM_BIN_TO_RUNTIME).lexically_normal();
}

}  // namespace

Result<Installation> find_installation(bool for_linking) {
  const Installation found{folder()};
  std::vector<std::string> needed = {found.specs(), found.headers(), found.overlay(""),
                                     found.assembler() + "/as"};
  if (for_linking) needed.insert(needed.end(), {found.library(), found.module_object()});
  for (const std::string& file : needed) {
    if (exists(file)) continue;
    return fail(
        {},
        fmt::format("{} not found; set OMNIUM_RUNTIME_DIR to the directory of the runtime", file));
  }
  return found;
}

}  // namespace omnium::driver
