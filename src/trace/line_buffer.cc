// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/line_buffer.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace omnium::trace {

LineBuffer::LineBuffer(std::unique_ptr<Input> input) : input_(std::move(input)) {
  const std::string_view whole = input_->whole();
  if (whole.size() <= kBlockBytes && whole.ends_with('\n')) {
    whole_ = whole;
    begin_ = whole_.data();
  } else {
    resize(kFirstBlockBytes);
  }
}

// What lies behind the lines may be read, and means nothing.
void LineBuffer::resize(std::size_t bytes) {
  auto larger = std::make_unique_for_overwrite<char[]>(bytes + kPadding);
  std::copy_n(bytes_.get(), filled_, larger.get());
  bytes_ = std::move(larger);
  begin_ = bytes_.get();
  size_ = bytes;
}

void LineBuffer::seek(std::uint64_t offset) {
  offset_ = offset;
  lines_end_ = 0;
  filled_ = 0;
}

Result<bool> LineBuffer::fill() {
  if (!whole_.empty()) {
    offset_ += lines_end_;
    begin_ = whole_.data() + offset_;
    lines_end_ = whole_.size() - offset_;
    return lines_end_ > 0;
  }
  // The newline that was added to a last line is not in the input, and nothing comes after it.
  const std::size_t rest = filled_ > lines_end_ ? filled_ - lines_end_ : 0;
  std::memmove(bytes_.get(), bytes_.get() + lines_end_, rest);
  offset_ += lines_end_;
  lines_end_ = 0;
  filled_ = rest;
  if (more_ && size_ < kBlockBytes) resize(kBlockBytes);
  while (true) {
    if (filled_ > kMaxLineBytes) {
      return fail({name()}, fmt::format("line is longer than {} bytes", kMaxLineBytes));
    }
    if (filled_ == size_) resize(std::min(size_ * 2, kMaxLineBytes + 1));
    const std::size_t room = size_ - filled_;
    auto got = input_->read_at(offset_ + filled_, {bytes_.get() + filled_, room});
    if (!got) return tl::unexpected(got.error());
    const char* fresh = bytes_.get() + filled_;
    filled_ += *got;
    more_ = *got == room;
    if (const void* last = ::memrchr(fresh, '\n', *got)) {
      lines_end_ = static_cast<std::size_t>(static_cast<const char*>(last) - begin()) + 1;
      return true;
    }
    if (*got < room) break;
  }
  if (filled_ == 0) return false;
  bytes_[filled_] = '\n';
  lines_end_ = filled_ + 1;
  return true;
}

}  // namespace omnium::trace
