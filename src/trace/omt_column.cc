// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/omt_column.h"

#include <algorithm>
#include <bit>

#include <zstd.h>

#include "support/check.h"

namespace omnium::trace::omt {

namespace {

constexpr int kLevel = 1;

std::size_t packed_bytes(std::size_t count, std::uint32_t width) { return (count * width + 7) / 8; }

std::uint32_t whole_bytes_width(std::uint32_t width) { return (width + 7) / 8 * 8; }

void pack(std::span<const std::uint32_t> values, std::uint32_t minimum, std::uint32_t width,
          std::string& out) {
  out.resize(packed_bytes(values.size(), width) + sizeof(std::uint64_t));
  char* to = out.data();
  std::uint64_t bits = 0;
  std::uint32_t used = 0;
  for (const std::uint32_t value : values) {
    bits |= std::uint64_t{value - minimum} << used;
    used += width;
    if (used < 32) continue;
    std::memcpy(to, &bits, sizeof(std::uint32_t));
    to += sizeof(std::uint32_t);
    bits >>= 32;
    used -= 32;
  }
  std::memcpy(to, &bits, sizeof bits);
  out.resize(out.size() - sizeof(std::uint64_t));
}

}  // namespace

ColumnEncoder::ColumnEncoder() : context_(ZSTD_createCCtx()) { CHECK(context_ != nullptr); }
ColumnEncoder::~ColumnEncoder() { ZSTD_freeCCtx(context_); }

ColumnHeader ColumnEncoder::encode(std::span<const std::uint32_t> values, std::string& out) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto width = static_cast<std::uint32_t>(std::bit_width(*high - *low));
  ColumnHeader header{*low, 0, Encoding::kPacked, static_cast<std::uint8_t>(width), 0};
  if (width == 0) return header;
  pack(values, *low, width, packed_);
  pack(values, *low, whole_bytes_width(width), whole_bytes_);
  compressed_.resize(ZSTD_compressBound(whole_bytes_.size()));
  const std::size_t size = ZSTD_compressCCtx(context_, compressed_.data(), compressed_.size(),
                                             whole_bytes_.data(), whole_bytes_.size(), kLevel);
  CHECK(!ZSTD_isError(size));
  compressed_.resize(size);
  if (size < packed_.size() / 10 * 7) header.encoding = Encoding::kZstd;
  const std::string& chosen = header.encoding == Encoding::kZstd ? compressed_ : packed_;
  header.bytes = static_cast<std::uint32_t>(chosen.size());
  out.append(chosen);
  return header;
}

ColumnDecoder::ColumnDecoder() : context_(ZSTD_createDCtx()) { CHECK(context_ != nullptr); }
ColumnDecoder::~ColumnDecoder() { ZSTD_freeDCtx(context_); }

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
  if (ZSTD_decompressDCtx(context_, whole_bytes_.data(), size, bytes.data(), bytes.size()) !=
      size) {
    return std::nullopt;
  }
  return Column{whole_bytes_.data(), header.minimum, width};
}

}  // namespace omnium::trace::omt
