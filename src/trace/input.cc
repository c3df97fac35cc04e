// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/input.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/descriptor.h"
#include "support/interrupt.h"

namespace omnium::trace {

namespace {

using support::Descriptor;
using support::write_all;

constexpr std::size_t kPumpBytes = 256 * 1024;

Result<std::size_t> read_file_at(int fd, std::uint64_t offset, std::span<char> out,
                                 const std::string& name) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(fd, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail({name}, fmt::format("cannot read: {}", std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// Files up to this size are read at once: most of the time of a small trace would be system calls.
constexpr off_t kSmallFile = 64 * 1024;

class FileInput final : public Input {
 public:
  FileInput(std::string name, Descriptor file, std::uint64_t start)
      : Input(std::move(name)), file_(std::move(file)), start_(start) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    return read_file_at(file_.get(), start_ + offset, out, name());
  }

 private:
  Descriptor file_;
  std::uint64_t start_;  // standard input may stand in the middle of a file
};

class SpooledInput final : public Input {
 public:
  SpooledInput(std::string name, Descriptor pipe, Descriptor spool)
      : Input(std::move(name)), pipe_(std::move(pipe)), spool_(std::move(spool)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    while (!ended_ && offset + out.size() > taken_) {
      if (auto pumped = pump(offset); !pumped) return tl::unexpected(pumped.error());
    }
    if (!gave_up_) return read_file_at(spool_.get(), offset, out, name());
    if (offset < window_begin_) return no_copy();
    window_.erase(0, std::min<std::uint64_t>(offset - window_begin_, window_.size()));
    window_begin_ = offset;
    return window_.copy(out.data(), out.size());
  }
  Result<void> read_to_the_end() override {
    while (!ended_) {
      if (auto pumped = pump(taken_); !pumped) return pumped;
      if (gave_up_) return no_copy();
    }
    return {};
  }

 private:
  tl::unexpected<Error> no_copy() const {
    return fail({name()}, fmt::format("cannot be read again: no copy in a temporary file: {}",
                                      std::strerror(gave_up_)));
  }

  // The copy is given up. Whoever goes on from `offset` without looking back does not need it.
  Result<void> give_up(int error, std::uint64_t offset) {
    window_begin_ = std::min(offset, taken_);
    window_.resize(taken_ - window_begin_);
    const auto got = read_file_at(spool_.get(), window_begin_, window_, name());
    if (!got) return tl::unexpected(got.error());
    gave_up_ = error;
    (void)::ftruncate(spool_.get(), 0);  // others may need the room
    return {};
  }

  // One read of the pipe, whatever it gives, goes to the spool. Who reads wants to go on from
  // `offset`.
  Result<void> pump(std::uint64_t offset) {
    if (!support::wait_for_input(pipe_.get())) {
      ended_ = true;
      return {};
    }
    ssize_t got = ::read(pipe_.get(), block_.data(), block_.size());
    if (got < 0 && errno == EINTR) return {};
    if (got < 0) return fail({name()}, fmt::format("cannot read: {}", std::strerror(errno)));
    ended_ = got == 0;
    const std::span<const char> bytes(block_.data(), static_cast<std::size_t>(got));
    if (gave_up_ == 0 && !write_all(spool_.get(), bytes)) {
      if (auto done = give_up(errno, offset); !done) return done;
    }
    if (gave_up_ != 0) window_.append(bytes.data(), bytes.size());
    taken_ += bytes.size();
    return {};
  }

  Descriptor pipe_;
  Descriptor spool_;
  std::vector<char> block_ = std::vector<char>(kPumpBytes);
  std::uint64_t taken_ = 0;  // from the pipe
  bool ended_ = false;
  int gave_up_ = 0;                 // why the spool has no copy; 0: it has one
  std::string window_;              // then: what was taken and may still be read,
  std::uint64_t window_begin_ = 0;  // from here on
};

class MemoryInput final : public Input {
 public:
  MemoryInput(std::string name, std::unique_ptr<char[]> bytes, std::size_t size)
      : Input(std::move(name)), bytes_(std::move(bytes)), whole_(bytes_.get(), size) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    if (offset >= whole_.size()) return 0;
    return whole_.copy(out.data(), out.size(), offset);
  }
  std::string_view whole() const override { return whole_; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::string_view whole_;
};

Result<std::unique_ptr<Input>> spool(std::string name, Descriptor pipe) {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/omnium-input-XXXXXX";
  Descriptor file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file) {
    return fail({std::move(name)}, fmt::format("cannot create the temporary file {}: {}",
                                               printable(path, 4096), std::strerror(errno)));
  }
  ::unlink(path.c_str());
  return std::make_unique<SpooledInput>(std::move(name), std::move(pipe), std::move(file));
}

}  // namespace

Result<std::unique_ptr<Input>> open_input(const std::string& path) {
  const bool standard = path == "-";
  std::string name = standard ? "<stdin>" : path;
  Descriptor file(standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                           : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return fail({name}, fmt::format("cannot open: {}", std::strerror(errno)));
  }
  if (S_ISDIR(status.st_mode))
    return fail({name}, "this is a directory; give the files in it one by one");
  if (!S_ISREG(status.st_mode)) return spool(std::move(name), std::move(file));
  const off_t start = standard ? ::lseek(file.get(), 0, SEEK_CUR) : 0;
  if (start == 0 && status.st_size > 0 && status.st_size <= kSmallFile) {
    const auto size = static_cast<std::size_t>(status.st_size);
    auto bytes = std::make_unique_for_overwrite<char[]>(size + Input::kBehindWhole);
    const auto got = read_file_at(file.get(), 0, {bytes.get(), size}, name);
    if (!got) return tl::unexpected(got.error());
    return std::make_unique<MemoryInput>(std::move(name), std::move(bytes), *got);
  }
  return std::make_unique<FileInput>(std::move(name), std::move(file),
                                     static_cast<std::uint64_t>(std::max<off_t>(start, 0)));
}

std::unique_ptr<Input> input_from_memory(std::string name, std::string_view bytes) {
  auto copy = std::make_unique_for_overwrite<char[]>(bytes.size() + Input::kBehindWhole);
  std::ranges::copy(bytes, copy.get());
  return std::make_unique<MemoryInput>(std::move(name), std::move(copy), bytes.size());
}

}  // namespace omnium::trace
