// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Gives the warnings of a method their grades: all interleavings of a small recording, the window
// around each warning of a large one. What the recording itself shows is no prediction.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "predict/exhaustive.h"
#include "predict/predict.h"
#include "predict/window_search.h"
#include "predict/world.h"

namespace omnium::predict {

// What the recorded order itself violates, with data conflicts.
struct RecordedViolations {
  bool serializable = true;
  std::vector<std::vector<EventIndex>> begins;  // of violated transactions, by thread, sorted

  // Whether what the warning is about, or a part of it, is violated.
  bool show(const Warning& warning) const;
};

RecordedViolations check_recording(const Recording& recording, Waits waits);

// What the complete search says of a recording, for all transactions.
struct CompleteAnswers {
  std::vector<std::pair<Grade, Unserializable>> violated;
  std::optional<std::pair<Grade, Unserializable>> cycle;  // the best one
  bool up_to_possible = false;                            // what is not found is not possible
  bool up_to_speculative = false;
};

class Grading {
 public:
  Grading(const Recording& recording, const PredictOptions& options)
      : recording_(recording),
        options_(options),
        recorded_(check_recording(recording, options.waits)) {}

  const RecordedViolations& recorded() const { return recorded_; }

  // Moves what is undecided to where it belongs.
  void grade(MethodResult& result, World& world);
  // Decides which of the warnings of a world in which atomic reads may see any write are
  // speculative; those that the result knows are not.
  void grade_speculative(std::vector<Warning> warnings, World& world, MethodResult& result);

 private:
  bool is_small() const;
  const CompleteAnswers& complete();
  void set_aside_recorded(MethodResult& result) const;
  void grade_completely(MethodResult& result);
  void add_cycle(MethodResult& result);
  // Takes those out that an interleaving is found for, and returns them.
  std::vector<Warning> search_windows(std::vector<Warning>& warnings, World& world,
                                      std::span<const Reads> levels);

  const Recording& recording_;
  const PredictOptions& options_;
  RecordedViolations recorded_;
  std::optional<CompleteAnswers> complete_;
  std::optional<EventIndexer> index_;
};

}  // namespace omnium::predict
