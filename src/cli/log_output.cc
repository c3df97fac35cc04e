// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/log_output.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::cli {

Result<std::unique_ptr<LogOutput>> LogOutput::open(const std::string& path) {
  int descriptor = STDERR_FILENO;
  if (!path.empty()) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) {
    return fail({path}, fmt::format("cannot write: {}", std::strerror(errno)));
  }
  return std::unique_ptr<LogOutput>(new LogOutput(descriptor));
}

LogOutput::~LogOutput() {
  if (descriptor_ != STDERR_FILENO) ::close(descriptor_);
}

void LogOutput::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // nobody reads it; the final report and the exit status remain
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool LogOutput::to_terminal() const {
  return descriptor_ == STDERR_FILENO && ::isatty(STDERR_FILENO) != 0;
}

}  // namespace omnium::cli
