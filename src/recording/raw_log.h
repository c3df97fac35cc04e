// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A raw log on disk: which blocks belong to which thread, and how far they can be trusted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "live/raw_log.h"
#include "support/error.h"
#include "trace/input.h"

namespace omnium::recording {

// A piece of the log in memory.
struct alignas(live::RawBlock) Piece {
  char bytes[live::kRawPieceBytes];

  const live::RawBlock& block() const { return *reinterpret_cast<const live::RawBlock*>(bytes); }
  std::span<const live::RawRecord> records() const {
    return {reinterpret_cast<const live::RawRecord*>(bytes + sizeof(live::RawBlock)),
            block().count.load(std::memory_order_relaxed)};
  }
};

// What a record says in words, wherever in the log it is.
struct Text {
  std::uint32_t thread;
  live::RawKind kind;
  std::uint64_t object;
  std::string text;
};

// Where the blocks of a thread lie, in order, and the clock that it starts with.
struct ThreadBlocks {
  std::uint64_t first_clock = 0;
  std::vector<std::uint64_t> offsets;
};

class RawLog {
 public:
  static Result<RawLog> open(std::unique_ptr<trace::Input> input);

  // By number.
  const std::map<std::uint32_t, ThreadBlocks>& threads() const { return threads_; }
  // One of those; they were found sound when the log was opened.
  Result<void> read_block(std::uint64_t offset, Piece& piece) const;
  const std::vector<Text>& texts() const { return texts_; }

  // Events from this clock on may depend on some that are missing.
  std::uint64_t end_clock() const { return end_clock_; }
  // Why events are missing; empty if none are.
  const std::string& why_cut() const { return why_cut_; }

  const std::string& name() const { return input_->name(); }

 private:
  explicit RawLog(std::unique_ptr<trace::Input> input) : input_(std::move(input)) {}
  Result<void> read_header();
  Result<void> find_blocks();
  void find_texts(std::uint32_t thread, std::span<const live::RawRecord> records);
  Result<void> end_before_gaps();
  void cut(std::uint64_t clock, std::string why);

  struct Found {
    std::uint64_t offset, first_clock;
  };

  std::unique_ptr<trace::Input> input_;
  std::map<std::uint32_t, std::map<std::uint64_t, Found>> found_;  // by thread and sequence
  std::map<std::uint32_t, ThreadBlocks> threads_;
  std::vector<Text> texts_;
  std::uint64_t end_clock_ = ~std::uint64_t{0};
  std::string why_cut_;
};

// `start` begins as a raw log does.
bool looks_like_raw_log(std::string_view start);

}  // namespace omnium::recording
