// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/source_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/descriptor.h"

namespace omnium::symbols {

namespace {

constexpr std::size_t kMostFiles = 1024;
constexpr std::size_t kMostBytes = 16 << 20;  // of one file
constexpr std::size_t kMostBytesTotal = 64 << 20;

// Empty if the file is not a regular file of moderate size.
std::string read_regular_file(const std::string& path, std::int64_t& modified) {
  const support::Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      static_cast<std::size_t>(facts.st_size) > kMostBytes) {
    return "";
  }
  modified = facts.st_mtime;
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace

const SourceFiles::File* SourceFiles::find(const std::string& path, std::int64_t newest) {
  auto at = files_.find(path);
  if (at == files_.end()) {
    if (files_.size() >= kMostFiles || bytes_ >= kMostBytesTotal) return nullptr;
    auto file = std::make_unique<File>();
    file->text = read_regular_file(path, file->modified);
    file->tokens = tokenize(file->text);
    bytes_ += file->text.size();
    at = files_.emplace(path, std::move(file)).first;
  }
  return at->second->modified <= newest ? at->second.get() : nullptr;
}

const Tokens& SourceFiles::tokens(const std::string& path, std::int64_t newest) {
  const File* file = find(path, newest);
  return file == nullptr ? none_ : file->tokens;
}

std::string_view SourceFiles::text(const std::string& path, std::int64_t newest) {
  const File* file = find(path, newest);
  return file == nullptr ? std::string_view() : std::string_view(file->text);
}

}  // namespace omnium::symbols
