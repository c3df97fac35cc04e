// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Holds an engine to its EngineInfo: what it promises must equal (or be contained in) what the
// reference says, every witness and cycle must be one, and it must say the same however events
// reach it.
#pragma once

#include <optional>
#include <string>

#include "tests/support/figure.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"

namespace omnium::test {

// What the engine got wrong on this trace; nothing if it kept its promises.
std::optional<std::string> judge(const EngineEntry& engine, const Trace& trace,
                                 const Reference& reference);

}  // namespace omnium::test
