// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/live_trace.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "watch/history.h"
#include "watch/interleave.h"
#include "watch/step_order.h"

namespace omnium::watch {

namespace {

// The name of a block that may not even exist: nothing is left of what was around the event.
constexpr std::string_view kUnknownBlock = "(unknown block)";

bool is_memory(const Item& item) { return item.matter == Matter::kMemory; }

// Who holds a lock.
struct Holders {
  std::optional<std::uint32_t> owner;
  std::multiset<std::uint32_t> readers;

  // False if that is not possible: something in between is missing.
  bool follow(const Item& item) {
    const bool shared = is_shared_side(item.kind);
    if (takes_lock(item.kind)) {
      if (owner || (!shared && !readers.empty())) return false;
      if (shared) {
        readers.insert(item.thread);
      } else {
        owner = item.thread;
      }
      return true;
    }
    if (!shared) return std::exchange(owner, std::nullopt) == item.thread;
    const auto reader = readers.find(item.thread);
    if (reader == readers.end()) return false;
    readers.erase(reader);
    return true;
  }
};

// Locks that are taken while another thread holds them: a release in between is missing.
std::set<std::uint64_t> torn_locks(const std::vector<const Item*>& items) {
  std::map<std::uint64_t, Holders> holders;
  std::set<std::uint64_t> torn;
  for (const Item* item : items) {
    if (item->matter != Matter::kMutex) continue;
    if (!holders[item->object].follow(*item)) torn.insert(item->object);
  }
  return torn;
}

// The operations by which threads wait for a condition: one call of the program gives a mutex back
// and takes it again, so both come from the same place.
std::set<const Item*> waits_in(const std::vector<const Item*>& items) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, const Item*> last;  // by thread and lock
  std::set<const Item*> waits;
  for (const Item* item : items) {
    if (item->matter != Matter::kMutex) continue;
    const Item*& before = last[{item->thread, item->object}];
    if (before != nullptr && before->kind == Kind::kRelease && item->kind == Kind::kAcquire &&
        before->pc == item->pc && item->pc != 0) {
      waits.insert({before, item});
    }
    before = item;
  }
  return waits;
}

// A memory access, and what is known of the time when it happened.
struct Span {
  const Item* item;
  std::uint64_t from = 0, to = ~std::uint64_t{0};  // stamps of its thread before and after it
  std::map<std::uint64_t, bool> held;              // locks: is it the shared side?
};

// A message that says that a thread holds more locks is not worth the time.
constexpr std::size_t kMostHeld = 16;

// The memory accesses of a thread. What is said of torn locks is not believed.
std::vector<Span> spans_of(const Histories& histories, const std::vector<ItemIndex>& sequence,
                           const std::set<std::uint64_t>& torn) {
  std::vector<Span> spans;
  std::map<std::uint64_t, bool> held;
  std::uint64_t from = 0;
  std::size_t open = 0;  // spans from here on have no stamp after them yet
  for (const ItemIndex index : sequence) {
    const Item& item = histories.items[index];
    const bool is_lock = item.matter == Matter::kMutex;
    if (is_lock && gives_lock_back(item.kind)) held.erase(item.object);
    if (is_lock && takes_lock(item.kind) && held.size() < kMostHeld &&
        !torn.contains(item.object)) {
      held.emplace(item.object, is_shared_side(item.kind));
    }
    if (is_memory(item)) spans.push_back({&item, from, ~std::uint64_t{0}, held});
    if (item.stamp == 0) continue;
    from = item.stamp;
    if (is_memory(item)) spans.back().from = from;
    for (; open < spans.size(); ++open) spans[open].to = from;
  }
  return spans;
}

bool exclude_each_other(const Span& a, const Span& b) {
  return std::ranges::any_of(a.held, [&](const auto& lock) {
    const auto other = b.held.find(lock.first);
    return other != b.held.end() && !(lock.second && other->second);
  });
}

// Conflicting accesses of different threads whose order is not known: they have no stamps, the
// stamps around them do not tell which came first, and no lock keeps them apart. (Critical sections
// are in the order of their acquires.) The ends of steps are always in order, and so is what comes
// before and after them.
std::set<const Item*> unordered_accesses(const Histories& histories,
                                         const std::set<std::uint64_t>& torn) {
  std::vector<Span> spans;
  for (const auto& sequence : histories.threads) {
    std::ranges::move(spans_of(histories, sequence, torn), std::back_inserter(spans));
  }
  std::set<const Item*> out;
  StepOrder steps(histories);
  for (const Span& a : spans) {
    for (const Span& b : spans) {
      const bool conflict = a.item->thread != b.item->thread && overlap(*a.item, *b.item) &&
                            (a.item->kind == Kind::kWrite || b.item->kind == Kind::kWrite);
      if (!conflict || a.item->witness || exclude_each_other(a, b)) continue;
      const bool unknown = a.from < b.to && b.from < a.to;
      if (unknown && !(b.item->witness && steps.tells(*a.item, *b.item))) out.insert(a.item);
    }
  }
  return out;
}

// Memory is cut wherever an access starts or ends. So an access touches a piece as a whole or not
// at all, and accesses that do not overlap never conflict.
class Pieces {
 public:
  explicit Pieces(const std::vector<const Item*>& items) {
    for (const Item* item : items) {
      if (is_memory(*item)) cuts_.insert({item->object, end_of(*item)});
    }
    for (const Item* item : items) {
      visit(*item, [&](std::uint64_t piece) {
        Use& use = uses_.try_emplace(piece, Use{item->thread}).first->second;
        use.shared |= use.thread != item->thread;
        use.written |= item->kind == Kind::kWrite;
      });
    }
  }

  // Calls visit(address) for the pieces of the access that can matter: those that another thread
  // touches and that some thread writes. An end of a step has at least one piece.
  template <class Visit>
  void visit_shared(const Item& item, Visit&& call) const {
    bool called = false;
    visit(item, [&](std::uint64_t piece) {
      const Use& use = uses_.at(piece);
      if (!use.shared || !use.written) return;
      called = true;
      call(piece);
    });
    if (!called && item.witness) call(item.object);
  }

 private:
  struct Use {
    std::uint32_t thread;
    bool shared = false, written = false;
  };

  static std::uint64_t end_of(const Item& item) {
    return item.object + std::max<std::uint64_t>(item.size, 1);
  }
  template <class Visit>
  void visit(const Item& item, Visit&& call) const {
    if (!is_memory(item)) return;
    const auto last = cuts_.lower_bound(end_of(item));
    for (auto at = cuts_.lower_bound(item.object); at != last; ++at) call(*at);
  }

  std::set<std::uint64_t> cuts_;
  std::map<std::uint64_t, Use> uses_;
};

// A read or write as the program made it.
Kind kind_of(const Item& item) {
  if (item.matter != Matter::kMemory || item.atomicity == wire::Atomicity::kPlain) {
    return item.kind;
  }
  if (item.kind == Kind::kRead) return Kind::kAtomicRead;
  return item.atomicity == wire::Atomicity::kUpdate ? Kind::kUpdate : Kind::kAtomicWrite;
}

class Writer {
 public:
  Writer(const FindingMessage& message, Namer& namer, bool repeats, std::set<const Item*> waits)
      : message_(message), namer_(namer), repeats_(repeats), waits_(std::move(waits)) {
    std::set<std::string> used;
    for (std::uint32_t i = 0; i < message.threads.size(); ++i) {
      std::string name = namer.thread(i);
      if (!used.insert(name).second) name += fmt::format("-{}", message.threads[i].number);
      out_.names.threads.append(name);
    }
    // Objects of the steps come first, so that their numbers do not depend on the rest.
    for (const wire::Step& step : message.steps) {
      if (step.kind != wire::StepKind::kFork && step.kind != wire::StepKind::kJoin) {
        namer.object(step.object, step.from_pc);
      }
    }
    out_.thread = {message.head.thread};
  }

  void write(const Item& item, const Pieces& pieces, bool is_refuted, bool is_closing) {
    if (is_refuted) out_.refuted = out_.events.size();
    write(item, pieces);
    if (is_closing && !out_.events.empty()) out_.closing = out_.events.size() - 1;
  }

  LiveTrace take() { return std::move(out_); }

 private:
  void write(const Item& item, const Pieces& pieces) {
    switch (item.matter) {
      case Matter::kBlock: return add(item, out_.names.labels.intern(label(item)));
      case Matter::kMemory: return write_access(item, pieces);
      case Matter::kMutex: return write_lock(item);
      case Matter::kSharedLock:
        return add(item, variable(item.matter, item.object, [&] {
                     return "reader-writer lock " + namer_.object(item.object, item.pc);
                   }));
      case Matter::kMeeting: return add(item, signal(item));
      case Matter::kThread: {
        const auto at = std::ranges::find(message_.threads, item.object, &wire::Thread::number);
        if (at == message_.threads.end()) return;
        return add(item, static_cast<std::uint32_t>(at - message_.threads.begin()));
      }
    }
  }

  std::string label(const Item& item) {
    if (item.object == kUnknownLabel) return std::string(kUnknownBlock);
    return namer_.label(static_cast<std::uint32_t>(item.object));
  }

  void write_access(const Item& item, const Pieces& pieces) {
    std::vector<std::uint32_t> variables;
    pieces.visit_shared(item, [&](std::uint64_t piece) {
      variables.push_back(
          variable(item.matter, piece, [&] { return namer_.object(piece, item.pc); }));
    });
    for (const std::uint32_t variable : variables) add(item, variable);
    if (!repeats_) return;
    for (std::size_t i = 0; i + 1 < variables.size(); ++i) add(item, variables[i]);
  }

  void write_lock(const Item& item) {
    const std::uint32_t object = lock(item);
    add(item, object);
    if (!waits_.contains(&item)) return;
    out_.events.back().kind = item.kind == Kind::kRelease ? Kind::kWait : Kind::kResume;
  }

  void add(const Item& item, std::uint32_t object) {
    Event event{kind_of(item), static_cast<std::uint16_t>(item.thread), object};
    const std::string place = namer_.place_and_function(item.pc);
    if (!place.empty()) event.loc_id = out_.names.locations.intern(place);
    out_.events.push_back(event);
  }

  // Names are appended, not interned: different objects may have the same name.
  template <class Name>
  std::uint32_t variable(Matter matter, std::uint64_t key, Name&& name) {
    const auto [at, added] = variables_.try_emplace({matter, key}, 0);
    if (added) at->second = out_.names.variables.append(name());
    return at->second;
  }
  std::uint32_t lock(const Item& item) {
    const auto [at, added] = locks_.try_emplace(item.object, 0);
    if (added) at->second = out_.names.locks.append(namer_.object(item.object, item.pc));
    return at->second;
  }

  std::uint32_t signal(const Item& item) {
    const auto [at, added] = signals_.try_emplace(item.object, 0);
    if (added) {
      at->second =
          out_.names.signals.append(namer_.object(message_.steps[item.object].object, item.pc));
    }
    return at->second;
  }

  const FindingMessage& message_;
  Namer& namer_;
  bool repeats_;
  std::set<const Item*> waits_;
  LiveTrace out_;
  std::map<std::pair<Matter, std::uint64_t>, std::uint32_t> variables_;
  std::map<std::uint64_t, std::uint32_t> locks_;
  std::map<std::uint64_t, std::uint32_t> signals_;  // by step
};

}  // namespace

std::optional<LiveTrace> make_trace(const FindingMessage& message, Detail detail,
                                    Conflicts conflicts, Namer& namer) {
  // Locks are no conflicts: then the shared ones, too, are only there to be shown.
  const bool locks = conflicts == Conflicts::kData && detail == Detail::kMemoryAndMutexes;
  const auto histories = histories_of(message, detail == Detail::kWitness,
                                      locks ? SharedLocks::kLocks : SharedLocks::kVariables);
  if (!histories) return std::nullopt;
  const auto order = interleave(*histories, message.threads);
  if (!order) return std::nullopt;
  std::vector<const Item*> items;
  const bool shared_locks = detail != Detail::kMemoryAndMutexes && conflicts == Conflicts::kAll;
  for (const ItemIndex index : *order) {
    const Item& item = histories->items[index];
    if (!shared_locks && item.matter == Matter::kSharedLock) continue;
    items.push_back(&item);
  }
  const auto torn = torn_locks(items);
  const auto unordered = unordered_accesses(*histories, torn);
  std::erase_if(items, [&](const Item* item) {
    return unordered.contains(item) ||
           (item->matter == Matter::kMutex && torn.contains(item->object));
  });
  const Pieces pieces(items);
  Writer writer(message, namer, detail >= Detail::kOneEvent, waits_in(items));
  for (const Item* item : items) {
    writer.write(*item, pieces,
                 histories->refuted && item == &histories->items[*histories->refuted],
                 histories->closing && item == &histories->items[*histories->closing]);
  }
  return writer.take();
}

}  // namespace omnium::watch
