// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The part of a run that a finding is about, as a trace for engines, explanations and reports. It
// is made of the steps of the finding and the histories of its threads. To leave out events of a
// run never adds an order between the others, so whatever this trace violates, the run violated
// too.
//
// The order of events is program order, the source of a step before its sink, and stamps between
// threads. Histories overwrite their oldest entries: a block or a needed critical section whose
// start is lost starts with what is left of its thread's history.
#pragma once

#include <cstdint>
#include <optional>

#include "event/check_mode.h"
#include "event/memory_trace.h"
#include "watch/message.h"
#include "watch/namer.h"

namespace omnium::watch {

struct LiveTrace : MemoryTrace {
  ThreadId thread;                // of the violating transaction
  EventIndex refuted = kNoEvent;  // the begin of the innermost block that the runtime refuted
  EventIndex closing = kNoEvent;  // the last event of the access that closed the cycle
};

enum class Detail : std::uint8_t {
  kMemoryAndMutexes,  // without reader-writer locks, which are variables to an engine; with
                      // Conflicts::kData they are locks
  kAll,
  kOneEvent,  // also repeats the variables of an access that conflicts at several of them, so that
              // each is ordered before each other, as in one event
  kWitness,   // only the steps and the blocks, if too much of the histories is lost
};

// None if the message contradicts itself at this level of detail. With Conflicts::kData
// reader-writer locks are at no other level, since they would be conflicts there.
std::optional<LiveTrace> make_trace(const FindingMessage& message, Detail detail,
                                    Conflicts conflicts, Namer& namer);

}  // namespace omnium::watch
