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

// The text of a record.
struct Text {
  std::uint64_t offset;  // of its block
  std::uint32_t thread;
  wire::RawKind kind;
  std::uint64_t object;
  std::string text;
};

// Where the blocks of a thread are, in order, and the clock that the thread starts with.
struct ThreadBlocks {
  std::uint64_t first_clock = 0;
  std::vector<std::uint64_t> offsets;
};

class RawLog {
 public:
  static Result<RawLog> open(std::unique_ptr<trace::Input> input);

  // By number. look_again() changes them.
  const std::map<std::uint32_t, ThreadBlocks>& threads() const { return threads_; }
  // Reads one of these blocks. The first time its hash is compared.
  Result<void> read_block(std::uint64_t offset, Piece& piece);
  // Has read_block found a damaged block?
  bool is_damaged() const { return damaged_; }
  // Finds the threads and their blocks again, leaving out damaged ones. Reads the whole log.
  Result<void> look_again();
  // All texts, in the order of the log. Reads the blocks that have not been read yet.
  Result<std::vector<Text>> take_texts();

  // Events from this clock on may depend on some that are missing.
  std::uint64_t end_clock() const { return end_clock_; }
  // Why events are missing; empty if none are.
  const std::string& why_cut() const { return why_cut_; }
  wire::RawKeeps keeps() const { return keeps_; }
  // Are its blocks functions that nobody declared atomic?
  bool takes_undeclared() const { return takes_undeclared_; }

  const std::string& name() const { return input_->name(); }

 private:
  explicit RawLog(std::unique_ptr<trace::Input> input) : input_(std::move(input)) {}
  Result<void> read_header();
  enum class Look { kHeaders, kRecords };
  struct Found {
    std::uint64_t offset, first_clock;
    bool is_usable;  // as far as it is known: neither damaged nor cut off
  };

  Result<void> find_blocks(Look look);
  Result<std::size_t> read_piece(std::uint64_t offset, Look look, Piece& piece) const;
  void take_block(const wire::RawBlock& block, const Found& found);
  void find_texts(std::uint64_t offset, const Piece& piece);
  bool has_gaps() const;
  Result<void> end_before_gaps();
  void cut(std::uint64_t clock, std::string why);

  std::unique_ptr<trace::Input> input_;
  std::map<std::uint32_t, std::map<std::uint64_t, Found>> found_;  // by thread and sequence
  std::map<std::uint32_t, ThreadBlocks> threads_;
  std::vector<Text> texts_;   // of the blocks that have been read
  std::vector<bool> unread_;  // by piece: it is a block that has not been read
  bool damaged_ = false;
  std::uint64_t end_clock_ = ~std::uint64_t{0};
  std::string why_cut_;
  wire::RawKeeps keeps_ = wire::RawKeeps::kShared;
  bool takes_undeclared_ = false;
};

// Does a file that begins like this look like a raw log?
bool looks_like_raw_log(std::string_view start);

}  // namespace omnium::decode
