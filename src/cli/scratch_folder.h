// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one process, beside those of others in the folder for temporary files.
// It is removed with the object. If its process was killed before, the next one of its kind removes
// it.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "support/descriptor.h"
#include "support/error.h"

namespace omnium::cli {

class ScratchFolder {
 public:
  // Its name begins so: "omnium-hunt-".
  static Result<ScratchFolder> create(std::string_view kind);
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, support::Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  support::Descriptor lock_;  // of the folder, as long as the process lives
};

}  // namespace omnium::cli
