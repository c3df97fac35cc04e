// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a trace go: a file that appears under its name only when it is complete,
// standard output, or memory. Small appends are gathered; every append may fail, because disks fill
// up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/error.h"

namespace omnium::trace {

class Output {
 public:
  explicit Output(std::string name) : name_(std::move(name)) {}
  virtual ~Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  Result<void> append(std::string_view bytes) {
    gathered_.append(bytes);
    return gathered_.size() < kGatherBytes ? Result<void>{} : flush();
  }
  // Nothing may be appended afterwards.
  Result<void> finish();

  // Bytes appended so far.
  std::uint64_t size() const { return written_ + gathered_.size(); }
  // For messages.
  const std::string& name() const { return name_; }

 protected:
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> complete() = 0;

 private:
  static constexpr std::size_t kGatherBytes = 256 * 1024;

  Result<void> flush();

  std::string name_;
  std::string gathered_;
  std::uint64_t written_ = 0;
};

// "-" is standard output. What exists and is not a regular file (a device, a pipe) is written to as
// it is.
Result<std::unique_ptr<Output>> create_output(const std::string& path);

// `bytes` must outlive the output.
std::unique_ptr<Output> output_to_memory(std::string& bytes);

}  // namespace omnium::trace
