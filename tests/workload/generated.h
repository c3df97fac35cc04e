// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Generated traces for the tests of this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "workload/workload.h"

namespace omnium::test {

// All events, `batch` at a time.
inline std::vector<Event> read_all(EventSource& source, std::size_t batch = 1024) {
  std::vector<Event> events;
  std::vector<Event> buffer(batch);
  for (;;) {
    const auto count = source.read(buffer);
    EXPECT_TRUE(count.has_value());
    if (!count || *count == 0) return events;
    const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(*count);
    events.insert(events.end(), buffer.begin(), end);
  }
}

inline std::unique_ptr<EventSource> make_or_fail(std::string_view family,
                                                 const WorkloadOptions& options) {
  auto source = make_workload(family, options);
  EXPECT_TRUE(source.has_value()) << (source ? "" : source.error().to_string());
  return source ? std::move(*source) : nullptr;
}

// For messages: the command that generates the trace.
inline std::string command(std::string_view family, const WorkloadOptions& options) {
  return "omnium generate " + std::string(family) + " --events " + std::to_string(options.events) +
         " --threads " + std::to_string(options.threads) + " --variables " +
         std::to_string(options.variables) + " --locks " + std::to_string(options.locks) +
         " --seed " + std::to_string(options.seed) + (options.violate ? " --violate" : "");
}

}  // namespace omnium::test
