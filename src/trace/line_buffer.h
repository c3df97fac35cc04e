// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Whole lines of a text trace, a block at a time.
//
// Parsers walk over memory without asking per line: fill() leaves at least one whole line between
// begin() and end(), each line ends with '\n' (one is added to a last line that has none), and
// kPadding bytes after any line may be read, so that scanning and names can use wide loads. The
// block is small enough for the cache and grows only for a line that is longer.
#pragma once

#include <cstdint>
#include <memory>

#include "support/error.h"
#include "trace/input.h"
#include "trace/name_space.h"

namespace omnium::trace {

class LineBuffer {
 public:
  static constexpr std::size_t kPadding = Input::kBehindWhole;
  static constexpr std::size_t kMaxLineBytes = kMaxNameBytes;

  explicit LineBuffer(std::unique_ptr<Input> input);

  // Drops the lines it holds and gets the next ones. False at the end of the input.
  Result<bool> fill();
  // The next fill() starts with the line at byte `offset`.
  void seek(std::uint64_t offset);

  const char* begin() const { return begin_; }
  const char* end() const { return begin_ + lines_end_; }
  // Place in the input of a position between begin() and end().
  std::uint64_t offset_of(const char* at) const {
    return offset_ + static_cast<std::uint64_t>(at - begin());
  }
  const std::string& name() const { return input_->name(); }

 private:
  // The first block is smaller: most traces are.
  static constexpr std::size_t kFirstBlockBytes = 32 * 1024, kBlockBytes = 256 * 1024;

  // Room for so many bytes of lines; those it holds stay.
  void resize(std::size_t bytes);

  std::unique_ptr<Input> input_;
  std::string_view whole_;         // lines are read where they are, if all is in memory
  std::unique_ptr<char[]> bytes_;  // else: never cleared, a small trace would feel it
  std::size_t size_ = 0;           // of it, without the padding
  bool more_ = false;              // the last read was not short: the input may go on
  const char* begin_ = nullptr;    // in one or the other
  std::uint64_t offset_ = 0;       // of that in the input
  std::size_t lines_end_ = 0;      // whole lines lie before this,
  std::size_t filled_ = 0;         // and the beginning of one more before this
};

}  // namespace omnium::trace
