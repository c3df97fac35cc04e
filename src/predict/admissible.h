// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which interleavings of a recording are admissible (docs/semantics.md#prediction), as a machine:
// one position per thread, one event at a time, and back. What a thread may do next depends on the
// positions of the others, on who holds which lock and on the last write of each variable.
//
// A read that sees another write than it saw in the recording may be the last event of its thread:
// the thread stops there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/recording.h"

namespace omnium::predict {

// Which reads have to see the write that they saw in the recording, unless they are the last event
// of their thread.
enum class Reads : std::uint8_t {
  kAsRecorded,        // all: what is found is certain
  kAtomicAsRecorded,  // atomic ones: what is found is possible
  kFree,              // none: what is found is speculative
};

class Admissible {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  enum class Step : std::uint8_t {
    kReady,    // may happen now
    kLast,     // may happen now as the last event of its thread
    kBlocked,  // may happen when others have gone on
    kNever,    // will never happen, or there is nothing left to do
  };
  struct Next {
    Step step;
    std::uint32_t blocker = kNobody;  // who has to go on first; also of kLast, if it might help
  };

  explicit Admissible(const Recording& recording);

  // Everything recorded before `recorded` has happened, in that order, and nothing else.
  void start(EventIndex recorded, Reads reads);

  Next next(std::uint32_t thread);
  // The event that the thread does next; kNoEvent at its end.
  EventIndex next_event(std::uint32_t thread);
  // Lets it happen: next() said kReady or kLast.
  void step(std::uint32_t thread, Step how);
  void undo();

  bool done(EventIndex event);
  // What has happened since the start.
  std::span<const EventIndex> order() const { return order_; }

 private:
  struct Thread {
    std::uint64_t stamp = 0;
    std::uint32_t position = 0;
    bool stopped = false;
  };
  struct Lock {
    std::uint64_t stamp = 0;
    Holders holders;
  };
  struct Variable {
    std::uint64_t stamp = 0;
    EventIndex last_write = kNoEvent;
  };

  Thread& thread(std::uint32_t id);
  Holders& lock(std::uint32_t id);
  EventIndex& last_write(std::uint32_t variable);
  std::uint32_t thread_inside_access();
  Next ready_if_done(EventIndex event);
  Next next_of_kind(const Event& event, EventIndex index);
  Next next_read(const Event& event, EventIndex index);
  Next next_join(const Event& event);
  Next next_await(EventIndex index);
  Next next_signal(EventIndex index);
  Next next_busy(const Event& event, EventIndex index);
  void take(const Event& event);
  void give_back(const Event& event);

  const Recording& recording_;
  Reads reads_ = Reads::kAsRecorded;
  EventIndex recorded_ = 0;
  std::uint64_t stamp_ = 0;  // of this start: what has an older one is looked up again
  std::vector<Thread> threads_;
  std::vector<Lock> locks_;
  std::vector<Variable> variables_;
  std::vector<EventIndex> order_;
  std::vector<EventIndex> overwritten_;  // per event of order_: the last write before it
};

}  // namespace omnium::predict
