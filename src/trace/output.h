// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a trace go: a file that appears under its name only when it is complete,
// standard output, or memory. Every append may fail, because disks fill up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/error.h"
#include "support/output_file.h"

namespace omnium::trace {

class Output {
 public:
  Output(std::string name, std::unique_ptr<support::OutputFile> file)
      : name_(std::move(name)), file_(std::move(file)) {}
  // `bytes` must outlive the output.
  explicit Output(std::string& bytes) : name_("<memory>"), memory_(&bytes) {}

  Result<void> append(std::string_view bytes) {
    size_ += bytes.size();
    if (file_ == nullptr) return memory_->append(bytes), Result<void>();
    file_->write(bytes);
    return file_->status();
  }
  // Nothing may be appended afterwards.
  Result<void> finish() { return file_ == nullptr ? Result<void>() : file_->finish(); }

  // Bytes appended so far.
  std::uint64_t size() const { return size_; }
  // For messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<support::OutputFile> file_;  // null: into memory
  std::string* memory_ = nullptr;
  std::uint64_t size_ = 0;
};

// "-" is standard output. What exists and is not a regular file (a device, a pipe) is written to as
// it is.
inline Result<std::unique_ptr<Output>> create_output(const std::string& path) {
  auto file = support::OutputFile::create(path);
  if (!file) return tl::unexpected(file.error());
  return std::make_unique<Output>(path == "-" ? "standard output" : path, std::move(*file));
}

}  // namespace omnium::trace
