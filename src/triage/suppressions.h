// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Causes that people know about, each with a reason (docs/formats/suppressions.md).
//
//   # comment
//   suppress av-7f3a12c9 because the deposit is made again
//   suppress block Logger::* because lines may come in any order
//   suppress object stats.* because these counters are estimates
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "support/error.h"

namespace omnium::triage {

struct Suppression {
  enum class Field : std::uint8_t { kId, kBlock, kObject };

  Position at;
  Field field = Field::kId;
  std::string glob;
  std::string reason;
  // What it matched so far; nothing: it is stale.
  std::uint64_t causes = 0, violations = 0;
};

class Suppressions {
 public:
  static Result<Suppressions> parse(std::string_view text, const std::string& path);
  static Result<Suppressions> read_file(const std::string& path);

  // The first that matches; all that match are counted. nullptr if there is none.
  const Suppression* match(const report::Cause& cause);

  std::span<const Suppression> all() const { return suppressions_; }

 private:
  std::vector<Suppression> suppressions_;
};

// "suppress block Logger::*"
std::string to_string(const Suppression& suppression);

}  // namespace omnium::triage
