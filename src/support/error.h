// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is wrong with an input, and where. Functions that read input return Result<T>; nothing
// throws.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace omnium {

// A place in an input. Text formats have lines (1-based), binary ones byte offsets; zero and
// kNoOffset mean "not known".
struct Position {
  static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::uint64_t byte_offset = kNoOffset;
};

struct Error {
  Position at;
  std::string message;

  // "trace.std:17:1: error: expected THREAD|OP|LOC, got 'T0 r(x)'"
  std::string to_string() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Position at, std::string message) {
  return tl::unexpected<Error>(Error{std::move(at), std::move(message)});
}

// Untrusted text made fit for one line of a message: control characters and invalid UTF-8 become
// \xNN, and anything longer than `limit` bytes is cut with "...".
std::string printable(std::string_view text, std::size_t limit = 80);

}  // namespace omnium
