// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/omt_column.h"

#include <algorithm>
#include <bit>
#include <memory>

#include <zstd.h>

#include "support/check.h"

namespace omnium::trace::omt {

namespace {

constexpr int kLevel = 1;
constexpr std::size_t kSample = 1024;  // values, at least

std::size_t packed_bytes(std::size_t count, std::uint32_t width) { return (count * width + 7) / 8; }

std::uint32_t whole_bytes_width(std::uint32_t width) { return (width + 7) / 8 * 8; }

__extension__ typedef unsigned __int128 Wide;

// At least as many bytes, whatever is in them.
char* room(std::vector<char>& buffer, std::size_t bytes) {
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer.data();
}

// Eight values fill as many bytes as each has bits. May write 32 bytes.
template <class Value>
void pack_eight(const Value* values, Value minimum, std::uint32_t width, char* to) {
  const auto value = [&](std::size_t i) {
    return std::uint64_t{static_cast<Value>(values[i] - minimum)};
  };
  const auto pair = [&](std::size_t i) { return value(i) | value(i + 1) << width; };
  const auto four = [&](std::size_t i) { return pair(i) | Wide{pair(i + 2)} << 2 * width; };
  const Wide low = four(0), high = four(4);
  std::memcpy(to, &low, sizeof low);
  const std::uint32_t bytes = 4 * width / 8, bits = 4 * width % 8;
  const Wide rest = high << bits | (bits == 0 ? 0 : low >> 8 * bytes);
  std::memcpy(to + bytes, &rest, sizeof rest);
}

// Values that fill a whole number.
template <class Number, class Value>
void pack_numbers(std::span<const Value> values, Value minimum, char* to) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<Number>(values[i] - minimum);
    std::memcpy(to + i * sizeof number, &number, sizeof number);
  }
}

template <class Value>
std::string_view pack(std::span<const Value> values, Value minimum, std::uint32_t width,
                      std::vector<char>& out) {
  const std::size_t size = packed_bytes(values.size(), width);
  char* to = room(out, size + 32);
  const std::string_view packed(to, size);
  if (width == 8) return pack_numbers<std::uint8_t>(values, minimum, to), packed;
  if (width == 16) return pack_numbers<std::uint16_t>(values, minimum, to), packed;
  const std::size_t whole = values.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8, to += width) {
    pack_eight(values.data() + i, minimum, width, to);
  }
  if (whole < values.size()) {
    Value last[8];
    std::fill(std::begin(last), std::end(last), minimum);
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(whole), values.end(), last);
    pack_eight(last, minimum, width, to);
  }
  return packed;
}

}  // namespace

ColumnEncoder::ColumnEncoder() : context_(ZSTD_createCCtx()) { CHECK(context_ != nullptr); }
ColumnEncoder::~ColumnEncoder() { ZSTD_freeCCtx(context_); }

template <class Value>
ColumnHeader ColumnEncoder::encode(std::span<const Value> values, std::string& out) {
  Value low = values[0], high = values[0];
  for (const Value value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const auto width = static_cast<std::uint32_t>(std::bit_width(static_cast<Value>(high - low)));
  ColumnHeader header{low, 0, Encoding::kPacked, static_cast<std::uint8_t>(width), 0};
  if (width == 0) return header;
  // A beginning of the column says whether the whole is worth the time.
  const auto sample = values.first(std::min(values.size(), std::max(values.size() / 16, kSample)));
  std::string_view chosen;
  if (compress(sample, low, width).size() < packed_bytes(sample.size(), width) / 2) {
    chosen = compress(values, low, width);
    if (chosen.size() < packed_bytes(values.size(), width) / 10 * 7) {
      header.encoding = Encoding::kZstd;
    }
  }
  if (header.encoding == Encoding::kPacked) chosen = pack(values, low, width, packed_);
  header.bytes = static_cast<std::uint32_t>(chosen.size());
  out.append(chosen);
  return header;
}

template ColumnHeader ColumnEncoder::encode(std::span<const std::uint8_t>, std::string&);
template ColumnHeader ColumnEncoder::encode(std::span<const std::uint16_t>, std::string&);
template ColumnHeader ColumnEncoder::encode(std::span<const std::uint32_t>, std::string&);

// In whole bytes; valid until the next call.
template <class Value>
std::string_view ColumnEncoder::compress(std::span<const Value> values, Value minimum,
                                         std::uint32_t width) {
  const std::string_view packed = pack(values, minimum, whole_bytes_width(width), packed_);
  const std::size_t bound = ZSTD_compressBound(packed.size());
  char* const to = room(compressed_, bound);
  const std::size_t size =
      ZSTD_compressCCtx(context_, to, bound, packed.data(), packed.size(), kLevel);
  CHECK(!ZSTD_isError(size));
  return {to, size};
}

bool decompress(std::string_view bytes, std::span<char> to) {
  // Made once per thread: for a small trace that takes longer than the rest.
  thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(
      ZSTD_createDCtx(), &ZSTD_freeDCtx);
  CHECK(context != nullptr);
  return ZSTD_decompressDCtx(context.get(), to.data(), to.size(), bytes.data(), bytes.size()) ==
         to.size();
}

std::optional<Column> ColumnDecoder::decode(const ColumnHeader& header, std::string_view bytes,
                                            std::size_t count) {
  if (header.width > 32 || header.zero != 0 || header.bytes != bytes.size()) return std::nullopt;
  if (header.encoding == Encoding::kPacked) {
    if (bytes.size() != packed_bytes(count, header.width)) return std::nullopt;
    return Column{bytes.data(), header.minimum, header.width};
  }
  if (header.encoding != Encoding::kZstd || header.width == 0) return std::nullopt;
  const std::uint32_t width = whole_bytes_width(header.width);
  const std::size_t size = packed_bytes(count, width);
  whole_bytes_.resize(size + Column::kPadding);
  if (!decompress(bytes, std::span(whole_bytes_).first(size))) return std::nullopt;
  return Column{whole_bytes_.data(), header.minimum, width};
}

}  // namespace omnium::trace::omt
