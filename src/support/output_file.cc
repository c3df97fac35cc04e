// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/output_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace omnium::support {

namespace {

constexpr char kStandardOutput[] = "standard output";

tl::unexpected<Error> cannot(std::string_view what, const std::string& name, int error) {
  return fail({name}, fmt::format("cannot {}: {}", what, std::strerror(error)));
}

std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

// Temporary files are private; the finished one gets the rights that any new file would get.
bool give_usual_rights(int fd) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(fd, 0666 & ~mask) == 0;
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
  const auto made = [](const std::string& name, Descriptor file) {
    return std::unique_ptr<OutputFile>(new OutputFile(name, std::move(file)));
  };
  if (path == "-") {
    Descriptor file(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file) return cannot("write", kStandardOutput, errno);
    auto out = made(kStandardOutput, std::move(file));
    if (::isatty(STDOUT_FILENO) != 0) out->most_gathered_ = 0;  // somebody watches
    return out;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return fail({path}, "cannot create: is a directory");
  if (exists && !S_ISREG(status.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return cannot("open", path, errno);
    return made(path, std::move(file));
  }
  std::string target = resolve_links(path);
  std::string temporary = target + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) return cannot("create", path, errno);
  const int fd = file.get();
  auto out = made(path, std::move(file));
  out->target_ = std::move(target);
  out->temporary_ = std::move(temporary);
  out->on_signal_.emplace(out->temporary_);
  if (!give_usual_rights(fd)) return cannot("create", path, errno);
  return out;
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  gathered_ += bytes;
  if (gathered_.size() > most_gathered_) flush();
}

void OutputFile::flush() {
  if (error_ == 0 && !write_all(file_.get(), gathered_)) error_ = errno;
  gathered_.clear();
}

bool OutputFile::reader_left() const { return name_ == kStandardOutput && error_ == EPIPE; }

Result<void> OutputFile::status() const {
  if (error_ != 0) return cannot("write", name_, error_);
  return {};
}

Result<void> OutputFile::finish() {
  flush();
  if (!file_.close() && error_ == 0) error_ = errno;
  if (error_ != 0) return status();
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return cannot("create", name_, errno);
  temporary_.clear();
  on_signal_.reset();
  return {};
}

}  // namespace omnium::support
