// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The piece of a run that a finding is about, as a trace: what engines, explanations and reports
// take. Made of the steps of the finding and of the histories of its threads; leaving out events of
// a run never adds an order between the others, so what such a trace violates the run violated too.
//
// Order: each thread's own; a step's source before its sink; stamps between threads. Histories
// forget their oldest entries: a block or a needed critical section whose start is forgotten starts
// with what is left of its thread's history.
#pragma once

#include <cstdint>
#include <optional>

#include "event/memory_trace.h"
#include "live/message.h"
#include "live/namer.h"

namespace omnium::live {

struct LiveTrace : MemoryTrace {
  ThreadId thread;                // of the violating transaction
  EventIndex refuted = kNoEvent;  // where the innermost block that the program calls refuted begins
};

enum class Detail : std::uint8_t {
  kMemoryAndMutexes,  // without reader-writer locks, which are variables to an engine
  kAll,
  kOneEvent,  // the same; an access that meets others at several variables repeats them, so that
              // every one of them comes before every other, as in one event
  kWitness,   // the steps and the blocks alone, for histories with too many holes
};

// None if the message contradicts itself at this level of detail.
std::optional<LiveTrace> make_trace(const FindingMessage& message, Detail detail, Namer& namer);

}  // namespace omnium::live
