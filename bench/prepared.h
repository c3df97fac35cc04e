// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A generated trace in memory, and one pass of an engine over it: what a command does per event,
// without decoding. Batches are copied into a buffer that stays in the cache, as a reader fills
// one.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/lowered_engine.h"
#include "event/well_formed.h"
#include "finding/collector.h"
#include "support/check.h"
#include "tests/support/environment.h"
#include "workload/workload.h"

namespace omnium::bench {

inline constexpr std::size_t kBatch = 1536;

struct Prepared {
  std::unique_ptr<EventSource> source;  // keeps the names
  std::vector<Event> events;

  // Whether blocks may be cut at failed attempts.
  bool has_attempts() const {
    return std::ranges::find(events, Kind::kRetry, &Event::kind) != events.end();
  }
};

// How long traces are: OMNIUM_BENCH_EVENTS, or `otherwise`.
inline std::uint64_t events_from_environment(std::uint64_t otherwise) {
  return test::number_from_environment("OMNIUM_BENCH_EVENTS", otherwise);
}

inline Prepared prepare(std::string_view family, const WorkloadOptions& options) {
  auto source = make_workload(family, options);
  CHECK(source.has_value());
  Prepared prepared{std::move(*source), std::vector<Event>(options.events)};
  for (std::size_t at = 0; at < prepared.events.size();) {
    const auto count = prepared.source->read(std::span(prepared.events).subspan(at));
    CHECK(count.has_value() && *count > 0);
    at += *count;
  }
  return prepared;
}

// Bytes on the heap now.
inline std::uint64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Checks and consumes the whole trace; `after_batch()` is called now and then.
template <class AfterBatch>
void run(const Prepared& trace, LoweredEngine& engine, AfterBatch&& after_batch) {
  std::vector<Event> buffer(kBatch);
  WellFormed checker;
  const Extent extent = trace.source->names().extent();
  for (std::size_t at = 0; at < trace.events.size(); at += kBatch) {
    const std::size_t count = std::min(kBatch, trace.events.size() - at);
    std::copy_n(trace.events.begin() + static_cast<std::ptrdiff_t>(at), count, buffer.begin());
    const std::span<Event> batch(buffer.data(), count);
    CHECK(engine.consume_checked(batch, at, extent, checker) == count);
    after_batch(at);
  }
  engine.finish();
}

// Is the verdict the one that the trace was made for?
inline bool right_verdict(const EngineEntry& engine, const Collector& findings, bool violate) {
  const EngineInfo& info = engine.info;
  if (info.serializable == Promise::kExact && findings.serializable() == violate) return false;
  if (!violate && !findings.violations().empty()) return false;
  return info.transactions != Promise::kExact || findings.violations().size() == (violate ? 1 : 0);
}

}  // namespace omnium::bench
