// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/raw_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "decode/record_cursor.h"

namespace omnium::decode {

namespace {

using wire::RawBlock;
using wire::RawRecord;

std::uint64_t hash_of(const Piece& piece) {
  const std::uint64_t header = XXH3_64bits(piece.bytes, offsetof(RawBlock, hash));
  return XXH3_64bits_withSeed(piece.records().data(), piece.records().size_bytes(), header);
}

bool is_block(const Piece& piece, std::size_t bytes) {
  const RawBlock& block = piece.block();
  return bytes >= sizeof block && block.magic == wire::kRawBlockMagic &&
         block.thread != wire::kRawNoThread && piece.records().size() <= wire::kRawRecordsPerBlock;
}

bool is_whole_block(const Piece& piece, std::size_t bytes) {
  return is_block(piece, bytes) && bytes >= sizeof(RawBlock) + piece.records().size_bytes();
}

// Are the records those that were written? A block that was being filled has no hash to tell.
bool is_sound(const Piece& piece) {
  return piece.block().sealed == 0 || piece.block().hash == hash_of(piece);
}

}  // namespace

bool looks_like_raw_log(std::string_view start) {
  return start.starts_with(std::string_view(wire::kRawMagic, sizeof wire::kRawMagic - 1));
}

Result<RawLog> RawLog::open(std::unique_ptr<trace::Input> input) {
  RawLog log(std::move(input));
  if (auto read = log.read_header(); !read) return tl::unexpected(read.error());
  if (auto found = log.find_blocks(Look::kHeaders); !found) return tl::unexpected(found.error());
  if (log.has_gaps()) {
    if (auto found = log.find_blocks(Look::kRecords); !found) return tl::unexpected(found.error());
  }
  if (auto ended = log.end_before_gaps(); !ended) return tl::unexpected(ended.error());
  return log;
}

Result<void> RawLog::look_again() {
  damaged_ = false;
  if (auto found = find_blocks(Look::kRecords); !found) return found;
  return end_before_gaps();
}

void RawLog::cut(std::uint64_t clock, std::string why) {
  if (clock >= end_clock_) return;
  end_clock_ = clock;
  why_cut_ = std::move(why);
}

Result<void> RawLog::read_header() {
  alignas(wire::RawHeader) char bytes[sizeof(wire::RawHeader)] = {};
  const auto got = input_->read_at(0, bytes);
  if (!got) return tl::unexpected(got.error());
  const auto& header = *reinterpret_cast<const wire::RawHeader*>(bytes);
  if (*got != sizeof bytes || !looks_like_raw_log({bytes, sizeof bytes})) {
    return fail({input_->name(), 0, 0, 0}, "not a raw log");
  }
  if (header.version != wire::kRawVersion) {
    return fail({input_->name(), 0, 0, offsetof(wire::RawHeader, version)},
                fmt::format("unsupported version {} of the raw log", header.version));
  }
  keeps_ = static_cast<wire::RawKeeps>(header.keeps);
  takes_undeclared_ = header.takes_undeclared != 0;
  const std::uint64_t stop = header.stop_clock.load();
  if (stop != 0) {
    cut(stop, fmt::format("the recording stopped before the program ended: {}",
                          std::strerror(static_cast<int>(header.stop_error.load()))));
  }
  return {};
}

// The headers say where the blocks are. Whether a block is damaged is known only from its records.
Result<void> RawLog::find_blocks(Look look) {
  found_.clear();
  texts_.clear();
  unread_.assign(1, false);
  const auto piece = std::make_unique<Piece>();
  for (std::uint64_t offset = wire::kRawPieceBytes;; offset += wire::kRawPieceBytes) {
    const auto got = read_piece(offset, look, *piece);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    const bool counts = is_block(*piece, *got);
    unread_.push_back(counts && look == Look::kHeaders);
    if (!counts) continue;
    const bool is_usable =
        look == Look::kHeaders || (is_whole_block(*piece, *got) && is_sound(*piece));
    take_block(piece->block(), {offset, piece->block().first_clock, is_usable});
    if (look == Look::kRecords && is_usable) find_texts(offset, *piece);
  }
  return {};
}

Result<std::size_t> RawLog::read_piece(std::uint64_t offset, Look look, Piece& piece) const {
  return input_->read_at(
      offset,
      std::span(piece.bytes).first(look == Look::kHeaders ? sizeof(RawBlock) : sizeof piece.bytes));
}

void RawLog::take_block(const RawBlock& block, const Found& found) {
  const auto [place, is_new] = found_[block.thread].try_emplace(block.sequence, found);
  // The thread has written the block and was killed before it began the next one: the copy that it
  // wrote is whole, while the one in its hands may be empty already.
  const bool is_better = found.is_usable && (block.sealed != 0 || !place->second.is_usable);
  if (!is_new && is_better) place->second = found;
}

void RawLog::find_texts(std::uint64_t offset, const Piece& piece) {
  for (RecordCursor cursor(piece); !cursor.is_at_end();) {
    const RawRecord& record = cursor.take();
    if (wire::kind_of(record) < wire::RawKind::kThreadStart || !cursor.has_text(record)) continue;
    texts_.push_back({offset, piece.block().thread, wire::kind_of(record), wire::object_of(record),
                      std::string(cursor.text(record))});
  }
}

Result<std::vector<Text>> RawLog::take_texts() {
  const auto piece = std::make_unique<Piece>();
  for (std::uint64_t i = 0; i < unread_.size(); ++i) {
    if (!unread_[i]) continue;
    const std::uint64_t offset = i * wire::kRawPieceBytes;
    const auto got = read_piece(offset, Look::kRecords, *piece);
    if (!got) return tl::unexpected(got.error());
    if (is_whole_block(*piece, *got) && is_sound(*piece)) find_texts(offset, *piece);
  }
  std::ranges::stable_sort(texts_, {}, &Text::offset);
  return std::move(texts_);
}

bool RawLog::has_gaps() const {
  return std::ranges::any_of(found_, [](const auto& entry) {
    const auto& blocks = entry.second;
    return blocks.rbegin()->first + 1 != blocks.size();
  });
}

// Uses the blocks of each thread up to the first one that is missing or damaged, and cuts the log
// at the clock where that one begins: what comes later may depend on missing events.
Result<void> RawLog::end_before_gaps() {
  threads_.clear();
  for (const auto& [thread, blocks] : found_) {
    std::vector<std::uint64_t>& offsets = threads_[thread].offsets;
    threads_[thread].first_clock = blocks.begin()->second.first_clock;
    for (const auto& [sequence, found] : blocks) {
      if (sequence != offsets.size() || !found.is_usable) break;
      offsets.push_back(found.offset);
    }
    if (offsets.size() == blocks.size()) continue;
    const auto& [first_sequence, first] = *blocks.begin();
    std::uint64_t clock = first_sequence == 0 ? first.first_clock : 0;
    if (!offsets.empty()) {
      const auto piece = std::make_unique<Piece>();
      if (auto read = read_block(offsets.back(), *piece); !read) return read;
      RecordCursor cursor(*piece);
      while (!cursor.is_at_end()) cursor.take();
      clock = cursor.clock();
    }
    cut(clock + 1, "truncated: a part of the raw log is damaged or missing");
  }
  found_.clear();
  return {};
}

Result<void> RawLog::read_block(std::uint64_t offset, Piece& piece) {
  const auto got = read_piece(offset, Look::kRecords, piece);
  if (!got) return tl::unexpected(got.error());
  const bool is_first = unread_[offset / wire::kRawPieceBytes];
  if (!is_whole_block(piece, *got) || (is_first && !is_sound(piece))) {
    damaged_ = true;
    return fail({name(), 0, 0, offset}, "damaged block of the raw log");
  }
  if (is_first) find_texts(offset, piece);
  unread_[offset / wire::kRawPieceBytes] = false;
  return {};
}

}  // namespace omnium::decode
