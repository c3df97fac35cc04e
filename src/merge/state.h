// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What merging remembers. Of each cause only the place of its witness in a file, so memory grows
// with the number of different causes and of runs that saw them, not with what is said of them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/report.h"
#include "support/error.h"

namespace omnium::merge {

struct Input {
  std::string path, text;  // the text of what cannot be read twice
  bool is_file = true;
};

// A part of an input.
struct Piece {
  std::uint32_t input = 0;
  std::uint64_t offset = 0, length = 0;
};

// How good a witness is: the less, the better.
struct Rank {
  bool unexplained = false, no_picture = false;
  std::uint32_t transactions = 0;
  std::uint64_t picture_bytes = 0;
  std::uint64_t hash = 0;
  auto operator<=>(const Rank&) const = default;
};

// How often something was seen, per run; of two counts for one run the larger one.
class Counts {
 public:
  void add(report::SeenIn seen);
  // By run.
  std::vector<report::SeenIn> all() const;

 private:
  static void compact(std::vector<report::SeenIn>& list);
  std::vector<report::SeenIn> list_;
  std::size_t compact_at_ = 64;
};

// A cause, or a cycle that blames nobody. Members are JSON, as they stood in the result.
struct Entry {
  int status = -1;  // that of report::Status; below 0: nothing is known yet
  Rank rank;
  bool is_failure = false;     // no violation
  std::uint32_t shown_in = 0;  // the run of the witness
  Piece cause, other;          // `other`: its violation, or the transactions of the cycle
  Counts seen_in;
  std::map<std::string, Counts> variants;  // by pattern and partners
  // What most causes do not have.
  struct Rare {
    std::set<std::string> found_by;  // without quotes, at most kMostFoundBy
    std::string looks_like, suppressed, known;
  };
  std::unique_ptr<Rare> rare;
  bool is_noise() const { return rare && !rare->looks_like.empty(); }
};

inline constexpr std::size_t kMostFoundBy = 4;

using Entries = std::unordered_map<std::string, Entry>;  // by id

// Results of one kind: the same engine and definitions, of traces or of runs, seen or predicted.
struct Group {
  std::vector<report::Report> runs;  // without findings
  std::unordered_map<std::string, std::uint32_t> run_of_id;
  Entries causes, cycles;
};

struct State {
  std::vector<Input> inputs;
  std::map<std::string, Group> groups;

  Result<std::string> text_of(const Piece& piece) const;
  // The same for many: each input is opened once.
  Result<std::vector<std::string>> texts_of(const std::vector<Piece>& pieces) const;
};

}  // namespace omnium::merge
