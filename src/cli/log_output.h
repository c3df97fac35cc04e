// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Findings and warnings while a program runs, written immediately to standard error or a file.
#pragma once

#include <memory>
#include <string>

#include "support/byte_sink.h"
#include "support/error.h"

namespace omnium::cli {

class LogOutput final : public support::ByteSink {
 public:
  // Standard error if the path is empty.
  static Result<std::unique_ptr<LogOutput>> open(const std::string& path);
  ~LogOutput() override;

  void write(std::string_view bytes) override;
  bool to_terminal() const;

 private:
  explicit LogOutput(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace omnium::cli
