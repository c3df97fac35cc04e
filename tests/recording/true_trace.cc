// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "tests/recording/recorded_program.h"

namespace omnium::test {

namespace {

using wire::RawKind;

// How many bytes the operation concerns in memory; 0: none.
std::uint32_t bytes_of(const Operation& operation) {
  const bool access = operation.kind >= RawKind::kRead && operation.kind <= RawKind::kUpdate;
  const bool forgets = operation.kind == RawKind::kForget || operation.kind == RawKind::kFree;
  return access || forgets ? operation.size : 0;
}

class TrueTrace {
 public:
  // Memory is cut wherever an operation begins or ends.
  void cut(const Operation& operation) {
    if (bytes_of(operation) == 0) return;
    cuts_.insert(operation.object);
    cuts_.insert(operation.object + operation.size);
  }

  void add(std::uint32_t thread, const Operation& operation) {
    thread_ = trace_.names.threads.intern(thread == 0 ? "main" : fmt::format("T{}", thread));
    switch (operation.kind) {
      case RawKind::kRead: return access(operation, Kind::kRead);
      case RawKind::kWrite: return access(operation, Kind::kWrite);
      case RawKind::kAtomicRead: return access(operation, Kind::kAtomicRead);
      case RawKind::kAtomicWrite: return access(operation, Kind::kAtomicWrite);
      case RawKind::kRetry: return access(operation, Kind::kRetry);
      case RawKind::kUpdate: return access(operation, Kind::kUpdate);
      case RawKind::kAcquire: return on_lock(operation, Kind::kAcquire);
      case RawKind::kRelease: return on_lock(operation, Kind::kRelease);
      case RawKind::kSharedAcquire: return on_lock(operation, Kind::kSharedAcquire);
      case RawKind::kSharedRelease: return on_lock(operation, Kind::kSharedRelease);
      case RawKind::kWait: return on_lock(operation, Kind::kWait);
      case RawKind::kResume: return on_lock(operation, Kind::kResume);
      case RawKind::kBusy: return on_lock(operation, Kind::kBusy);
      case RawKind::kBegin: return emit(Kind::kBegin, trace_.names.labels.intern("block"));
      case RawKind::kEnd: return emit(Kind::kEnd, trace_.names.labels.intern("block"));
      case RawKind::kFork: return emit(Kind::kFork, thread_id(operation));
      case RawKind::kJoin: return emit(Kind::kJoin, thread_id(operation));
      case RawKind::kContribute: return on_signal(operation.object, Kind::kSignal);
      case RawKind::kCollect: return on_signal(operation.object, Kind::kAwait);
      case RawKind::kThreadBegin:
      case RawKind::kThreadEnd: return on_signal(thread, Kind::kSignal);
      case RawKind::kFree: return free(operation);
      case RawKind::kForget:
        return for_each_piece(operation, [&](std::uint64_t at) { ++generations_[at]; });
      default: return;
    }
  }

  Trace take() { return std::move(trace_); }

 private:
  template <class Visit>
  void for_each_piece(const Operation& operation, Visit visit) const {
    const auto end = cuts_.lower_bound(operation.object + operation.size);
    for (auto at = cuts_.lower_bound(operation.object); at != end; ++at) visit(*at);
  }
  void emit(Kind kind, std::uint32_t object) {
    trace_.events.push_back({kind, static_cast<std::uint16_t>(thread_), object});
  }
  void on_lock(const Operation& operation, Kind kind) {
    emit(kind, trace_.names.locks.intern(fmt::format("{:x}", operation.object)));
  }
  // An await of a meeting to which nobody has contributed is no event.
  void on_signal(std::uint64_t object, Kind kind) {
    const std::string name = fmt::format("{:x}", object);
    if (kind == Kind::kAwait && trace_.names.signals.find(name) == support::Interner::kNone) return;
    emit(kind, trace_.names.signals.intern(name));
  }
  std::uint32_t variable_at(std::uint64_t at) {
    return trace_.names.variables.intern(fmt::format("{:x} {}", at, generations_[at]));
  }
  // Twice, so that what one piece depends on comes before all of them: it is one access.
  void access(const Operation& operation, Kind kind) {
    std::vector<std::uint64_t> pieces;
    for_each_piece(operation, [&](std::uint64_t at) { pieces.push_back(at); });
    for (int times = pieces.size() == 1 ? 1 : 2; times != 0; --times) {
      for (const std::uint64_t at : pieces) emit(kind, variable_at(at));
    }
    for (const std::uint64_t at : pieces) users_[variable_at(at)].insert(thread_);
  }
  void free(const Operation& operation) {
    for_each_piece(operation, [&](std::uint64_t at) {
      auto others = users_[variable_at(at)];
      others.erase(thread_);
      if (others.empty()) return;
      emit(Kind::kWrite, variable_at(at));
      users_[variable_at(at)].insert(thread_);
    });
  }
  std::uint32_t thread_id(const Operation& operation) {
    return trace_.names.threads.intern(fmt::format("T{}", operation.object));
  }

  Trace trace_;
  std::uint32_t thread_ = 0;
  std::set<std::uint64_t> cuts_;
  std::map<std::uint64_t, std::uint32_t> generations_;      // by piece
  std::map<std::uint32_t, std::set<std::uint32_t>> users_;  // threads, by variable
};

}  // namespace

Trace true_trace(const std::vector<std::vector<Operation>>& operations) {
  struct Placed {
    std::uint32_t thread;
    const Operation* operation;
  };
  std::vector<Placed> order;
  for (std::uint32_t thread = 0; thread < operations.size(); ++thread) {
    for (const Operation& operation : operations[thread]) order.push_back({thread, &operation});
  }
  std::ranges::sort(order, {}, [](const Placed& placed) { return placed.operation->stamp; });
  TrueTrace trace;
  for (const Placed& placed : order) trace.cut(*placed.operation);
  for (const Placed& placed : order) trace.add(placed.thread, *placed.operation);
  return trace.take();
}

}  // namespace omnium::test
