// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread can do next in a state.
//
// A *move* is what one thread does without interruption: one event and the silent steps after it.
// An assume with several reads is one move of several events. With reduction, events that no other
// thread can notice (begin, end, objects of one thread alone) are not moves of their own but come
// right before the thread's next one: docs/algorithms/model.md proves that answers, deadlocks and
// the length of a shortest run stay the same.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"
#include "model/evaluate.h"
#include "model/future.h"
#include "model/monitor.h"
#include "model/state.h"
#include "model/steps.h"

namespace omnium::model {

// An event of a run. `object` is a cell, lock, channel, label or thread.
struct RunEvent {
  Kind kind;
  std::uint32_t thread;
  std::uint32_t object;
  Place at;
};

// Gets the moves of a thread, one call each.
class MoveVisitor {
 public:
  virtual ~MoveVisitor() = default;
  // The move leads to `state`, which may be changed by the visitor.
  virtual void arrives(State& state, const std::vector<RunEvent>& events) = 0;
  // The last event closes a cycle of transactions.
  virtual void violates(const std::vector<RunEvent>& events) = 0;
  // After these events the model does what it must not do.
  virtual void fails(const Fault& fault, const std::vector<RunEvent>& events) = 0;
};

// How a thread that cannot move stands.
struct Standing {
  bool moved = false;    // there was a move, a violation or a fault
  bool can_end = false;  // it has ended, or can end without an event
  // It halted, waits for a ghost, or would find a lock free: what a real thread would do then is
  // not in the model.
  bool open_ended = false;
};

class Stepper {
 public:
  // Moves have fewer events than this.
  static constexpr std::uint32_t kMostEvents = 32;

  Stepper(const Model& model, const Layout& layout, const Futures& futures, bool reduction)
      : model_(model), layout_(layout), futures_(futures), reduction_(reduction) {}

  // Runs the silent steps that every thread starts with.
  Fault start(State& state);
  Standing moves(const State& state, std::uint32_t t, MoveVisitor& visitor);

 private:
  // A move of unnoticed events is cut here; cutting only adds interleavings.
  static constexpr std::size_t kCut = 16;

  struct Here {  // one move being made
    std::uint32_t t;
    const Code& code;
    MoveVisitor& visitor;
    Standing& standing;
  };
  enum class Outcome : std::uint8_t { kDone, kBlocked, kCycle, kFault };
  struct Choice {  // a choose that is being tried
    std::uint32_t thread;
    std::vector<std::int32_t> slots;
  };

  void run(const Here& here, State& state);
  void branch(const Here& here, const State& state);
  void try_branch(const Here& here, State state, std::uint32_t target);
  void arrive(const Here& here, State& state);
  Fault silent_steps(State& state, std::uint32_t t);
  Fault silent_step(State& state, std::uint32_t t, const Step& step);
  bool can_end(State& state, std::uint32_t t);
  bool ends_behind_assume(const State& state, std::uint32_t t, const Step& step);
  bool tried_before(const State& state, std::uint32_t t) const;
  void remember_choice(const State& state, std::uint32_t t);

  Outcome event(State& state, std::uint32_t t, const Step& step);
  Outcome read(State& state, std::uint32_t t, const Step& step);
  Outcome write(State& state, std::uint32_t t, const Step& step);
  Outcome assume(State& state, std::uint32_t t, const Step& step);
  Outcome begin_or_end(State& state, std::uint32_t t, const Step& step);
  Outcome lock_step(State& state, std::uint32_t t, const Step& step);
  Outcome acquire(State& state, std::uint32_t t, const Step& step, std::uint32_t lock);
  Outcome release(State& state, std::uint32_t t, const Step& step, std::uint32_t lock);
  Outcome signal(State& state, std::uint32_t t, const Step& step);
  Outcome await(State& state, std::uint32_t t, const Step& step);
  Outcome fork(State& state, std::uint32_t t, const Step& step);
  Outcome join(State& state, std::uint32_t t, const Step& step);
  Outcome fault(const Fault& fault);
  Outcome access(State& state, std::uint32_t t, const Step& step, std::uint32_t cell, Kind kind);
  Outcome touch(State& state, std::uint32_t t, std::int32_t object, Kind kind);
  bool held_by_another(const State& state, std::uint32_t t, std::uint32_t lock) const;
  ThreadSet open_threads(const State& state) const;
  void cut_if(State& state, std::uint32_t t, bool cuts);
  bool ends_move(const State& state, std::uint32_t t, const Step& step);

  bool open(const State& state, std::uint32_t t) const;
  Evaluator evaluator(const State& state, std::uint32_t t) const;
  void clear_temporaries(State& state, std::uint32_t t, const Step& step) const;
  // The event happens: comes before what the monitor is told about its object.
  void log(State& state, Kind kind, std::uint32_t t, std::uint32_t object, Place at);

  const Model& model_;
  const Layout& layout_;
  const Futures& futures_;
  bool reduction_;
  std::vector<RunEvent> events_;  // of this move so far
  bool noticed_ = false;          // the last event is one that other threads can notice
  bool bound_ = false;            // its last event cannot be put off, whatever its kind
  bool took_lock_ = false;        // the move took a lock that others may want
  bool chose_ = false;            // the move went through a choose ...
  std::size_t chosen_at_ = 0;     // ... after so many events
  bool chose_to_end_ = false;     // ... and one branch ends the thread without an event
  Fault fault_;
  std::vector<Choice> choices_;
  State scratch_;
};

}  // namespace omnium::model
