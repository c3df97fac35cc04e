// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/history.h"

#include <algorithm>
#include <map>
#include <set>

namespace omnium::watch {

namespace {

struct Meaning {
  Kind kind;
  Matter matter;
};

using wire::EntryKind;
using wire::StepKind;

Meaning meaning_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::kBegin: return {Kind::kBegin, Matter::kBlock};
    case EntryKind::kEnd: return {Kind::kEnd, Matter::kBlock};
    case EntryKind::kRead:
    case EntryKind::kAtomicRead: return {Kind::kRead, Matter::kMemory};
    case EntryKind::kWrite:
    case EntryKind::kAtomicWrite:
    case EntryKind::kUpdate: return {Kind::kWrite, Matter::kMemory};
    case EntryKind::kAcquire: return {Kind::kAcquire, Matter::kMutex};
    case EntryKind::kRelease: return {Kind::kRelease, Matter::kMutex};
    case EntryKind::kReadAcquire:
    case EntryKind::kReadRelease: return {Kind::kRead, Matter::kSharedLock};
    case EntryKind::kWriteAcquire:
    case EntryKind::kWriteRelease: return {Kind::kWrite, Matter::kSharedLock};
    case EntryKind::kContribute: return {Kind::kSignal, Matter::kMeeting};
    case EntryKind::kCollect: return {Kind::kAwait, Matter::kMeeting};
    case EntryKind::kFork: return {Kind::kFork, Matter::kThread};
    case EntryKind::kJoin: return {Kind::kJoin, Matter::kThread};
  }
  return {Kind::kSkip, Matter::kMemory};
}

Meaning meaning_of(EntryKind kind, SharedLocks shared_locks) {
  if (shared_locks == SharedLocks::kLocks) {
    switch (kind) {
      case EntryKind::kReadAcquire: return {Kind::kSharedAcquire, Matter::kMutex};
      case EntryKind::kReadRelease: return {Kind::kSharedRelease, Matter::kMutex};
      case EntryKind::kWriteAcquire: return {Kind::kAcquire, Matter::kMutex};
      case EntryKind::kWriteRelease: return {Kind::kRelease, Matter::kMutex};
      default: break;
    }
  }
  return meaning_of(kind);
}

// What kind of event one end of a step is. A read or write is taken for one of memory, although it
// may be one of a reader-writer lock.
Meaning meaning_of(StepKind kind, bool source) {
  switch (kind) {
    case StepKind::kWriteRead: return {source ? Kind::kWrite : Kind::kRead, Matter::kMemory};
    case StepKind::kReadWrite: return {source ? Kind::kRead : Kind::kWrite, Matter::kMemory};
    case StepKind::kWriteWrite: return {Kind::kWrite, Matter::kMemory};
    case StepKind::kReleaseAcquire:
      return {source ? Kind::kRelease : Kind::kAcquire, Matter::kMutex};
    case StepKind::kFork: return {source ? Kind::kFork : Kind::kSkip, Matter::kThread};
    case StepKind::kJoin: return {source ? Kind::kSkip : Kind::kJoin, Matter::kThread};
    case StepKind::kMeeting: return {source ? Kind::kSignal : Kind::kAwait, Matter::kMeeting};
  }
  return {Kind::kSkip, Matter::kMemory};
}

class Builder {
 public:
  Builder(const FindingMessage& message, bool witness_only, SharedLocks shared_locks)
      : message_(message), witness_only_(witness_only), shared_locks_(shared_locks) {
    out_.threads.resize(message.threads.size());
  }

  std::optional<Histories> build() {
    for (const wire::Entry& entry : message_.entries) {
      const auto [kind, matter] = meaning_of(entry.kind, shared_locks_);
      append({kind, matter, entry.size, false, entry.thread, entry.object, entry.pc, entry.time,
              entry.stamp, wire::atomicity_of(entry.kind)});
    }
    for (std::uint32_t thread = 0; thread < out_.threads.size(); ++thread) {
      bare_.push_back(witness_only_ || lacks_an_end(thread));
      if (bare_.back()) out_.threads[thread].clear();
    }
    for (std::uint32_t i = 0; i < message_.steps.size(); ++i) {
      const auto source = place_end(i, true);
      const auto sink = place_end(i, false);
      if (source && sink) out_.order.emplace_back(*source, *sink);
      if (source && sink) share_matter(item(*source), item(*sink));
    }
    for (std::uint32_t thread = 0; thread < out_.threads.size(); ++thread) {
      if (bare_[thread]) {
        arrange_bare(thread);
        continue;
      }
      drop_useless(out_.threads[thread]);
      complete_locks(thread);
      if (!complete_blocks(thread)) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  using Sequence = std::vector<ItemIndex>;

  Item& item(ItemIndex index) { return out_.items[index]; }

  bool is_violating(std::uint32_t thread) const { return thread == message_.head.thread; }

  // Is an end of a step missing in the history of the thread? In that of the violating thread it
  // has a place all the same, since its blocks are known.
  bool lacks_an_end(std::uint32_t thread) {
    for (std::uint32_t i = 0; i < message_.steps.size() && !is_violating(thread); ++i) {
      for (const bool source : {true, false}) {
        const Item end = end_of(i, source);
        if (end.thread != thread || end.kind == Kind::kSkip) continue;
        if (!find(out_.threads[thread], end, source, 0)) return true;
      }
    }
    return false;
  }

  ItemIndex add(const Item& item) {
    out_.items.push_back(item);
    return static_cast<ItemIndex>(out_.items.size() - 1);
  }
  void append(const Item& item) { out_.threads[item.thread].push_back(add(item)); }

  // The first event of a forked thread or the last of a joined one, of what is left of its history.
  // If nothing is left, a read is made up: the step says that the thread did something.
  void place_any(std::uint32_t thread, bool first) {
    Sequence& sequence = out_.threads[thread];
    const auto fits = [&](ItemIndex it) { return item(it).matter != Matter::kMeeting; };
    const auto front = std::ranges::find_if(sequence, fits);
    if (front == sequence.end()) {
      append({Kind::kRead, Matter::kMemory, 1, true, thread, 0, 0, 0, 0});
      ends_[sequence.back()] = wire::kNoTxn;
      return;
    }
    const auto back = std::find_if(sequence.rbegin(), sequence.rend(), fits);
    item(first ? *front : *back).witness = true;
  }

  // One end of a step as an item.
  Item end_of(std::uint32_t number, bool source) const {
    const wire::Step& step = message_.steps[number];
    const auto [kind, matter] = meaning_of(step.kind, source);
    Item end{kind, matter, step.size, true};
    end.thread = source ? step.from_thread : step.to_thread;
    end.object = step.object;
    end.pc = source ? step.from_pc : step.to_pc;
    end.time = source ? step.from_time : step.to_time;
    end.atomicity = source ? step.from_access : step.to_access;
    if (matter == Matter::kThread) {
      end.object = message_.threads[source ? step.to_thread : step.from_thread].number;
    }
    return end;
  }

  // An end of a step: its entry, or a new item where its time belongs. The end of the last step
  // comes after everything else if it has no entry yet. None if any event of the thread can be the
  // end.
  std::optional<ItemIndex> place_end(std::uint32_t number, bool source) {
    Item end = end_of(number, source);
    if (end.kind == Kind::kSkip) {
      place_any(end.thread, !source);
      return std::nullopt;
    }
    const wire::Step& step = message_.steps[number];
    const ItemIndex at = bare_[end.thread] ? place_in_bare(end, number, source)
                                           : place_in_history(end, number, source);
    ends_[at] = source ? step.from_txn : step.to_txn;
    if (!source && number + 1 == message_.steps.size()) out_.closing = at;
    return at;
  }

  ItemIndex place_in_history(Item end, std::uint32_t number, bool source) {
    Sequence& sequence = out_.threads[end.thread];
    const bool closing = !source && number + 1 == message_.steps.size();
    const auto found = find(sequence, end, source, closing ? message_.head.closing_entry : 0);
    const bool meets = end.matter == Matter::kMeeting;
    if (!meets && found) {
      item(sequence[*found]).witness = true;
      return sequence[*found];
    }
    const auto later = [&](ItemIndex it) {
      return closing ? it >= message_.head.closing_entry && it < message_.entries.size()
                     : item(it).time > end.time;
    };
    auto position = std::ranges::find_if(sequence, later);
    if (meets) {
      // Each step of a meeting gets a signal of its own, which nothing else uses.
      end.object = number;
      if (found) {
        end.pc = item(sequence[*found]).pc;
        position = sequence.begin() + static_cast<std::ptrdiff_t>(*found) + 1;
      }
    }
    const ItemIndex index = add(end);
    sequence.insert(position, index);
    return index;
  }

  // A step does not say whether it is about memory or a reader-writer lock, so both match.
  static void share_matter(Item& a, Item& b) {
    if (a.matter == Matter::kSharedLock) b.matter = a.matter;
    if (b.matter == Matter::kSharedLock) a.matter = b.matter;
  }

  // The last entry that matches a source, or the first from `from` on that matches a sink. Entries
  // with the same pc are preferred.
  std::optional<std::size_t> find(const Sequence& sequence, const Item& end, bool source,
                                  ItemIndex from) {
    std::optional<std::size_t> best;
    bool best_pc = false;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (sequence[i] < from || !fits(item(sequence[i]), end)) continue;
      const bool same_pc = item(sequence[i]).pc == end.pc;
      if (best && (best_pc > same_pc || (best_pc == same_pc && !source))) continue;
      best = i;
      best_pc = same_pc;
    }
    return best;
  }

  static bool fits(const Item& it, const Item& end) {
    if (it.kind != end.kind) return false;
    if (end.matter == Matter::kThread) return it.object == end.object;
    if (it.time != end.time) return false;
    if (it.matter == Matter::kSharedLock && end.matter == Matter::kMemory) {
      return it.object == end.object;
    }
    if (it.matter != end.matter) return false;
    return end.matter == Matter::kMemory ? overlap(it, end) : it.object == end.object;
  }

  static bool is_same_access(const Item& it, const Item& end) {
    return it.matter == Matter::kMemory && end.matter == it.matter && it.kind == end.kind &&
           it.object == end.object && it.size == end.size && it.time == end.time &&
           (end.pc == 0 || it.pc == end.pc);
  }

  // Nothing is known of the thread's other events, so the order of its ends is that of their times.
  // An arrival is the first event of its time.
  ItemIndex place_in_bare(Item end, std::uint32_t number, bool source) {
    const bool closing = !source && number + 1 == message_.steps.size();
    if (end.matter == Matter::kMeeting) end.object = number;
    if (end.matter == Matter::kMemory && is_shared_lock(end.object)) {
      end.matter = Matter::kSharedLock;
    }
    Sequence& sequence = out_.threads[end.thread];
    // What a step arrives at and the next one leaves from is one event, not two.
    const auto arrived = std::ranges::find_if(sequence, [&](ItemIndex it) {
      return source && !sources_.contains(it) && is_same_access(item(it), end);
    });
    if (arrived != sequence.end()) {
      sources_.insert(*arrived);
      return *arrived;
    }
    const auto later = [&](ItemIndex it) {
      return item(it).time > end.time ||
             (!source && item(it).time == end.time && sources_.contains(it));
    };
    const auto position = closing ? sequence.end() : std::ranges::find_if(sequence, later);
    const ItemIndex index = add(end);
    sequence.insert(position, index);
    if (source) sources_.insert(index);
    return index;
  }

  bool is_shared_lock(std::uint64_t object) const {
    return std::ranges::any_of(message_.entries, [&](const wire::Entry& entry) {
      return entry.object == object && meaning_of(entry.kind).matter == Matter::kSharedLock;
    });
  }

  // Puts a bare thread's ends into critical sections of their own, where they are about a mutex,
  // and into the transactions that they are in.
  void arrange_bare(std::uint32_t thread) {
    const Sequence ends = std::move(out_.threads[thread]);
    Sequence& out = out_.threads[thread];
    std::size_t blocks = 0;
    std::optional<std::uint32_t> open;  // the transaction around the events; of other threads
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Item it = item(ends[i]);
      if (is_violating(thread) && it.time >= message_.blocks.front().begin_time) {
        for (; blocks < message_.blocks.size() && message_.blocks[blocks].begin_time <= it.time;
             ++blocks) {
          out.push_back(add(begin_of(message_.blocks[blocks])));
          if (message_.blocks[blocks].refuted != 0) out_.refuted = out.back();
        }
      } else {
        open_bare(ends, i, open, out);
      }
      if (it.kind == Kind::kRelease && !is_held(out, it.object))
        out.push_back(add(lock_event(it, Kind::kAcquire)));
      out.push_back(ends[i]);
      const bool released_next = i + 1 < ends.size() && item(ends[i + 1]).kind == Kind::kRelease &&
                                 item(ends[i + 1]).object == it.object;
      if (it.kind == Kind::kAcquire && !released_next)
        out.push_back(add(lock_event(it, Kind::kRelease)));
      if (open && !is_in_later(ends, i, *open)) close_bare(thread, open, out);
    }
  }

  static Item lock_event(const Item& it, Kind kind) {
    Item out = it;
    out.kind = kind;
    out.witness = false;
    out.pc = 0;
    return out;
  }

  bool is_held(const Sequence& sequence, std::uint64_t lock) {
    for (std::size_t i = sequence.size(); i-- > 0;) {
      const Item& it = item(sequence[i]);
      if (it.matter == Matter::kMutex && it.object == lock) return it.kind == Kind::kAcquire;
    }
    return false;
  }

  // The transaction of an end; of one that is not the end of a step, unknown.
  std::uint32_t txn_of(ItemIndex index) const {
    const auto at = ends_.find(index);
    return at == ends_.end() ? wire::kUnknownTxn : at->second;
  }

  bool is_in_later(const Sequence& ends, std::size_t i, std::uint32_t txn) const {
    return std::any_of(ends.begin() + static_cast<std::ptrdiff_t>(i) + 1, ends.end(),
                       [&](ItemIndex it) { return txn != wire::kUnknownTxn && txn_of(it) == txn; });
  }

  void open_bare(const Sequence& ends, std::size_t i, std::optional<std::uint32_t>& open,
                 Sequence& out) {
    const std::uint32_t txn = txn_of(ends[i]);
    if (open || txn == wire::kNoTxn) return;
    open = txn;
    out.push_back(add(begin_of(item(ends[i]).thread, txn)));
  }

  void close_bare(std::uint32_t thread, std::optional<std::uint32_t>& open, Sequence& out) {
    Item end = begin_of(thread, *open);
    end.kind = Kind::kEnd;
    end.pc = 0;
    out.push_back(add(end));
    open.reset();
  }

  // Meetings matter only as steps. An access without a stamp has no place in time if the entry
  // before it has been overwritten.
  void drop_useless(Sequence& sequence) {
    bool placed = false;
    std::erase_if(sequence, [&](ItemIndex index) {
      const Item& it = item(index);
      placed |= it.stamp != 0;
      if (it.witness || it.matter == Matter::kBlock) return false;
      return it.matter == Matter::kMeeting || (!placed && it.matter != Matter::kThread);
    });
  }

  // A release without its acquire: the lock was held before the first entry that is left.
  void complete_locks(std::uint32_t thread) {
    Sequence& sequence = out_.threads[thread];
    std::set<std::uint64_t> known;
    Sequence acquires;
    std::erase_if(sequence, [&](ItemIndex index) {
      const Item it = item(index);
      if (it.matter != Matter::kMutex || !known.insert(it.object).second) return false;
      if (!gives_lock_back(it.kind)) return false;
      if (!it.witness) return true;
      acquires.push_back(
          add({Kind::kAcquire, Matter::kMutex, 0, false, thread, it.object, 0, 0, 0}));
      return false;
    });
    sequence.insert(sequence.begin(), acquires.begin(), acquires.end());
  }

  // Begins that have been overwritten: first those of the blocks that are open at the closing event
  // of the violating thread, which have a time, then those of blocks that end in what is left.
  bool complete_blocks(std::uint32_t thread) {
    const bool violating = is_violating(thread);
    bool matched = !violating;
    Sequence open, forgotten;
    for (const ItemIndex index : out_.threads[thread]) {
      if (item(index).kind == Kind::kBegin) open.push_back(index);
      if (item(index).kind == Kind::kEnd) {
        if (!open.empty()) {
          open.pop_back();
        } else if (violating && matched) {
          return false;  // the message lists all open blocks
        } else {
          forgotten.insert(forgotten.begin(), add(begin_of(thread, item(index).object, 0)));
        }
      }
      if (violating && index == out_.closing) {
        if (!match_blocks(open, forgotten)) return false;
        matched = true;
      }
    }
    if (!matched && !match_blocks(open, forgotten)) return false;
    if (!violating) add_outermost(thread, forgotten);
    insert_begins(out_.threads[thread], forgotten);
    return true;
  }

  // What is left of the history may begin in a transaction whose begin has been overwritten, and
  // which does not end in what is left.
  void add_outermost(std::uint32_t thread, Sequence& forgotten) {
    const Sequence& sequence = out_.threads[thread];
    const auto of_block = [&](std::uint8_t bits) {
      return std::ranges::find_if(sequence, [&](ItemIndex it) {
        return item(it).matter == Matter::kBlock && (item(it).size & bits) == bits;
      });
    };
    // The outermost block that is left says what was before it.
    if (of_block(wire::kIsOutermost) != sequence.end()) return;
    std::uint32_t txn = message_.threads[thread].txn;
    for (const ItemIndex index : sequence) {
      if (txn == wire::kUnknownTxn) txn = txn_of(index);
    }
    const bool has_end =
        std::ranges::any_of(sequence, [&](ItemIndex it) { return item(it).witness; });
    const bool nested = of_block(0) != sequence.end();
    if (txn == wire::kNoTxn || (txn == wire::kUnknownTxn && !has_end && !nested)) return;
    forgotten.insert(forgotten.begin(), add(begin_of(thread, txn)));
    item(forgotten.front()).time = 0;
  }

  // Inserts begins, from the outermost inwards: each before what happened at its time or later, or
  // with the one before it if it has no time. Locks that are held from the beginning come first.
  void insert_begins(Sequence& sequence, const Sequence& begins) {
    auto position = std::ranges::find_if(sequence, [&](ItemIndex it) {
      return item(it).pc != 0 || item(it).kind != Kind::kAcquire;
    });
    for (const ItemIndex begin : begins) {
      const std::uint64_t time = item(begin).time;
      position = std::find_if(position, sequence.end(),
                              [&](ItemIndex it) { return time == 0 || item(it).time >= time; });
      position = sequence.insert(position, begin) + 1;
    }
  }

  // Matches the open blocks of the history with the blocks of the message, from the innermost
  // outwards. The begins of the rest have been overwritten. Afterwards all of them are open.
  bool match_blocks(Sequence& open, Sequence& forgotten) {
    const auto& blocks = message_.blocks;
    if (open.size() > blocks.size()) return false;
    const std::size_t missing = blocks.size() - open.size();
    Sequence begins;
    for (std::size_t i = 0; i < missing; ++i) {
      begins.push_back(add(begin_of(blocks[i])));
    }
    forgotten.insert(forgotten.begin(), begins.begin(), begins.end());
    begins.insert(begins.end(), open.begin(), open.end());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (item(begins[i]).object != blocks[i].label) return false;
      if (blocks[i].refuted != 0) out_.refuted = begins[i];
    }
    open = std::move(begins);
    return true;
  }

  Item begin_of(std::uint32_t thread, std::uint32_t txn) const {
    if (txn >= message_.txns.size()) return begin_of(thread, kUnknownLabel, 0);
    const wire::Txn& it = message_.txns[txn];
    return begin_of(thread, it.label, it.begin_pc, it.begin_time);
  }
  Item begin_of(const wire::Block& block) const {
    return begin_of(message_.head.thread, block.label, block.begin_pc, block.begin_time);
  }
  static Item begin_of(std::uint32_t thread, std::uint64_t label, std::uint64_t pc,
                       std::uint64_t time = 0) {
    return {Kind::kBegin, Matter::kBlock, 0, false, thread, label, pc, time, 0};
  }

  const FindingMessage& message_;
  bool witness_only_;
  SharedLocks shared_locks_;
  std::vector<bool> bare_;                   // by thread
  std::map<ItemIndex, std::uint32_t> ends_;  // of steps: the transaction of each
  std::set<ItemIndex> sources_;              // of steps, in bare threads
  Histories out_;
};

}  // namespace

std::optional<Histories> histories_of(const FindingMessage& message, bool witness_only,
                                      SharedLocks shared_locks) {
  return Builder(message, witness_only, shared_locks).build();
}

bool overlap(const Item& a, const Item& b) {
  return a.object < b.object + std::max<std::uint64_t>(b.size, 1) &&
         b.object < a.object + std::max<std::uint64_t>(a.size, 1);
}

}  // namespace omnium::watch
