// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/excerpt.h"

#include <algorithm>
#include <array>

namespace omnium {

namespace {

// Reading on is cheaper than seeking across less than this.
constexpr EventIndex kWorthSeeking = 1 << 16;

// Ranges in order, those that touch joined.
std::vector<EventRange> joined(std::vector<EventRange> ranges) {
  std::erase_if(ranges, [](const EventRange& range) { return range.first >= range.last; });
  std::ranges::sort(ranges, {}, &EventRange::first);
  std::vector<EventRange> out;
  for (const EventRange& range : ranges) {
    if (!out.empty() && range.first <= out.back().last) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

}  // namespace

Result<Excerpt> Excerpt::read(EventSource& source, std::vector<EventRange> ranges) {
  Excerpt excerpt;
  std::array<Event, 2048> buffer;
  EventIndex next = kNoEvent;  // index of the next event that `source` gives
  std::size_t filled = 0;      // events of the latest read, which end at `next`
  for (const EventRange& range : joined(std::move(ranges))) {
    Piece piece{range.first, {}};
    piece.events.reserve(range.last - range.first);
    if (next == kNoEvent || range.first > next + kWorthSeeking) {
      const auto at = source.seek(range.first);
      if (!at) return tl::unexpected(at.error());
      next = *at;
      filled = 0;
    }
    for (;;) {
      const EventIndex first = next - filled;
      for (EventIndex at = std::max(first, piece.last()); at < std::min(next, range.last); ++at) {
        piece.events.push_back(buffer[at - first]);
      }
      if (next >= range.last) break;
      const auto count = source.read(buffer);
      if (!count) return tl::unexpected(count.error());
      if (*count == 0) break;
      filled = *count;
      next += filled;
    }
    if (!piece.events.empty()) excerpt.pieces_.push_back(std::move(piece));
  }
  return excerpt;
}

std::size_t Excerpt::piece_after(EventIndex index) const {
  const auto at = std::ranges::partition_point(
      pieces_, [&](const Piece& piece) { return piece.last() <= index; });
  return static_cast<std::size_t>(at - pieces_.begin());
}

const Event* Excerpt::find(EventIndex index) const {
  const std::size_t at = piece_after(index);
  if (at == pieces_.size() || pieces_[at].first > index) return nullptr;
  return &pieces_[at].events[index - pieces_[at].first];
}

EventIndex Excerpt::known_since(EventIndex index) const {
  const std::size_t at = piece_after(index);
  return at == pieces_.size() ? index : std::min(index, pieces_[at].first);
}

bool Excerpt::covers(EventRange range) const {
  if (range.first >= range.last) return true;
  const std::size_t at = piece_after(range.first);
  return at < pieces_.size() && pieces_[at].first <= range.first &&
         range.last <= pieces_[at].last();
}

}  // namespace omnium
