// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Source files that names are taken from. A program may name any file, so only regular files of
// moderate size are read, and not too many of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "symbols/tokens.h"

namespace omnium::symbols {

class SourceFiles {
 public:
  // No tokens if the file cannot be read, or was modified after `newest` (in seconds): then it is
  // not what was compiled.
  const Tokens& tokens(const std::string& path, std::int64_t newest);
  // Its text, as above.
  std::string_view text(const std::string& path, std::int64_t newest);
  const Tokens& none() const { return none_; }

 private:
  struct File {
    std::string text;
    Tokens tokens;
    std::int64_t modified = 0;
  };
  const File* find(const std::string& path, std::int64_t newest);
  Tokens none_;
  std::map<std::string, std::unique_ptr<File>> files_;
  std::size_t bytes_ = 0;
};

}  // namespace omnium::symbols
