// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "event/well_formed.h"

#include <fmt/format.h>

#include "support/error.h"

namespace omnium {

void WellFormed::grow_to(const Extent& extent) {
  if (threads_.size() < extent.threads) threads_.resize(extent.threads);
  if (locks_.size() < extent.locks) locks_.resize(extent.locks);
  if (runs_.size() < extent.labels) runs_.resize(extent.labels);
}

std::optional<Malformed> WellFormed::check(std::span<Event> events, const Names& names) {
  grow_to(names.extent());
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!accept(events[i])) [[unlikely]]
      return Malformed{i, what_is_wrong(events[i], names)};
  }
  return std::nullopt;
}

bool WellFormed::fork(const Event& event) {
  Thread& child = threads_[event.object];
  if (event.object == event.thread_id || child.seen || child.ended) return false;
  child.seen = true;
  return true;
}

std::string WellFormed::what_is_wrong(const Event& event, const Names& names) const {
  const auto thread_name = [&](std::uint32_t id) { return printable(names.threads.name(id)); };
  const std::string thread = thread_name(event.thread_id);
  if (threads_[event.thread_id].ended) {
    return fmt::format("thread {} acts after it was joined", thread);
  }
  switch (event.kind) {
    case Kind::kAcquire:
    case Kind::kRelease: {
      const Lock& lock = locks_[event.object];
      return fmt::format("thread {} {} lock {}, which {}", thread,
                         event.kind == Kind::kAcquire ? "acquires" : "releases",
                         printable(names.locks.name(event.object)),
                         lock.depth == 0
                             ? std::string("is not held")
                             : fmt::format("is held by thread {}", thread_name(lock.holder)));
    }
    case Kind::kFork:
      if (event.object == event.thread_id) return fmt::format("thread {} forks itself", thread);
      return fmt::format("thread {} forks thread {}, which already {}", thread,
                         thread_name(event.object),
                         threads_[event.object].ended ? "ended" : "acted or was forked");
    default: return fmt::format("thread {} ends a block, but none is open", thread);
  }
}

}  // namespace omnium
