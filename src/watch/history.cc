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
    case EntryKind::kAtomicWrite: return {Kind::kWrite, Matter::kMemory};
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
  Builder(const FindingMessage& message, bool witness_only)
      : message_(message), witness_only_(witness_only) {
    out_.threads.resize(message.threads.size());
  }

  std::optional<Histories> build() {
    for (const wire::Entry& entry : message_.entries) {
      const auto [kind, matter] = meaning_of(entry.kind);
      append({kind, matter, entry.size, false, entry.thread, entry.object, entry.pc, entry.time,
              entry.stamp});
    }
    for (std::uint32_t i = 0; i < message_.steps.size(); ++i) {
      const auto source = place_end(i, true);
      const auto sink = place_end(i, false);
      if (source && sink) out_.order.emplace_back(*source, *sink);
      if (source && sink) share_matter(item(*source), item(*sink));
    }
    for (std::uint32_t thread = 0; thread < out_.threads.size(); ++thread) {
      drop_useless(out_.threads[thread]);
      complete_locks(thread);
      if (!complete_blocks(thread)) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  using Sequence = std::vector<ItemIndex>;

  Item& item(ItemIndex index) { return out_.items[index]; }

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
      return append({Kind::kRead, Matter::kMemory, 1, true, thread, 0, 0, 0, 0});
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
    Sequence& sequence = out_.threads[end.thread];
    const bool closing = !source && number + 1 == message_.steps.size();
    const auto found = find(sequence, end, source, closing ? message_.head.closing_entry : 0);
    const bool meets = end.matter == Matter::kMeeting;
    if (!meets && found) {
      if (closing) closing_ = sequence[*found];
      item(sequence[*found]).witness = true;
      return sequence[*found];
    }
    const auto later = [&](ItemIndex it) { return !closing && item(it).time > end.time; };
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
    if (closing) closing_ = index;
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

  // Meetings matter only as steps. An access without a stamp has no place in time if the entry
  // before it has been overwritten.
  void drop_useless(Sequence& sequence) {
    bool placed = false;
    std::erase_if(sequence, [&](ItemIndex index) {
      Item& it = item(index);
      if (witness_only_) it.stamp = 0;
      placed |= it.stamp != 0;
      if (it.witness || it.matter == Matter::kBlock) return false;
      return witness_only_ || it.matter == Matter::kMeeting ||
             (!placed && it.matter != Matter::kThread);
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
      if (it.kind != Kind::kRelease) return false;
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
    const bool violating = thread == message_.head.thread;
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
      if (violating && index == closing_) {
        if (!match_blocks(open, forgotten)) return false;
        matched = true;
      }
    }
    if (!matched && !match_blocks(open, forgotten)) return false;
    insert_begins(out_.threads[thread], forgotten);
    return true;
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
      begins.push_back(add(begin_of(message_.head.thread, blocks[i].label, blocks[i].begin_pc,
                                    blocks[i].begin_time)));
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

  static Item begin_of(std::uint32_t thread, std::uint64_t label, std::uint64_t pc,
                       std::uint64_t time = 0) {
    return {Kind::kBegin, Matter::kBlock, 0, false, thread, label, pc, time, 0};
  }

  const FindingMessage& message_;
  bool witness_only_;
  std::optional<ItemIndex> closing_;  // the sink of the last step
  Histories out_;
};

}  // namespace

std::optional<Histories> histories_of(const FindingMessage& message, bool witness_only) {
  return Builder(message, witness_only).build();
}

bool overlap(const Item& a, const Item& b) {
  return a.object < b.object + std::max<std::uint64_t>(b.size, 1) &&
         b.object < a.object + std::max<std::uint64_t>(a.size, 1);
}

}  // namespace omnium::watch
