// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "model/counterexample.h"
#include "model/explorer.h"
#include "tests/support/reference.h"

namespace omnium::test {

// The counterexample is a trace that reach and the reference call not serializable, and only with
// its last event.
inline void expect_violating(const model::Model& model, const model::Outcome& outcome,
                             CheckMode mode) {
  MemoryTrace run = to_trace(model, outcome.run);
  MemorySource source(run);
  CheckOptions checking;
  checking.mode = mode;
  const auto checked = check_trace(source, *find_engine(kDefaultEngine), checking);
  ASSERT_TRUE(checked) << checked.error().to_string();
  EXPECT_FALSE(checked->serializable);
  EXPECT_FALSE(Reference(run.events, mode).verdict().serializable);
  run.events.pop_back();
  EXPECT_TRUE(Reference(run.events, mode).verdict().serializable);
}

}  // namespace omnium::test
