// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/recording.h"

#include <algorithm>
#include <optional>
#include <span>

#include "spec/block_filter.h"

namespace omnium::predict {

Event Recording::recorded(EventIndex index) const {
  Event event = events[index];
  if (event.kind != Kind::kSkip) return event;
  const auto known = std::lower_bound(skipped.begin(), skipped.end(), std::pair(index, Kind{}));
  event.kind = known->second;
  return event;
}

Result<Recording> record(EventSource& source, const Specification* specification) {
  constexpr std::size_t kBatchEvents = 2048;
  Recording recording;
  WellFormed well_formed;
  std::optional<BlockFilter> filter;
  if (specification != nullptr) filter.emplace(*specification);
  std::vector<Event> before;
  for (;;) {
    const std::size_t first = recording.events.size();
    recording.events.resize(first + kBatchEvents);
    const auto count = source.read(std::span(recording.events).subspan(first));
    if (!count) return tl::unexpected(count.error());
    recording.events.resize(first + *count);
    if (*count == 0) break;
    const auto batch = std::span(recording.events).subspan(first);
    before.assign(batch.begin(), batch.end());
    if (auto wrong = well_formed.check(batch, source.names())) {
      return fail(source.position_of(wrong->offset), std::move(wrong->what));
    }
    if (filter) filter->apply(batch, source.names());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].kind == Kind::kSkip) recording.skipped.emplace_back(first + i, before[i].kind);
    }
  }
  recording.counts = well_formed.counts();
  recording.extent = source.names().extent();
  return recording;
}

}  // namespace omnium::predict
