// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which definition of a violation applies (docs/semantics.md#transactions and
// #conflicts-and-order): what the options --conflicts and --waits choose.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace omnium {

enum class Conflicts : std::uint8_t {
  kData,  // the order in which threads took a lock is not a result of the program
  kAll,   // the papers' definition: giving a lock back conflicts with taking it
};

enum class Waits : std::uint8_t {
  kSplit,  // a block that waits, or tries again, is cut there into parts
  kKeep,   // the papers' definition: one transaction throughout
};

struct CheckMode {
  Conflicts conflicts;
  Waits waits;
  friend bool operator==(const CheckMode&, const CheckMode&) = default;
};

// What Velodrome, AeroDrome and Davida decide.
inline constexpr CheckMode kAsPublished{Conflicts::kAll, Waits::kKeep};
// What commands do if nothing else is asked for.
inline constexpr CheckMode kDefaultMode{Conflicts::kData, Waits::kSplit};

constexpr std::string_view to_string(Conflicts conflicts) {
  return conflicts == Conflicts::kData ? "data" : "all";
}
constexpr std::string_view to_string(Waits waits) {
  return waits == Waits::kSplit ? "split" : "keep";
}
constexpr std::optional<Conflicts> find_conflicts(std::string_view word) {
  if (word == "data") return Conflicts::kData;
  if (word == "all") return Conflicts::kAll;
  return std::nullopt;
}
constexpr std::optional<Waits> find_waits(std::string_view word) {
  if (word == "split") return Waits::kSplit;
  if (word == "keep") return Waits::kKeep;
  return std::nullopt;
}

}  // namespace omnium
