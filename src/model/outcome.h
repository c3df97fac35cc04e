// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What exploring a model was asked for and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/evaluate.h"
#include "model/future.h"
#include "model/stepper.h"

namespace omnium::model {

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t queue = 0;  // states of this level that wait
  std::uint64_t depth = 0;
  double seconds = 0;
};

struct Options {
  CheckMode mode = kDefaultMode;
  bool symmetry = true;
  bool reduction = true;
  std::uint32_t workers = 2;
  std::uint64_t max_states = 0;          // 0: no limit
  std::uint64_t max_memory = 0;          // bytes; 0: no limit
  std::uint64_t round_bytes = 64 << 20;  // of new states that may wait before they are sorted in
  std::function<void(const Progress&)> progress;  // called twice a second; may be empty
};

enum class Answer : std::uint8_t {
  kSerializable,
  kNotSerializable,
  kUnknown,   // a limit was reached
  kBadModel,  // a run of the model does what no run may do
};

struct Outcome {
  Answer answer = Answer::kSerializable;
  std::vector<RunEvent> run;  // to the violation or fault
  bool shortest = true;       // no shorter run violates; false if a limit was reached while looking
  Fault fault;

  bool deadlock = false;  // some run gets stuck
  std::vector<RunEvent> deadlock_run;
  std::vector<std::uint32_t> stuck;  // threads that are deadlocked at its end

  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // events of the longest shortest run
  std::uint64_t state_bytes = 0;
  std::uint64_t memory = 0;
  double seconds = 0;
};

}  // namespace omnium::model
