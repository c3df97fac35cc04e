// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/aerodrome.h"

#include <algorithm>

namespace omnium {

void Aerodrome::grow(const Extent& extent) {
  threads_.grow_to(extent.threads);
  blocks_.grow_to(extent.threads);
  thread_clocks_.grow_to(extent.threads);
  lock_clocks_.grow_to(extent.locks);
  last_release_.grow_to(extent.locks);
  variable_clocks_.grow_to(extent.variables);
  last_writer_.grow_to(extent.variables);
  passed_on_.resize(words_);
}

void Aerodrome::violation(EventIndex at) {
  ++counts_.violations;
  if (!violated_) sink().not_serializable({.closed_at = at, .transactions = {}});
  violated_ = true;
}

// clock := clock joined with source. Clocks forget a transaction only when it ends, so each pair of
// a clock and an open transaction comes here once.
inline void Aerodrome::learn(SlotWord* clock, const SlotWord* source, ClockRef ref) {
  for (std::size_t word = 0; word < words_; ++word) {
    const SlotWord fresh = source[word] & ~clock[word];
    if (fresh == 0) continue;
    clock[word] |= fresh;
    for_each_slot(fresh, word, [&](Slot slot) {
      ++learned_;
      know_[slot].push_back(ref);
    });
  }
}

// [AeroDrome lines 9-12; section 4.3: `check` is chR_x where `clock` is R_x]
inline void Aerodrome::check_and_get(const SlotWord* check, const SlotWord* clock, ThreadId t,
                                     EventIndex at) {
  ++counts_.gets;
  const Slot slot = threads_[t].slot;
  if (slot != kNoSlot && has_slot(check, slot)) [[unlikely]]
    violation(at);
  learn(thread_clock(t), clock, {ClockKind::kThread, t.v});
}

// [AeroDrome lines 13-15]
void Aerodrome::on_acquire(ThreadId t, LockId l) {
  if (violated_) return;
  ++counts_.acquires;
  threads_[t].acted = true;
  const SlotWord* released = lock_clocks_.set(l.v);
  if (last_release_[l] != t) check_and_get(released, released, t, now());
}

// [AeroDrome lines 16-18] L_l is below C_t since the acquire, so the assignment is a join.
void Aerodrome::on_release(ThreadId t, LockId l) {
  if (violated_) return;
  ++counts_.releases;
  threads_[t].acted = true;
  learn(lock_clocks_.set(l.v), thread_clock(t), {ClockKind::kLock, l.v});
  last_release_[l] = t;
}

// [AeroDrome lines 19-20]
void Aerodrome::on_fork(ThreadId t, ThreadId u) {
  if (violated_) return;
  ++counts_.forks;
  threads_[t].acted = true;
  threads_[u].forked_by = t;
  learn(thread_clock(u), thread_clock(t), {ClockKind::kThread, u.v});
}

// [AeroDrome lines 21-22] As in aerodrome-basic, a child of ours that did nothing is no way back to
// us.
void Aerodrome::on_join(ThreadId t, ThreadId u) {
  if (violated_ || t == u) return;
  ++counts_.joins;
  threads_[t].acted = true;
  if (!threads_[u].acted && threads_[u].forked_by == t) {
    ++counts_.idle_joins;
    return;
  }
  check_and_get(thread_clock(u), thread_clock(u), t, now());
}

// [AeroDrome lines 23-26; section 4.3: R_x joins C_t, chR_x joins C_t without t]
void Aerodrome::on_read(ThreadId t, VarId x) {
  if (violated_) return;
  ++counts_.reads;
  Thread& thread = threads_[t];
  thread.acted = true;
  const SlotWord* written = clock_of(x, kWritten);
  if (last_writer_[x] != t) check_and_get(written, written, t, now());
  const SlotWord* clock = thread_clock(t);
  learn(clock_of(x, kRead), clock, {ClockKind::kRead, x.v});
  SlotWord* by_other = clock_of(x, kReadByOther);
  for (std::size_t word = 0; word < words_; ++word) {
    const bool own = thread.slot / kSlotsPerWord == word;
    by_other[word] |= clock[word] & ~(SlotWord{own} << (thread.slot % kSlotsPerWord));
  }
}

// [AeroDrome lines 27-33; section 4.3] W_x is below C_t by then, so the assignment is a join.
void Aerodrome::on_write(ThreadId t, VarId x) {
  if (violated_) return;
  ++counts_.writes;
  threads_[t].acted = true;
  const SlotWord* written = clock_of(x, kWritten);
  if (last_writer_[x] != t) check_and_get(written, written, t, now());
  check_and_get(clock_of(x, kReadByOther), clock_of(x, kRead), t, now());
  learn(clock_of(x, kWritten), thread_clock(t), {ClockKind::kWrite, x.v});
  last_writer_[x] = t;
}

// [AeroDrome lines 34-36; section 4.1.4: inner blocks are ignored]
void Aerodrome::on_begin(ThreadId t, LabelId label) {
  if (violated_) return;
  Thread& thread = threads_[t];
  thread.acted = true;
  if (!blocks_.push(t, label, now())) return;
  ++counts_.begins;
  thread.slot = slots_.open();
  if (slots_.capacity() > know_.size()) {
    know_.emplace_back();
    if (slots_.capacity() > words_ * kSlotsPerWord) widen();
  }
  add_slot(thread_clock(t), thread.slot);
}

void Aerodrome::widen() {
  ++widened_;
  words_ *= 2;
  thread_clocks_.widen_to(words_);
  lock_clocks_.widen_to(words_);
  variable_clocks_.widen_to(words_);
  passed_on_.resize(words_);
}

void Aerodrome::on_end(ThreadId t) {
  if (violated_ || !blocks_.pop(t)) return;
  ++counts_.ends;
  end_transaction(t, now());
}

// [AeroDrome lines 37-46] The update set is what the three loops would find.
void Aerodrome::end_transaction(ThreadId t, EventIndex at) {
  const Slot ended = threads_[t].slot;
  threads_[t].slot = kNoSlot;
  SlotWord* clock = thread_clock(t);
  remove_slot(clock, ended);
  std::copy_n(clock, words_, passed_on_.data());
  std::vector<ClockRef>& update_set = know_[ended];
  most_updates_ = std::max<std::uint64_t>(most_updates_, update_set.size());
  for (const ClockRef ref : update_set) pass_on(ref, ended, at);
  update_set.clear();
  slots_.close(ended);
}

// [AeroDrome lines 39-40, 42, 44, 46] No transaction with the slot `ended` is open afterwards, so
// its bit goes.
void Aerodrome::pass_on(ClockRef ref, Slot ended, EventIndex at) {
  const auto forget_and_learn = [&](SlotWord* clock) {
    remove_slot(clock, ended);
    learn(clock, passed_on_.data(), ref);
  };
  switch (ref.kind) {
    case ClockKind::kThread: {
      ++counts_.threads_raised;
      const Slot slot = threads_[ThreadId{ref.index}].slot;
      if (slot != kNoSlot && has_slot(passed_on_.data(), slot)) violation(at);
      return forget_and_learn(thread_clock(ThreadId{ref.index}));
    }
    case ClockKind::kLock:
      ++counts_.locks_raised;
      return forget_and_learn(lock_clocks_.set(ref.index));
    case ClockKind::kWrite:
      ++counts_.writes_raised;
      return forget_and_learn(clock_of(VarId{ref.index}, kWritten));
    case ClockKind::kRead: {
      ++counts_.reads_raised;
      SlotWord* by_other = clock_of(VarId{ref.index}, kReadByOther);
      remove_slot(by_other, ended);
      for (std::size_t word = 0; word < words_; ++word) by_other[word] |= passed_on_[word];
      return forget_and_learn(clock_of(VarId{ref.index}, kRead));
    }
  }
}

// As in aerodrome-basic: blocks that the trace leaves open end here.
void Aerodrome::on_finish() {
  blocks_.end_all([&](ThreadId t) {
    if (violated_) return;
    ++counts_.closed_at_finish;
    end_transaction(t, now() - 1);
  });
}

std::vector<Counter> Aerodrome::counters() const {
  std::vector<Counter> counters = counts_.counters();
  counters.insert(counters.end(), {{"transactions learned of", learned_},
                                   {"largest update set", most_updates_},
                                   {"most open transactions", slots_.capacity()},
                                   {"clocks widened", widened_}});
  return counters;
}

}  // namespace omnium
