// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/core_events.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "event/well_formed.h"

namespace omnium::trace {

namespace {

constexpr std::size_t kBatchEvents = 1024;

// Adds a name without white space that no other id has.
std::uint32_t add_name(support::Interner& names, std::string_view wanted) {
  std::string name(wanted);
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
  const std::uint32_t next = names.size();
  while (names.find(name) != support::Interner::kNone) name += fmt::format("#{}", next);
  return names.intern(name);
}

void copy_names(const support::Interner& from, support::Interner& to) {
  for (std::uint32_t id = to.size(); id < from.size(); ++id) add_name(to, from.name(id));
}

}  // namespace

Result<CoreEvents> CoreEvents::of(EventSource& source) {
  CoreEvents out(source);
  WellFormed well_formed;
  std::array<Event, kBatchEvents> events;
  for (;;) {
    const auto count = source.read(events);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto batch = std::span(events).first(*count);
    if (auto wrong = well_formed.check(batch, source.names())) {
      return fail(source.position_of(wrong->offset), std::move(wrong->what));
    }
    for (const Event& event : batch) {
      if (event.kind == Kind::kSharedAcquire) out.locks_with_readers_.insert(event.object);
    }
  }
  if (auto back = source.seek(0); !back) return tl::unexpected(back.error());
  return out;
}

void CoreEvents::take_names() {
  copy_names(source_->names().threads, names_.threads);
  copy_names(source_->names().locks, names_.locks);
  const support::Interner& labels = source_->names().labels;
  for (std::uint32_t id = names_.labels.size(); id < labels.size(); ++id) {
    names_.labels.append(labels.name(id));
  }
  for (std::uint32_t id = names_.locations.size(); id <= source_->names().locations.size(); ++id) {
    names_.locations.append(fmt::format("{}", id));
  }
}

void CoreEvents::put(const Event& event, Kind kind, std::uint32_t object) {
  const bool placed = event.loc_id != LocId::kNoneValue;
  ready_.push_back({kind, event.thread_id, object, placed ? event.loc_id + 1 : 0});
}

std::uint32_t CoreEvents::variable_of(std::uint32_t variable) {
  const auto [at, is_new] = variables_.try_emplace(variable, names_.variables.size());
  if (is_new) add_name(names_.variables, source_->names().variables.name(variable));
  return at->second;
}

std::uint32_t CoreEvents::variable_of_lock(std::uint32_t lock) {
  const auto [at, is_new] = lock_variables_.try_emplace(lock, names_.variables.size());
  if (is_new) {
    add_name(names_.variables, fmt::format("lock {}", source_->names().locks.name(lock)));
  }
  return at->second;
}

// A new one each time: who awaited an earlier signal has nothing to do with this one.
std::uint32_t CoreEvents::new_signal(std::uint32_t signal, std::uint32_t thread) {
  const std::uint32_t variable =
      add_name(names_.variables, fmt::format("signal {}", source_->names().signals.name(signal)));
  auto& latest = signals_[signal];
  const auto known = std::ranges::find(latest, thread, [](const auto& it) { return it.first; });
  if (known != latest.end()) latest.erase(known);
  latest.emplace_back(thread, variable);
  return variable;
}

void CoreEvents::add(const Event& event) {
  const bool lock = takes_lock(event.kind) || gives_lock_back(event.kind);
  if (lock && locks_with_readers_.contains(event.object)) {
    return put(event, is_shared_side(event.kind) ? Kind::kRead : Kind::kWrite,
               variable_of_lock(event.object));
  }
  switch (event.kind) {
    case Kind::kRead:
    case Kind::kAtomicRead:
    case Kind::kRetry: return put(event, Kind::kRead, variable_of(event.object));
    case Kind::kWrite:
    case Kind::kAtomicWrite:
    case Kind::kUpdate: return put(event, Kind::kWrite, variable_of(event.object));
    case Kind::kAcquire:
    case Kind::kResume: return put(event, Kind::kAcquire, event.object);
    case Kind::kRelease:
    case Kind::kWait: return put(event, Kind::kRelease, event.object);
    case Kind::kSignal: return put(event, Kind::kWrite, new_signal(event.object, event.thread_id));
    case Kind::kAwait:
      for (const auto& [thread, variable] : signals_[event.object]) {
        if (thread != event.thread_id) put(event, Kind::kRead, variable);
      }
      return;
    case Kind::kBusy:
    case Kind::kSkip: return;
    default: return put(event, event.kind, event.object);
  }
}

Result<std::size_t> CoreEvents::read(std::span<Event> out) {
  std::array<Event, kBatchEvents> events;
  while (next_ == ready_.size()) {
    ready_.clear();
    next_ = 0;
    const auto count = source_->read(events);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) return 0;
    take_names();
    for (const Event& event : std::span(events).first(*count)) add(event);
  }
  const std::size_t count = std::min(out.size(), ready_.size() - next_);
  std::copy_n(ready_.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
  next_ += count;
  return count;
}

Result<EventIndex> CoreEvents::seek(EventIndex) {
  ready_.clear();
  next_ = 0;
  // The same ids are given again, in the same order.
  names_.variables = {};
  variables_.clear();
  lock_variables_.clear();
  signals_.clear();
  return source_->seek(0);
}

}  // namespace omnium::trace
