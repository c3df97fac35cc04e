// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Findings as the short sentences that tests expect, with the names of the figure.
#pragma once

#include <string>
#include <string_view>

#include "tests/support/figure.h"
#include "tests/support/run.h"

namespace omnium::test {

// "T1.inc", or for a unary event "T2.w(x)".
std::string show(const BlockRef& block, const Trace& trace);

// The transactions along a witness: "T1.inc -> T2.w(x) -> T1.inc".
std::string show_witness(const Violation& violation, const Trace& trace);

// All of them, one per line, in the order of their reports.
std::string show_witnesses(const Collector& findings, const Trace& trace);

// Labels of the refuted blocks in the order of their reports: "p q".
std::string show_refuted(const Collector& findings, const Trace& trace);

// "T1.D -> T2.E", closed by the first one.
std::string show_cycle(const Cycle& cycle, const Trace& trace);

// 0 if there is none of that name.
std::uint64_t counter(const EngineRun& run, std::string_view name);

}  // namespace omnium::test
