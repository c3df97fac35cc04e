// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One column of an event chunk: 32-bit values as a minimum and, per value, the few bits above it.
//
// Packed columns need one unaligned load per value. A column that zstd makes much smaller (its
// first sixteenth under half, all of it under 70 %) is compressed, with its values in whole
// bytes: decompressed it is again a packed column.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/omt_layout.h"

struct ZSTD_CCtx_s;

namespace omnium::trace::omt {

class ColumnEncoder {
 public:
  ColumnEncoder();
  ~ColumnEncoder();
  ColumnEncoder(const ColumnEncoder&) = delete;
  ColumnEncoder& operator=(const ColumnEncoder&) = delete;

  // Appends the column to `out` and returns its header. Values have 8, 16 or 32 bits.
  template <class Value>
  ColumnHeader encode(std::span<const Value> values, std::string& out);

 private:
  template <class Value>
  std::string_view compress(std::span<const Value> values, Value minimum, std::uint32_t width);

  ZSTD_CCtx_s* context_;
  std::vector<char> packed_;
  std::vector<char> compressed_;
};

// A column ready to be read. Its data is followed by at least kPadding readable bytes.
struct Column {
  static constexpr std::size_t kPadding = 8;

  const char* data = nullptr;
  std::uint32_t minimum = 0;
  std::uint32_t width = 0;

  std::uint32_t at(std::size_t i) const {
    const std::size_t bit = i * width;
    std::uint64_t word;
    std::memcpy(&word, data + bit / 8, sizeof word);
    return minimum +
           static_cast<std::uint32_t>(word >> bit % 8 & ((std::uint64_t{1} << width) - 1));
  }
};

// False if the compressed bytes do not give just as many bytes as there is room for.
bool decompress(std::string_view bytes, std::span<char> to);

class ColumnDecoder {
 public:
  // Nothing if `header` and `bytes` (with their padding) cannot be a column of `count` values. The
  // column stays valid until the next call and as long as `bytes` do.
  std::optional<Column> decode(const ColumnHeader& header, std::string_view bytes,
                               std::size_t count);

 private:
  std::vector<char> whole_bytes_;
};

}  // namespace omnium::trace::omt
