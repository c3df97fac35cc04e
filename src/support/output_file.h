// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name only when it is complete: written beside it, renamed at the
// end.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "support/byte_sink.h"
#include "support/error.h"

namespace omnium::support {

class OutputFile final : public ByteSink {
 public:
  // "-" is standard output. What exists but is no regular file, such as /dev/null, is written
  // directly.
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile() override;

  void write(std::string_view bytes) override;
  // Without it nothing stays behind (on standard output, what was written stays).
  Result<void> finish();
  // Nobody reads standard output any more: no reason to complain.
  bool reader_left() const;

 private:
  OutputFile(std::string path, std::string temporary, std::FILE* file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(file) {}

  std::string path_;
  std::string temporary_;  // empty if written directly
  std::FILE* file_;        // closed by finish(), unless it is standard output
  int error_ = 0;          // errno of the first failure
};

}  // namespace omnium::support
