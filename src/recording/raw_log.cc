// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/raw_log.h"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

namespace omnium::recording {

namespace {

using live::RawBlock;
using live::RawRecord;

std::uint64_t hash_of(const Piece& piece) {
  const std::uint64_t header = XXH3_64bits(piece.bytes, offsetof(RawBlock, hash));
  return XXH3_64bits_withSeed(piece.records().data(), piece.records().size_bytes(), header);
}

bool is_block(const Piece& piece, std::size_t bytes) {
  const RawBlock& block = piece.block();
  return bytes >= sizeof block && block.magic == live::kRawBlockMagic &&
         block.thread != live::kRawNoThread &&
         piece.records().size() <= live::kRawRecordsPerBlock &&
         bytes >= sizeof block + piece.records().size_bytes();
}

// Are its records what was written? A block that was being filled has no hash.
bool is_sound(const Piece& piece) {
  return piece.block().sealed == 0 || piece.block().hash == hash_of(piece);
}

}  // namespace

bool looks_like_raw_log(std::string_view start) {
  return start.starts_with(std::string_view(live::kRawMagic, sizeof live::kRawMagic - 1));
}

Result<RawLog> RawLog::open(std::unique_ptr<trace::Input> input) {
  RawLog log(std::move(input));
  if (auto read = log.read_header(); !read) return tl::unexpected(read.error());
  if (auto found = log.find_blocks(); !found) return tl::unexpected(found.error());
  if (auto ended = log.end_before_gaps(); !ended) return tl::unexpected(ended.error());
  return log;
}

void RawLog::cut(std::uint64_t clock, std::string why) {
  if (clock >= end_clock_) return;
  end_clock_ = clock;
  why_cut_ = std::move(why);
}

Result<void> RawLog::read_header() {
  alignas(live::RawHeader) char bytes[sizeof(live::RawHeader)] = {};
  const auto got = input_->read_at(0, bytes);
  if (!got) return tl::unexpected(got.error());
  const auto& header = *reinterpret_cast<const live::RawHeader*>(bytes);
  if (*got != sizeof bytes || !looks_like_raw_log({bytes, sizeof bytes})) {
    return fail({input_->name(), 0, 0, 0}, "not the raw log of a recording");
  }
  if (header.version != live::kRawVersion) {
    return fail({input_->name(), 0, 0, offsetof(live::RawHeader, version)},
                fmt::format("version {} of the raw log is not known here", header.version));
  }
  const std::uint64_t stop = header.stop_clock.load();
  if (stop != 0) {
    cut(stop, fmt::format("the recording stopped before the program did: {}",
                          std::strerror(static_cast<int>(header.stop_error.load()))));
  }
  return {};
}

Result<void> RawLog::find_blocks() {
  const auto piece = std::make_unique<Piece>();
  for (std::uint64_t offset = live::kRawPieceBytes;; offset += live::kRawPieceBytes) {
    const auto got = input_->read_at(offset, piece->bytes);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    if (!is_block(*piece, *got) || !is_sound(*piece)) continue;
    const RawBlock& block = piece->block();
    const auto [place, is_new] =
        found_[block.thread].try_emplace(block.sequence, Found{offset, block.first_clock});
    // A block that was written and is still in the thread's hands.
    if (!is_new && block.sealed != 0) place->second.offset = offset;
    if (is_new) find_texts(block.thread, piece->records());
  }
  return {};
}

void RawLog::find_texts(std::uint32_t thread, std::span<const RawRecord> records) {
  for (std::size_t i = 0; i < records.size();) {
    const RawRecord& record = records[i];
    const std::size_t end = i + 1 + live::text_records(record);
    if (end > records.size()) return;
    i = end;
    if (live::kind_of(record) < live::RawKind::kThreadStart) continue;
    const std::size_t size = live::text_records(record) == 0 ? 0 : live::size_of(record);
    texts_.push_back({thread, live::kind_of(record), live::object_of(record),
                      std::string(reinterpret_cast<const char*>(&record + 1), size)});
  }
}

// A thread's blocks count up to the first that is missing; so does everything before that clock.
Result<void> RawLog::end_before_gaps() {
  for (const auto& [thread, blocks] : found_) {
    std::vector<std::uint64_t>& offsets = threads_[thread].offsets;
    threads_[thread].first_clock = blocks.begin()->second.first_clock;
    for (const auto& [sequence, found] : blocks) {
      if (sequence != offsets.size()) break;
      offsets.push_back(found.offset);
    }
    if (offsets.size() == blocks.size()) continue;
    std::uint64_t clock = 0;
    if (!offsets.empty()) {
      const auto piece = std::make_unique<Piece>();
      if (auto read = read_block(offsets.back(), *piece); !read) return read;
      clock = piece->block().first_clock;
      for (const RawRecord& record : piece->records()) clock += live::clock_step_of(record);
    }
    cut(clock + 1, "a part of the raw log is damaged or missing");
  }
  found_.clear();
  return {};
}

Result<void> RawLog::read_block(std::uint64_t offset, Piece& piece) const {
  const auto got = input_->read_at(offset, piece.bytes);
  if (!got) return tl::unexpected(got.error());
  if (!is_block(piece, *got)) return fail({name(), 0, 0, offset}, "damaged block of the raw log");
  return {};
}

}  // namespace omnium::recording
