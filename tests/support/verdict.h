// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What all engines that are exact at the trace level, and the reference, must say about one trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/support/figure.h"
#include "tests/support/run.h"

namespace omnium::test {

void expect_verdict(const Trace& trace, bool serializable);
inline void expect_serializable(std::string_view drawing) { expect_verdict(figure(drawing), true); }
inline void expect_not_serializable(std::string_view drawing) {
  expect_verdict(figure(drawing), false);
}

// The first `events` events of a trace.
Trace prefix(Trace trace, std::size_t events);

// One engine over one trace.
EngineRun run_named(std::string_view engine, const Trace& trace);

// Counters of an engine by name, added up over the runs of a test.
class CounterSums {
 public:
  void add(const EngineRun& run) {
    for (const Counter& counter : run.counters) sums_[std::string(counter.name)] += counter.value;
  }
  const std::map<std::string, std::uint64_t>& sums() const { return sums_; }

 private:
  std::map<std::string, std::uint64_t> sums_;
};

}  // namespace omnium::test
