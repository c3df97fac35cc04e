// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A stored result as text: what merging needs of it, found without a tree. All members are views
// of the text, as JSON; empty where there is nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace omnium::merge {

struct RawCause {
  std::string_view whole;
  std::string_view id, pattern, partners, count, seen_in, shown_in, variants, status, explained,
      looks_like, picture, failure, found_by, suppressed, known;
  std::uint64_t witness_hash = 0;  // of what is said of the instance that is shown
};

struct RawViolation {
  std::string_view whole;
  std::size_t steps = 0;  // of its witness
};

struct RawResult {
  std::string_view whole;
  // The object without its findings, for the reader of results.
  std::string head;
  bool is_merged = false;
  std::vector<RawCause> causes;
  RawCause cycle_cause;                                               // no id: there is none
  std::string_view cycle;                                             // its transactions
  std::unordered_map<std::string_view, RawViolation> shortest_of_id;  // of `violations`
};

// Members that merging computes anew; the rest of a cause belongs to the instance that is shown.
bool is_merged_member(std::string_view key);

// The results in the object at `at`: one, or none of a model without a violation. Returns the end
// of the object, or kNowhere.
std::size_t read_raw(std::string_view text, std::size_t at, std::vector<RawResult>& out);

}  // namespace omnium::merge
