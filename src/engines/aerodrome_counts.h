// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How often each line of AeroDrome's Algorithm 1 was run: the same for both engines.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/engine.h"

namespace omnium {

struct AerodromeCounts {
  std::uint64_t begins = 0, ends = 0, reads = 0, writes = 0;
  std::uint64_t acquires = 0, releases = 0, forks = 0, joins = 0;
  std::uint64_t gets = 0, violations = 0;
  std::uint64_t threads_raised = 0, locks_raised = 0, writes_raised = 0, reads_raised = 0;
  std::uint64_t idle_joins = 0, closed_at_finish = 0;

  std::vector<Counter> counters() const {
    return {
        {"lines 9-12: check and get", gets},
        {"line 11: violations", violations},
        {"lines 13-15: acquires", acquires},
        {"lines 16-18: releases", releases},
        {"lines 19-20: forks", forks},
        {"lines 21-22: joins", joins},
        {"joins of an idle child", idle_joins},
        {"lines 23-26: reads", reads},
        {"lines 27-33: writes", writes},
        {"lines 34-36: begins", begins},
        {"lines 37-46: ends", ends},
        {"line 40: thread clocks raised", threads_raised},
        {"line 42: lock clocks raised", locks_raised},
        {"line 44: write clocks raised", writes_raised},
        {"line 46: read clocks raised", reads_raised},
        {"ends at the end of the trace", closed_at_finish},
    };
  }
};

}  // namespace omnium
