// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/longer_section.h"

#include <algorithm>
#include <string_view>

#include "support/place.h"

namespace omnium {

namespace {

std::string_view location(LocId loc, const Names& names) {
  return loc.is_none() ? "" : names.locations.name(loc.v);
}

std::string_view function(LocId loc, const Names& names) {
  return support::place_of(location(loc, names)).function;
}

LocId loc_at(const Picture& picture, EventIndex index) {
  const auto row = std::ranges::find(picture.rows, index, &SeenEvent::index);
  return row == picture.rows.end() ? LocId::none() : row->event.loc();
}

// "bank.cpp:44" in two parts. The number is 0 if there is none.
struct Line {
  std::string_view file;
  std::uint64_t number = 0;
};

Line line_of(std::string_view position) {
  const std::size_t colon = position.rfind(':');
  if (colon == std::string_view::npos) return {position};
  Line out{position.substr(0, colon)};
  for (const char digit : position.substr(colon + 1)) {
    if (digit < '0' || digit > '9') return {position};
    out.number = 10 * out.number + static_cast<std::uint64_t>(digit - '0');
  }
  return out;
}

// Is it one function, where the second place is below the first? Nobody knows without lines.
bool may_be_in_order(LocId first, LocId last, const Names& names) {
  const auto before = support::place_of(location(first, names));
  const auto after = support::place_of(location(last, names));
  if (before.function != after.function) return false;
  const Line from = line_of(before.position), to = line_of(after.position);
  return from.file != to.file || from.number <= to.number;
}

// A function that gives a lock up and takes it again. A second call of it does so in other lines.
bool is_interruption(LocId given_up, LocId taken_again, const Names& names) {
  return !function(given_up, names).empty() && given_up != taken_again &&
         may_be_in_order(given_up, taken_again, names);
}

}  // namespace

LongerSection longer_section(const Picture& picture, const Names& names) {
  LongerSection out;
  if (!picture.held || picture.steps.empty()) return out;
  const Dependency& leaves = picture.steps.front().dependency;
  const Dependency& returns = picture.steps.back().dependency;
  out.in_order =
      may_be_in_order(loc_at(picture, leaves.source), loc_at(picture, returns.sink), names);
  LocId given_up = LocId::none();
  for (const SeenEvent& row : picture.rows) {
    const bool of_block = row.event.thread() == leaves.source_thread;
    if (!of_block || row.index <= leaves.source || row.index >= returns.sink) continue;
    if (row.event.object != picture.held->v) continue;
    if (gives_lock_back(row.event.kind)) given_up = row.event.loc();
    if (takes_lock(row.event.kind) && !given_up.is_none()) {
      if (!is_interruption(given_up, row.event.loc(), names)) continue;
      out.given_up = given_up;
      out.taken_again = row.event.loc();
    }
  }
  return out;
}

}  // namespace omnium
