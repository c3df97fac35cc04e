// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is complete: written beside it, renamed at the
// end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/byte_sink.h"
#include "support/descriptor.h"
#include "support/error.h"
#include "support/interrupt.h"

namespace omnium::support {

class OutputFile final : public ByteSink {
 public:
  // "-" is standard output. What exists but is no regular file, such as /dev/null or a pipe, is
  // written directly. A link stays a link: the file that it leads to is replaced.
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile() override;

  // Small writes are gathered. What fails is told by status() and finish().
  void write(std::string_view bytes) override;
  Result<void> status() const;
  // Without it nothing stays behind (on standard output, what was written stays).
  Result<void> finish();
  // Nobody reads standard output any more: no reason to complain.
  bool reader_left() const;

 private:
  OutputFile(std::string name, Descriptor file) : name_(std::move(name)), file_(std::move(file)) {}
  void flush();

  std::string name_;  // for messages
  Descriptor file_;
  std::string temporary_, target_;  // empty if written directly
  std::optional<RemovedOnSignal> on_signal_;
  std::string gathered_;
  std::size_t most_gathered_ = 64 * 1024;
  int error_ = 0;  // errno of the first failure
};

}  // namespace omnium::support
