// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Bytes of a trace by offset: a regular file, a pipe, or memory.
//
// Readers of every format look twice at a trace (seek), and pipes cannot be read twice, so what
// comes out of a pipe is spooled to an unlinked temporary file on its way. If there is no room for
// that, the first look goes on without a copy, and only a second one fails. Nothing is mapped:
// memory stays flat.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "support/error.h"

namespace omnium::trace {

class Input {
 public:
  explicit Input(std::string name) : name_(std::move(name)) {}
  virtual ~Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Fills `out` from byte `offset` on; fewer bytes only at the end of the input.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) = 0;

  // All of it, if that is in memory anyway; empty otherwise. So many bytes behind it can be read,
  // and mean nothing.
  static constexpr std::size_t kBehindWhole = 64;
  virtual std::string_view whole() const { return {}; }

  // From now on nothing is taken from a pipe any more: processes that are forked can all read it.
  virtual Result<void> read_to_the_end() { return {}; }

  // For messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// "-" is standard input.
Result<std::unique_ptr<Input>> open_input(const std::string& path);

std::unique_ptr<Input> input_from_memory(std::string name, std::string_view bytes);

}  // namespace omnium::trace
