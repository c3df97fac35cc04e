// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two ways to ask about all interleavings of a recording: prediction, which never calls atomic what
// is not, and the model of the recording, explored to the end.
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/from_trace.h"
#include "model/parser.h"
#include "predict/loaded_trace.h"
#include "predict/predict.h"
#include "tests/support/random_recording.h"

namespace omnium::test {
namespace {

// In every interleaving, with data conflicts, program order, fork and join as the order to be kept.
bool model_is_serializable(const Trace& trace) {
  MemorySource source(trace);
  const auto text = model::model_from_trace(source, "recording");
  EXPECT_TRUE(text);
  const auto program = model::parse(*text, "recording.omp");
  EXPECT_TRUE(program) << program.error().to_string();
  const auto compiled = compile(*program);
  EXPECT_TRUE(compiled) << compiled.error().to_string();
  model::Options options;
  options.mode.conflicts = model::Conflicts::kData;
  const auto outcome = explore(*compiled, options);
  EXPECT_TRUE(outcome);
  EXPECT_NE(outcome->answer, model::Answer::kBadModel);
  return outcome->answer == model::Answer::kSerializable;
}

TEST(PredictAndModel, AtomicMeansThatAllRunsAreSerializable) {
  std::size_t atomic = 0, exact = 0, warned = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Trace trace = random_recording(seed, random_recording_shape(seed));
    MemorySource source(trace);
    const auto loaded = predict::load_trace(source, nullptr);
    ASSERT_TRUE(loaded);
    predict::PredictOptions options;
    options.search = false;
    const predict::Prediction prediction = predict::predict(*loaded, options);
    // A run that ends in a deadlock is a run of the model, but no interleaving of the recording.
    if (!prediction.assumptions.no_deadlock_potential) continue;
    const bool serializable = model_is_serializable(trace);
    if (prediction.methods[0].atomic()) {
      ++atomic;
      EXPECT_TRUE(serializable) << "seed " << seed << "\n" << to_std(trace);
    } else {
      ++warned;
      exact += !serializable;
    }
  }
  EXPECT_GT(atomic, 300u);
  EXPECT_GT(warned, 300u);
  EXPECT_GT(exact * 10, warned * 8) << "most warnings are real";
}

}  // namespace
}  // namespace omnium::test
