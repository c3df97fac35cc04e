// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/output.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/descriptor.h"

namespace omnium::trace {

namespace {

tl::unexpected<Error> system_error(const std::string& name, std::string_view what) {
  return fail({name}, fmt::format("{}: {}", what, std::strerror(errno)));
}

// Standard output, devices and pipes.
class DirectOutput final : public Output {
 public:
  DirectOutput(std::string name, Descriptor file)
      : Output(std::move(name)), file_(std::move(file)) {}

 private:
  Result<void> write(std::string_view bytes) override {
    if (!write_all(file_.get(), bytes)) return system_error(name(), "cannot write");
    return {};
  }
  Result<void> complete() override {
    if (!file_.close()) return system_error(name(), "cannot write");
    return {};
  }

  Descriptor file_;
};

class FileOutput final : public Output {
 public:
  FileOutput(std::string name, std::string target, std::string temporary, Descriptor file)
      : Output(std::move(name)),
        target_(std::move(target)),
        temporary_(std::move(temporary)),
        file_(std::move(file)) {}
  ~FileOutput() override {
    if (!complete_) ::unlink(temporary_.c_str());
  }

 private:
  Result<void> write(std::string_view bytes) override {
    if (!write_all(file_.get(), bytes)) return system_error(name(), "cannot write");
    return {};
  }
  Result<void> complete() override {
    if (!file_.close()) return system_error(name(), "cannot write");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
      return system_error(name(), "cannot create");
    }
    complete_ = true;
    return {};
  }

  std::string target_;
  std::string temporary_;
  Descriptor file_;
  bool complete_ = false;
};

class MemoryOutput final : public Output {
 public:
  explicit MemoryOutput(std::string& bytes) : Output("<memory>"), bytes_(bytes) {}

 private:
  Result<void> write(std::string_view bytes) override {
    bytes_.append(bytes);
    return {};
  }
  Result<void> complete() override { return {}; }

  std::string& bytes_;
};

// A link stays a link: the file that it leads to is replaced.
std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

// Temporary files are private; the finished trace gets the rights that any new file would get.
bool give_usual_rights(int fd) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(fd, 0666 & ~mask) == 0;
}

}  // namespace

Result<void> Output::flush() {
  auto result = write(gathered_);
  written_ += gathered_.size();
  gathered_.clear();
  return result;
}

Result<void> Output::finish() {
  if (auto flushed = flush(); !flushed) return flushed;
  return complete();
}

Result<std::unique_ptr<Output>> create_output(const std::string& path) {
  if (path == "-") {
    Descriptor file(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!file) return system_error("<stdout>", "cannot write");
    return std::make_unique<DirectOutput>("<stdout>", std::move(file));
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return fail({path}, "cannot create: is a directory");
  if (exists && !S_ISREG(status.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) return system_error(path, "cannot open");
    return std::make_unique<DirectOutput>(path, std::move(file));
  }
  std::string target = resolve_links(path);
  std::string temporary = target + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) return system_error(path, "cannot create");
  const int fd = file.get();
  auto output =
      std::make_unique<FileOutput>(path, std::move(target), std::move(temporary), std::move(file));
  if (!give_usual_rights(fd)) return system_error(path, "cannot create");
  return output;
}

std::unique_ptr<Output> output_to_memory(std::string& bytes) {
  return std::make_unique<MemoryOutput>(bytes);
}

}  // namespace omnium::trace
