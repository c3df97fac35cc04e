// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/output_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::support {

namespace {

tl::unexpected<Error> cannot_write(const std::string& path, int error) {
  return fail({path == "-" ? "standard output" : path},
              fmt::format("cannot write: {}", std::strerror(error)));
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
  const auto made = [&](std::string temporary, std::FILE* file) {
    return std::unique_ptr<OutputFile>(new OutputFile(path, std::move(temporary), file));
  };
  if (path == "-") return made("", stdout);
  if (is_special(path)) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return cannot_write(path, errno);
    return made("", file);
  }
  std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return cannot_write(path, errno);
  return made(std::move(temporary), ::fdopen(fd, "wb"));
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (error_ != 0 || bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) error_ = errno;
}

bool OutputFile::reader_left() const { return path_ == "-" && error_ == EPIPE; }

Result<void> OutputFile::finish() {
  if (std::fflush(file_) != 0 && error_ == 0) error_ = errno;
  if (file_ != stdout && std::fclose(file_) != 0 && error_ == 0) error_ = errno;
  if (file_ != stdout) file_ = nullptr;
  if (error_ != 0) return cannot_write(path_, error_);
  if (temporary_.empty()) return {};
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write(path_, errno);
  temporary_.clear();
  return {};
}

}  // namespace omnium::support
