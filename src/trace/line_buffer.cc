// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/line_buffer.h"

#include <cstring>

#include <fmt/format.h>

namespace omnium::trace {

LineBuffer::LineBuffer(std::unique_ptr<Input> input)
    : input_(std::move(input)), bytes_(kFirstBlockBytes + kPadding) {}

void LineBuffer::seek(std::uint64_t offset) {
  offset_ = offset;
  lines_end_ = 0;
  filled_ = 0;
}

Result<bool> LineBuffer::fill() {
  // The newline that was added to a last line is not in the input, and nothing comes after it.
  const std::size_t rest = filled_ > lines_end_ ? filled_ - lines_end_ : 0;
  std::memmove(bytes_.data(), bytes_.data() + lines_end_, rest);
  offset_ += lines_end_;
  lines_end_ = 0;
  filled_ = rest;
  if (offset_ != 0 && bytes_.size() < kBlockBytes) bytes_.resize(kBlockBytes + kPadding);
  while (true) {
    if (filled_ > kMaxLineBytes) {
      return fail({name()}, fmt::format("line is longer than {} bytes", kMaxLineBytes));
    }
    if (filled_ + kPadding >= bytes_.size()) bytes_.resize(bytes_.size() * 2);
    const std::size_t room = bytes_.size() - kPadding - filled_;
    auto got = input_->read_at(offset_ + filled_, {bytes_.data() + filled_, room});
    if (!got) return tl::unexpected(got.error());
    const char* fresh = bytes_.data() + filled_;
    filled_ += *got;
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
