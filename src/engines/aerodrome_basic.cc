// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/aerodrome_basic.h"

namespace omnium {

// [AeroDrome lines 1-8] Threads that appear later get their initial clock when they appear.
void AerodromeBasic::grow(const Extent& extent) {
  const auto old_threads = static_cast<std::uint32_t>(threads_.size());
  threads_.grow_to(extent.threads);
  for (ThreadId t{old_threads}; t.v < threads_.size(); ++t.v) threads_[t].clock.set(t, 1);
  locks_.grow_to(extent.locks);
  variables_.grow_to(extent.variables);
  blocks_.grow_to(extent.threads);
}

// [AeroDrome lines 9-12]
void AerodromeBasic::check_and_get(const VectorClock& clock, ThreadId t, EventIndex at) {
  ++counts_.gets;
  Thread& thread = threads_[t];
  if (blocks_.inside(t) && thread.begin.before(clock)) {
    ++counts_.violations;
    if (!violated_) sink().not_serializable({.closed_at = at, .transactions = {}});
    violated_ = true;
  }
  thread.clock.join(clock);
}

// [AeroDrome lines 13-15]
void AerodromeBasic::on_acquire(ThreadId t, LockId l) {
  if (violated_) return;
  ++counts_.acquires;
  threads_[t].acted = true;
  if (locks_[l].last_release != t) check_and_get(locks_[l].released, t, now());
}

// [AeroDrome lines 16-18]
void AerodromeBasic::on_release(ThreadId t, LockId l) {
  if (violated_) return;
  ++counts_.releases;
  threads_[t].acted = true;
  locks_[l].released = threads_[t].clock;
  locks_[l].last_release = t;
}

// [AeroDrome lines 19-20]
void AerodromeBasic::on_fork(ThreadId t, ThreadId u) {
  if (violated_) return;
  ++counts_.forks;
  threads_[t].acted = true;
  threads_[u].clock.join(threads_[t].clock);
  threads_[u].forked_by = t;
}

// [AeroDrome lines 21-22] Not in the paper: a thread that did nothing carries only the clock of its
// fork. If the fork was ours, there is no event of another thread on the way, as with lastRelThr
// and lastWThr.
void AerodromeBasic::on_join(ThreadId t, ThreadId u) {
  if (violated_ || t == u) return;
  ++counts_.joins;
  threads_[t].acted = true;
  if (!threads_[u].acted && threads_[u].forked_by == t) {
    ++counts_.idle_joins;
    return;
  }
  check_and_get(threads_[u].clock, t, now());
}

// [AeroDrome lines 23-26]
void AerodromeBasic::on_read(ThreadId t, VarId x) {
  if (violated_) return;
  ++counts_.reads;
  threads_[t].acted = true;
  Variable& variable = variables_[x];
  if (variable.last_writer != t) check_and_get(variable.written, t, now());
  if (variable.read.size() <= t.v) variable.read.resize(t.v + 1);
  variable.read[t.v] = threads_[t].clock;
}

// [AeroDrome lines 27-33]
void AerodromeBasic::on_write(ThreadId t, VarId x) {
  if (violated_) return;
  ++counts_.writes;
  threads_[t].acted = true;
  Variable& variable = variables_[x];
  if (variable.last_writer != t) check_and_get(variable.written, t, now());
  for (std::uint32_t u = 0; u < variable.read.size(); ++u) {
    if (u != t.v) check_and_get(variable.read[u], t, now());
  }
  variable.written = threads_[t].clock;
  variable.last_writer = t;
}

// [AeroDrome lines 34-36; section 4.1.4: inner blocks are ignored]
void AerodromeBasic::on_begin(ThreadId t, LabelId label) {
  if (violated_) return;
  Thread& thread = threads_[t];
  thread.acted = true;
  if (!blocks_.push(t, label, now())) return;
  ++counts_.begins;
  thread.clock.set(t, thread.clock[t] + 1);
  thread.begin = thread.clock;
}

void AerodromeBasic::on_end(ThreadId t) {
  if (violated_ || !blocks_.pop(t)) return;
  ++counts_.ends;
  end_transaction(t, now());
}

// [AeroDrome lines 37-46] The transaction of t is no longer open: its own thread is not checked.
void AerodromeBasic::end_transaction(ThreadId t, EventIndex at) {
  const Thread& ended = threads_[t];
  for (ThreadId u{0}; u.v < threads_.size(); ++u.v) {
    if (u == t || !ended.begin.before(threads_[u].clock)) continue;
    ++counts_.threads_raised;
    check_and_get(ended.clock, u, at);
  }
  for (Lock& lock : locks_) counts_.locks_raised += raise(lock.released, ended);
  for (Variable& variable : variables_) {
    counts_.writes_raised += raise(variable.written, ended);
    for (VectorClock& read : variable.read) counts_.reads_raised += raise(read, ended);
  }
}

bool AerodromeBasic::raise(VectorClock& clock, const Thread& ended) {
  if (!ended.begin.before(clock)) return false;
  clock.join(ended.clock);
  return true;
}

// Not in the paper: Theorem 2 needs all transactions of a cycle but one to be complete, so blocks
// that the trace leaves open end here.
void AerodromeBasic::on_finish() {
  blocks_.end_all([&](ThreadId t) {
    if (violated_) return;
    ++counts_.closed_at_finish;
    end_transaction(t, now() - 1);
  });
}

}  // namespace omnium
