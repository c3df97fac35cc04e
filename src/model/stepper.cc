// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/stepper.h"

#include <algorithm>
#include <utility>

namespace omnium::model {

namespace {

constexpr int kEndless = 100'000;  // silent steps in a row

bool is_silent(StepKind kind) {
  return kind == StepKind::kAssign || kind == StepKind::kBranch || kind == StepKind::kJump ||
         kind == StepKind::kAssert;
}

bool can_block(StepKind kind) {
  return kind == StepKind::kAcquire || kind == StepKind::kAssume || kind == StepKind::kJoin ||
         kind == StepKind::kBusy || kind == StepKind::kChoose || kind == StepKind::kStop ||
         kind == StepKind::kHalt;
}

}  // namespace

bool Stepper::open(const State& state, std::uint32_t t) const {
  return model_.code_of(t).depth[static_cast<std::size_t>(state.slots[layout_.pc(t)])] > 0;
}

ThreadSet Stepper::open_threads(const State& state) const {
  ThreadSet open = 0;
  for (std::uint32_t t = 0; t < layout_.threads(); ++t) {
    const auto pc = static_cast<std::uint32_t>(state.slots[layout_.pc(t)]);
    const Code& code = model_.code_of(t);
    if (pc != code.unstarted() && code.depth[pc] > 0) open |= ThreadSet{1} << t;
  }
  return open;
}

void Stepper::log(State& state, Kind kind, std::uint32_t t, std::uint32_t object, Place at) {
  const ThreadSet others = futures_.joins_cut() ? open_threads(state) & ~(ThreadSet{1} << t) : 0;
  const bool first = Monitor::event(state, t, others);
  // Whoever forked the thread is noticed now, which decides where its block is cut.
  bound_ |= first && futures_.retries_cut();
  events_.push_back({kind, t, object, at});
}

// A new part of the block begins with the event that comes next.
void Stepper::cut_if(State& state, std::uint32_t t, bool cuts) {
  if (cuts && futures_.splits() && open(state, t)) Monitor::end(state, t);
}

Evaluator Stepper::evaluator(const State& state, std::uint32_t t) const {
  return {model_.code_of(t), state.slots.data(), state.slots.data() + layout_.slots(t)};
}

void Stepper::clear_temporaries(State& state, std::uint32_t t, const Step& step) const {
  if (step.clear == 0) return;
  const std::uint32_t first = layout_.slots(t) + model_.code_of(t).first_temporary;
  std::fill_n(state.slots.begin() + first, step.clear, 0);
}

Fault Stepper::start(State& state) {
  for (std::uint32_t t = 0; t < layout_.threads(); ++t) {
    if (model_.threads[t].forked) continue;
    if (Fault fault = silent_steps(state, t)) return fault;
  }
  return {};
}

Standing Stepper::moves(const State& state, std::uint32_t t, MoveVisitor& visitor) {
  Standing standing;
  const Code& code = model_.code_of(t);
  const auto pc = static_cast<std::uint32_t>(state.slots[layout_.pc(t)]);
  if (pc == code.unstarted() || code.steps[pc].kind == StepKind::kStop) return {false, true};
  if (code.steps[pc].kind == StepKind::kHalt) return {false, true, true};
  events_.clear();
  bound_ = took_lock_ = chose_ = false;
  scratch_ = state;
  run({t, code, visitor, standing}, scratch_);
  return standing;
}

void Stepper::run(const Here& here, State& state) {
  for (;;) {
    const Step& step = here.code.steps[static_cast<std::size_t>(state.slots[layout_.pc(here.t)])];
    const bool acted_on_choice = chose_ && events_.size() > chosen_at_;
    if (step.kind == StepKind::kHalt) {
      here.standing.open_ended = true;
      if (!events_.empty()) arrive(here, state);
      return;
    }
    if (step.kind == StepKind::kStop) {
      if (events_.empty()) here.standing.can_end = true;
      if (chose_ && !acted_on_choice) {
        chose_to_end_ = true;
      } else if (!events_.empty()) {
        arrive(here, state);
      }
      return;
    }
    if (step.kind == StepKind::kChoose) {
      return acted_on_choice ? arrive(here, state) : branch(here, state);
    }
    const std::size_t before = events_.size();
    const Outcome outcome = event(state, here.t, step);
    if (outcome == Outcome::kBlocked) {
      here.standing.open_ended |= step.ghosts || step.kind == StepKind::kBusy;
      // What was done after a choice binds the thread to it, and that may be a deadlock.
      if (acted_on_choice) arrive(here, state);
      return;
    }
    if (outcome == Outcome::kDone) fault_ = silent_steps(state, here.t);
    if (outcome == Outcome::kCycle || fault_) {
      here.standing.moved = true;
      return fault_ ? here.visitor.fails(fault_, events_) : here.visitor.violates(events_);
    }
    if (events_.size() > before && ends_move(state, here.t, step)) return arrive(here, state);
  }
}

void Stepper::arrive(const Here& here, State& state) {
  here.standing.moved = true;
  here.visitor.arrives(state, events_);
}

// Each branch is a move of its own; a choose that was tried since the last event is not again.
void Stepper::branch(const Here& here, const State& state) {
  if (tried_before(state, here.t)) return;
  remember_choice(state, here.t);
  const bool chose = std::exchange(chose_, true);
  const std::size_t chosen_at = std::exchange(chosen_at_, events_.size());
  const bool bound = bound_;
  const Step& step = here.code.steps[static_cast<std::size_t>(state.slots[layout_.pc(here.t)])];
  for (std::uint32_t i = 0; i < step.length; ++i) {
    try_branch(here, state, here.code.targets[step.target + i]);
    events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(chosen_at_), events_.end());
    took_lock_ = false;
    bound_ = bound;
  }
  chose_ = chose;
  chosen_at_ = chosen_at;
  choices_.pop_back();
  if (chose_) return;
  // Nobody has noticed which way the thread went: it can end, and it can still go on.
  if (std::exchange(chose_to_end_, false) && !events_.empty()) {
    State copy = state;
    arrive(here, copy);
  }
}

void Stepper::try_branch(const Here& here, State state, std::uint32_t target) {
  state.slots[layout_.pc(here.t)] = static_cast<std::int32_t>(target);
  fault_ = silent_steps(state, here.t);
  if (!fault_) return run(here, state);
  here.standing.moved = true;
  here.visitor.fails(fault_, events_);
}

bool Stepper::tried_before(const State& state, std::uint32_t t) const {
  const auto first = state.slots.begin() + layout_.pc(t);
  const auto last = first + 1 + layout_.slot_count(t);
  return std::any_of(choices_.begin(), choices_.end(), [&](const Choice& choice) {
    return choice.thread == t && std::equal(first, last, choice.slots.begin(), choice.slots.end());
  });
}

void Stepper::remember_choice(const State& state, std::uint32_t t) {
  const auto first = state.slots.begin() + layout_.pc(t);
  choices_.push_back({t, {first, first + 1 + layout_.slot_count(t)}});
}

bool Stepper::can_end(State& state, std::uint32_t t) {
  const Code& code = model_.code_of(t);
  const auto pc = static_cast<std::uint32_t>(state.slots[layout_.pc(t)]);
  if (pc == code.unstarted()) return false;
  const Step& step = code.steps[pc];
  if (step.kind == StepKind::kStop) return true;
  if (step.kind == StepKind::kAssume) return ends_behind_assume(state, t, step);
  if (step.kind != StepKind::kChoose || tried_before(state, t)) return false;
  remember_choice(state, t);
  bool ends = false;
  for (std::uint32_t i = 0; i < step.length && !ends; ++i) {
    State copy = state;
    copy.slots[layout_.pc(t)] = static_cast<std::int32_t>(code.targets[step.target + i]);
    if (silent_steps(copy, t)) continue;  // reported where the thread itself moves
    ends = can_end(copy, t);
  }
  choices_.pop_back();
  return ends;
}

// Waiting for ghosts is no event.
bool Stepper::ends_behind_assume(const State& state, std::uint32_t t, const Step& step) {
  Evaluator evaluator = this->evaluator(state, t);
  const bool holds = evaluator.value(step.value) != 0;
  if (!holds || evaluator.fault() || !evaluator.reads().empty()) return false;
  State copy = state;
  ++copy.slots[layout_.pc(t)];
  return !silent_steps(copy, t) && can_end(copy, t);
}

Fault Stepper::silent_steps(State& state, std::uint32_t t) {
  const Code& code = model_.code_of(t);
  std::int32_t& pc = state.slots[layout_.pc(t)];
  for (int steps = 0; steps < kEndless; ++steps) {
    const Step& step = code.steps[static_cast<std::size_t>(pc)];
    if (step.kind == StepKind::kStop || step.kind == StepKind::kHalt) {
      // An ended thread has no past.
      for (std::uint32_t i = 0; i < layout_.slot_count(t); ++i) {
        state.slots[layout_.slots(t) + i] = code.slots[i].initial;
      }
      return {};
    }
    if (!is_silent(step.kind)) {
      // A condition that needs no shared variable is decided here, once and for all.
      if (step.kind != StepKind::kAssume || step.ghosts) return {};
      Evaluator evaluator = this->evaluator(state, t);
      const bool holds = evaluator.value(step.value) != 0;
      if (!holds || evaluator.fault() || !evaluator.reads().empty()) return {};
      ++pc;
      continue;
    }
    if (Fault fault = silent_step(state, t, step)) return fault;
  }
  return {Fault::Kind::kEndless, code.steps[static_cast<std::size_t>(pc)].at, 0, {}};
}

Fault Stepper::silent_step(State& state, std::uint32_t t, const Step& step) {
  std::int32_t& pc = state.slots[layout_.pc(t)];
  bound_ |= step.ghosts;
  if (step.kind == StepKind::kJump) {
    pc = static_cast<std::int32_t>(step.target);
    return {};
  }
  Evaluator evaluator = this->evaluator(state, t);
  const std::uint32_t element = evaluator.element(step.index, step.length, step.at);
  const std::int64_t value = evaluator.value(step.value);
  if (evaluator.fault()) return evaluator.fault();
  if (step.kind == StepKind::kAssert && value == 0) {
    return {Fault::Kind::kAssertion, step.at, 0, {}};
  }
  if (step.kind == StepKind::kAssign) {
    const bool ghost = step.slot == kNone;
    const auto place = static_cast<std::uint32_t>(ghost ? step.object : step.slot) + element;
    const Range& range = ghost ? model_.cells[place] : model_.code_of(t).slots[place];
    if (value < range.low || value > range.high) {
      return {Fault::Kind::kOutOfRange, step.at, value, range};
    }
    state.slots[ghost ? place : layout_.slots(t) + place] = static_cast<std::int32_t>(value);
  }
  clear_temporaries(state, t, step);
  const bool leaves = step.kind == StepKind::kBranch && value == 0;
  pc = leaves ? static_cast<std::int32_t>(step.target) : pc + 1;
  return {};
}

Stepper::Outcome Stepper::fault(const Fault& fault) {
  fault_ = fault;
  return Outcome::kFault;
}

Stepper::Outcome Stepper::event(State& state, std::uint32_t t, const Step& step) {
  fault_ = {};
  noticed_ = true;
  bound_ |= step.ghosts;
  switch (step.kind) {
    case StepKind::kRead: return read(state, t, step);
    case StepKind::kWrite: return write(state, t, step);
    case StepKind::kAcquire:
    case StepKind::kRelease:
    case StepKind::kBusy: return lock_step(state, t, step);
    case StepKind::kAssume: return assume(state, t, step);
    case StepKind::kFork: return fork(state, t, step);
    case StepKind::kJoin: return join(state, t, step);
    case StepKind::kSignal: return signal(state, t, step);
    case StepKind::kAwait: return await(state, t, step);
    default: return begin_or_end(state, t, step);
  }
}

Stepper::Outcome Stepper::begin_or_end(State& state, std::uint32_t t, const Step& step) {
  const bool begins = step.kind == StepKind::kBegin;
  log(state, begins ? Kind::kBegin : Kind::kEnd, t, static_cast<std::uint32_t>(step.object),
      step.at);
  if (!begins && model_.code_of(t).depth[state.slots[layout_.pc(t)]] == 1) Monitor::end(state, t);
  ++state.slots[layout_.pc(t)];
  noticed_ = false;
  return Outcome::kDone;
}

Stepper::Outcome Stepper::touch(State& state, std::uint32_t t, std::int32_t object, Kind kind) {
  const bool cycle = Monitor::access(state, t, object, touch_of(kind), open(state, t));
  return cycle ? Outcome::kCycle : Outcome::kDone;
}

Stepper::Outcome Stepper::access(State& state, std::uint32_t t, const Step& step,
                                 std::uint32_t cell, Kind kind) {
  const std::int32_t object = futures_.object_of_cell(cell);
  noticed_ |= object != kNone;
  cut_if(state, t, kind == Kind::kRetry && Monitor::cuts_at_retry(state, t, object));
  log(state, kind, t, cell, step.at);
  return touch(state, t, object, kind);
}

Stepper::Outcome Stepper::read(State& state, std::uint32_t t, const Step& step) {
  Evaluator evaluator = this->evaluator(state, t);
  const std::uint32_t element = evaluator.element(step.index, step.length, step.at);
  if (evaluator.fault()) return fault(evaluator.fault());
  const std::uint32_t cell = static_cast<std::uint32_t>(step.object) + element;
  noticed_ = false;
  const Outcome outcome = access(state, t, step, cell, step.event);
  if (step.slot != kNone) {
    state.slots[layout_.slots(t) + static_cast<std::uint32_t>(step.slot)] = state.slots[cell];
  }
  clear_temporaries(state, t, step);
  ++state.slots[layout_.pc(t)];
  return outcome;
}

Stepper::Outcome Stepper::write(State& state, std::uint32_t t, const Step& step) {
  Evaluator evaluator = this->evaluator(state, t);
  const std::uint32_t element = evaluator.element(step.index, step.length, step.at);
  const std::int64_t value = evaluator.value(step.value);
  if (evaluator.fault()) return fault(evaluator.fault());
  const std::uint32_t cell = static_cast<std::uint32_t>(step.object) + element;
  const Range& range = model_.cells[cell];
  if (value < range.low || value > range.high) {
    return fault({Fault::Kind::kOutOfRange, step.at, value, range});
  }
  noticed_ = false;
  const Outcome outcome = access(state, t, step, cell, step.event);
  state.slots[cell] = static_cast<std::int32_t>(value);
  clear_temporaries(state, t, step);
  ++state.slots[layout_.pc(t)];
  return outcome;
}

// The condition holds as a whole or the thread waits; its reads are events with nothing in between.
// Without a read it is no event, and belongs to the next one.
Stepper::Outcome Stepper::assume(State& state, std::uint32_t t, const Step& step) {
  Evaluator evaluator = this->evaluator(state, t);
  const bool holds = evaluator.value(step.value) != 0;
  if (evaluator.fault()) return fault(evaluator.fault());
  if (!holds) return Outcome::kBlocked;
  noticed_ = false;
  for (const std::uint32_t cell : evaluator.reads()) {
    if (access(state, t, step, cell, Kind::kRead) == Outcome::kCycle) return Outcome::kCycle;
  }
  ++state.slots[layout_.pc(t)];
  return Outcome::kDone;
}

bool Stepper::held_by_another(const State& state, std::uint32_t t, std::uint32_t lock) const {
  const std::int32_t owner = state.slots[layout_.lock(lock)];
  if (owner != 0) return owner != static_cast<std::int32_t>(t + 1);
  if (layout_.readers(lock) == Layout::kNoReaders) return false;
  const auto readers = static_cast<ThreadSet>(state.slots[layout_.readers(lock)]);
  return (readers & ~(ThreadSet{1} << t)) != 0;
}

Stepper::Outcome Stepper::lock_step(State& state, std::uint32_t t, const Step& step) {
  Evaluator evaluator = this->evaluator(state, t);
  const std::uint32_t element = evaluator.element(step.index, step.length, step.at);
  if (evaluator.fault()) return fault(evaluator.fault());
  const std::uint32_t lock = static_cast<std::uint32_t>(step.object) + element;
  Outcome outcome = Outcome::kDone;
  if (step.kind == StepKind::kBusy) {
    if (!held_by_another(state, t, lock)) return Outcome::kBlocked;
    log(state, step.event, t, lock, step.at);
  } else {
    const bool acquires = step.kind == StepKind::kAcquire;
    outcome = acquires ? acquire(state, t, step, lock) : release(state, t, step, lock);
    if (outcome == Outcome::kBlocked || outcome == Outcome::kFault) return outcome;
    noticed_ = futures_.contended(lock);
    bound_ |= futures_.watched(lock);
  }
  clear_temporaries(state, t, step);
  ++state.slots[layout_.pc(t)];
  return outcome;
}

Stepper::Outcome Stepper::acquire(State& state, std::uint32_t t, const Step& step,
                                  std::uint32_t lock) {
  std::int32_t& owner = state.slots[layout_.lock(lock)];
  const auto mine = static_cast<std::int32_t>(t + 1);
  const bool has_readers = layout_.readers(lock) != Layout::kNoReaders;
  std::int32_t none = 0;
  std::int32_t& readers = has_readers ? state.slots[layout_.readers(lock)] : none;
  const auto bit = static_cast<std::int32_t>(ThreadSet{1} << t);
  if (owner == mine || (readers & bit) != 0) {
    return fault({Fault::Kind::kReacquire, step.at, 0, {}});
  }
  const bool shared = is_shared_side(step.event);
  if (owner != 0 || (readers != 0 && !shared)) return Outcome::kBlocked;
  if (shared) {
    readers |= bit;
  } else {
    owner = mine;
  }
  cut_if(state, t, step.event == Kind::kResume);
  log(state, step.event, t, lock, step.at);
  return touch(state, t, futures_.object_of_lock(lock), step.event);
}

Stepper::Outcome Stepper::release(State& state, std::uint32_t t, const Step& step,
                                  std::uint32_t lock) {
  const bool has_readers = layout_.readers(lock) != Layout::kNoReaders;
  const bool shared = is_shared_side(step.event);
  const auto bit = static_cast<std::int32_t>(ThreadSet{1} << t);
  std::int32_t& owner = state.slots[layout_.lock(lock)];
  const bool holds = shared ? has_readers && (state.slots[layout_.readers(lock)] & bit) != 0
                            : owner == static_cast<std::int32_t>(t + 1);
  if (!holds) return fault({Fault::Kind::kRelease, step.at, 0, {}});
  if (shared) {
    state.slots[layout_.readers(lock)] &= ~bit;
  } else {
    owner = 0;
  }
  log(state, step.event, t, lock, step.at);
  return touch(state, t, futures_.object_of_lock(lock), step.event);
}

Stepper::Outcome Stepper::signal(State& state, std::uint32_t t, const Step& step) {
  const auto channel = static_cast<std::uint32_t>(step.object);
  const std::int32_t object = futures_.object_of_channel(channel);
  noticed_ = object != kNone;
  log(state, Kind::kSignal, t, channel, step.at);
  if (futures_.awaits_cut()) {
    Monitor::signal(state, object, open_threads(state) & ~(ThreadSet{1} << t));
  }
  const Outcome outcome = touch(state, t, object, Kind::kSignal);
  ++state.slots[layout_.pc(t)];
  return outcome;
}

Stepper::Outcome Stepper::await(State& state, std::uint32_t t, const Step& step) {
  const auto channel = static_cast<std::uint32_t>(step.object);
  const std::int32_t object = futures_.object_of_channel(channel);
  noticed_ = object != kNone;
  cut_if(state, t, object != kNone && (state.rows[t].signalled >> object & 1) != 0);
  log(state, Kind::kAwait, t, channel, step.at);
  const Outcome outcome = touch(state, t, object, Kind::kAwait);
  ++state.slots[layout_.pc(t)];
  return outcome;
}

Stepper::Outcome Stepper::fork(State& state, std::uint32_t t, const Step& step) {
  const auto child = static_cast<std::uint32_t>(step.object);
  std::int32_t& pc = state.slots[layout_.pc(child)];
  if (pc != static_cast<std::int32_t>(model_.code_of(child).unstarted())) {
    return fault({Fault::Kind::kForkedTwice, step.at, 0, {}});
  }
  log(state, Kind::kFork, t, child, step.at);
  Monitor::fork(state, t, child, open(state, t));
  ++state.slots[layout_.pc(t)];
  pc = 0;
  const Fault wrong = silent_steps(state, child);
  return wrong ? fault(wrong) : Outcome::kDone;
}

Stepper::Outcome Stepper::join(State& state, std::uint32_t t, const Step& step) {
  const auto other = static_cast<std::uint32_t>(step.object);
  if (!can_end(state, other)) return Outcome::kBlocked;
  // If it could also have gone on, this is where it chose not to.
  const Code& code = model_.code_of(other);
  state.slots[layout_.pc(other)] = static_cast<std::int32_t>(code.steps.size() - 1);
  for (std::uint32_t i = 0; i < layout_.slot_count(other); ++i) {
    state.slots[layout_.slots(other) + i] = code.slots[i].initial;
  }
  cut_if(state, t, (state.rows[t].acted >> other & 1) != 0);
  log(state, Kind::kJoin, t, other, step.at);
  const bool cycle = Monitor::join(state, t, other, open(state, t));
  ++state.slots[layout_.pc(t)];
  return cycle ? Outcome::kCycle : Outcome::kDone;
}

bool Stepper::ends_move(const State& state, std::uint32_t t, const Step& step) {
  if (!reduction_ || bound_ || events_.size() >= kCut) return true;
  // Nobody can notice an acquire that conflicts with nothing until its thread waits or does more.
  const bool takes = noticed_ && step.kind == StepKind::kAcquire &&
                     futures_.object_of_lock(events_.back().object) == kNone;
  if (noticed_ && !takes) return true;
  took_lock_ |= takes;
  const Code& code = model_.code_of(t);
  const StepKind next = code.steps[static_cast<std::size_t>(state.slots[layout_.pc(t)])].kind;
  return took_lock_ && can_block(next);
}

}  // namespace omnium::model
