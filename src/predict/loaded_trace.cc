// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/loaded_trace.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "event/for_check.h"
#include "event/well_formed.h"
#include "spec/block_filter.h"

namespace omnium::predict {

Event LoadedTrace::original(EventIndex index) const {
  Event event = events[index];
  if (event.kind != Kind::kSkip) return event;
  const auto known = std::lower_bound(skipped.begin(), skipped.end(), std::pair(index, Kind{}));
  event.kind = known->second;
  return event;
}

std::vector<LockId> tried_locks(const Names& names) {
  std::vector<LockId> tried(names.signals.size(), LockId::none());
  if (tried.empty()) return tried;
  std::unordered_map<std::string, LockId> by_try;
  for (std::uint32_t lock = 0; lock < names.locks.size(); ++lock) {
    by_try.emplace(name_of_try(names.locks.name(lock)), LockId{lock});
  }
  for (std::uint32_t signal = 0; signal < names.signals.size(); ++signal) {
    const auto lock = by_try.find(std::string(names.signals.name(signal)));
    if (lock != by_try.end()) tried[signal] = lock->second;
  }
  return tried;
}

std::vector<SignalId> followed_signals(const Names& names) {
  std::vector<SignalId> follows(names.signals.size(), SignalId::none());
  std::unordered_map<std::string, SignalId> by_last;
  for (std::uint32_t signal = 0; signal < names.signals.size(); ++signal) {
    by_last.emplace(name_of_last(names.signals.name(signal)), SignalId{signal});
  }
  for (std::uint32_t signal = 0; signal < names.signals.size(); ++signal) {
    const auto first = by_last.find(std::string(names.signals.name(signal)));
    if (first != by_last.end()) follows[signal] = first->second;
  }
  return follows;
}

Result<LoadedTrace> load_trace(EventSource& source, const Specification* specification) {
  constexpr std::size_t kBatchEvents = 2048;
  LoadedTrace trace;
  WellFormed well_formed;
  std::optional<BlockFilter> filter;
  if (specification != nullptr) filter.emplace(*specification);
  std::vector<Event> before;
  for (;;) {
    const std::size_t first = trace.events.size();
    trace.events.resize(first + kBatchEvents);
    const auto count = source.read(std::span(trace.events).subspan(first));
    if (!count) return tl::unexpected(count.error());
    trace.events.resize(first + *count);
    if (*count == 0) break;
    const auto batch = std::span(trace.events).subspan(first);
    if (first == 0 && !filter) {
      trace.undeclared = has_remark(batch, source.names(), kUndeclaredSignal);
    }
    before.assign(batch.begin(), batch.end());
    if (auto wrong = well_formed.check(batch, source.names())) {
      return fail(source.position_of(wrong->offset), std::move(wrong->what));
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].kind == Kind::kSignal &&
          source.names().signals.name(batch[i].object) == kForCheckSignal) {
        return fail(source.position_of(i),
                    "recorded with --for check, which leaves out accesses that predictions need; "
                    "record it again without that option");
      }
    }
    if (filter) filter->apply(batch, source.names());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].kind == Kind::kSkip) trace.skipped.emplace_back(first + i, before[i].kind);
    }
  }
  trace.extent = source.names().extent();
  trace.tried_locks = tried_locks(source.names());
  trace.follows = followed_signals(source.names());
  return trace;
}

}  // namespace omnium::predict
