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

class TrueTrace {
 public:
  void add(std::uint32_t thread, const Operation& operation) {
    thread_ = trace_.names.threads.intern(thread == 0 ? "main" : fmt::format("T{}", thread));
    const std::string object = fmt::format("{:x}", operation.object);
    switch (operation.kind) {
      case RawKind::kUpdate: bytes(operation, Kind::kRead); [[fallthrough]];
      case RawKind::kWrite: bytes(operation, Kind::kWrite); break;
      case RawKind::kRead: bytes(operation, Kind::kRead); break;
      case RawKind::kReadAcquire:
      case RawKind::kReadRelease: variable(Kind::kRead, object); break;
      case RawKind::kWriteAcquire:
      case RawKind::kWriteRelease: variable(Kind::kWrite, object); break;
      case RawKind::kAcquire: emit(Kind::kAcquire, trace_.names.locks.intern(object)); break;
      case RawKind::kRelease: emit(Kind::kRelease, trace_.names.locks.intern(object)); break;
      case RawKind::kBegin: emit(Kind::kBegin, trace_.names.labels.intern("block")); break;
      case RawKind::kEnd: emit(Kind::kEnd, trace_.names.labels.intern("block")); break;
      case RawKind::kFork: emit(Kind::kFork, thread_id(operation)); break;
      case RawKind::kJoin: emit(Kind::kJoin, thread_id(operation)); break;
      case RawKind::kContribute:
        meetings_[operation.object].push_back(fmt::format("meeting {}", trace_.events.size()));
        variable(Kind::kWrite, meetings_[operation.object].back());
        break;
      case RawKind::kCollect:
        for (const std::string& name : meetings_[operation.object]) variable(Kind::kRead, name);
        break;
      case RawKind::kForget:
        for (std::uint32_t i = 0; i < operation.size; ++i) ++generations_[operation.object + i];
        break;
      default: break;
    }
  }

  Trace take() { return std::move(trace_); }

 private:
  void emit(Kind kind, std::uint32_t object) {
    trace_.events.push_back({kind, static_cast<std::uint16_t>(thread_), object});
  }
  void variable(Kind kind, const std::string& name) {
    emit(kind, trace_.names.variables.intern(name));
  }
  // Twice, so that what one byte depends on comes before all of them: it is one access.
  void bytes(const Operation& operation, Kind kind) {
    for (std::uint64_t i = 0; i < 2 * operation.size; ++i) {
      const std::uint64_t at = operation.object + i % operation.size;
      variable(kind, fmt::format("byte {:x} {}", at, generations_[at]));
    }
  }
  std::uint32_t thread_id(const Operation& operation) {
    return trace_.names.threads.intern(fmt::format("T{}", operation.object));
  }

  Trace trace_;
  std::uint32_t thread_ = 0;
  std::map<std::uint64_t, std::uint32_t> generations_;
  std::map<std::uint64_t, std::vector<std::string>> meetings_;
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
  for (const Placed& placed : order) trace.add(placed.thread, *placed.operation);
  return trace.take();
}

}  // namespace omnium::test
