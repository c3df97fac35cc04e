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

#include "support/error.h"
#include "trace/input.h"
#include "wire/raw_log.h"

namespace omnium::decode {

// A piece of the log in memory.
struct alignas(wire::RawBlock) Piece {
  char bytes[wire::kRawPieceBytes];

  const wire::RawBlock& block() const { return *reinterpret_cast<const wire::RawBlock*>(bytes); }
  std::span<const wire::RawRecord> records() const {
    return {reinterpret_cast<const wire::RawRecord*>(bytes + sizeof(wire::RawBlock)),
            block().count.load(std::memory_order_relaxed)};
  }
};

// What a record says in words, wherever in the log it is.
struct Text {
  std::uint64_t offset;  // of its block
  std::uint32_t thread;
  wire::RawKind kind;
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

  // By number. Others after look_again().
  const std::map<std::uint32_t, ThreadBlocks>& threads() const { return threads_; }
  // One of those. Whoever reads it first looks whether it is sound.
  Result<void> read_block(std::uint64_t offset, Piece& piece);
  // A block was not.
  bool is_damaged() const { return damaged_; }
  // Finds the threads and their blocks without those that are damaged, and looks at all of them.
  Result<void> look_again();
  // In the order of the log; reads the blocks that nobody has read.
  Result<std::vector<Text>> take_texts();

  // Events from this clock on may depend on some that are missing.
  std::uint64_t end_clock() const { return end_clock_; }
  // Why events are missing; empty if none are.
  const std::string& why_cut() const { return why_cut_; }

  const std::string& name() const { return input_->name(); }

 private:
  explicit RawLog(std::unique_ptr<trace::Input> input) : input_(std::move(input)) {}
  Result<void> read_header();
  enum class Look { kHeaders, kRecords };
  struct Found {
    std::uint64_t offset, first_clock;
  };

  Result<void> find_blocks(Look look);
  Result<std::size_t> read_piece(std::uint64_t offset, Look look, Piece& piece) const;
  void take_block(std::uint64_t offset, const wire::RawBlock& block);
  void find_texts(std::uint64_t offset, const Piece& piece);
  bool has_gaps() const;
  Result<void> end_before_gaps();
  void cut(std::uint64_t clock, std::string why);

  std::unique_ptr<trace::Input> input_;
  std::map<std::uint32_t, std::map<std::uint64_t, Found>> found_;  // by thread and sequence
  std::map<std::uint32_t, ThreadBlocks> threads_;
  std::vector<Text> texts_;   // of the blocks that were read
  std::vector<bool> unread_;  // blocks, by number of the piece
  bool damaged_ = false;
  std::uint64_t end_clock_ = ~std::uint64_t{0};
  std::string why_cut_;
};

// `start` begins as a raw log does.
bool looks_like_raw_log(std::string_view start);

}  // namespace omnium::decode
