// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/stalled.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "wire/system_call.h"

namespace omnium::watch {

bool is_deadlocked(pid_t process) {
  std::error_code failed;
  bool any = false;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), failed)) {
    std::ifstream file(task.path() / "syscall");
    std::string line;
    if (!std::getline(file, line)) return false;  // it ends just now, or the kernel does not tell
    if (wire::activity_in(line.c_str()) != wire::Activity::kNone) return false;
    any = true;
  }
  return any && !failed;
}

}  // namespace omnium::watch
