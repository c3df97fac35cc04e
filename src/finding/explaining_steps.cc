// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/explaining_steps.h"

#include <algorithm>
#include <optional>

#include "finding/pattern.h"

namespace omnium {

namespace {

constexpr std::size_t kMostAccesses = 32;  // on each of the three sides

struct Seen {
  EventIndex index;
  ThreadId thread;
  std::uint32_t variable;
  bool writes;
  BlockRef transaction;
  LocId location;
};

bool conflict(const Seen& a, const Seen& b) {
  return a.variable == b.variable && (a.writes || b.writes);
}

bool is_access(const Event& event) { return omnium::is_access(event.kind); }

// The blamed block is the transaction, or the block that the transaction is a part of.
bool blames_transaction(const Violation& violation) { return violation.refuted.size() <= 1; }

Seen seen(EventIndex index, const Event& event, const BlockRef& transaction) {
  return {index, event.thread(), event.object, is_write(event.kind), transaction, event.loc()};
}

WitnessStep step(const Seen& from, const Seen& to) {
  const DependencyKind kind = !from.writes ? DependencyKind::kReadWrite
                              : !to.writes ? DependencyKind::kWriteRead
                                           : DependencyKind::kWriteWrite;
  return {from.transaction,
          to.transaction,
          {from.thread, from.index, to.thread, to.index, kind, from.variable}};
}

EventRange around(EventIndex index) {
  return {index - std::min(index, kNeighbourhood), index + kNeighbourhood};
}

// The block's accesses up to its first step, the latest first.
std::vector<Seen> accesses_before(const Violation& violation, const Excerpt& excerpt) {
  const Dependency& out = violation.witness.front().dependency;
  const EventIndex first = std::max(
      {blamed_block(violation).begin, violation.transaction.begin, around(out.source).first});
  std::vector<Seen> found;
  excerpt.visit_thread(out.source_thread, {first, out.source + 1},
                       [&](EventIndex index, const Event& event) {
                         if (!is_access(event)) return;
                         found.push_back(seen(index, event, violation.transaction));
                       });
  std::ranges::reverse(found);
  if (found.size() > kMostAccesses) found.resize(kMostAccesses);
  return found;
}

// Blocks that are open inside the blamed one just before the closing event; 0 where not known.
std::size_t inner_depth(const Violation& violation, const Excerpt& excerpt) {
  const EventRange range{blamed_block(violation).begin + 1, violation.closing.sink};
  if (!excerpt.covers(range)) return 0;
  std::size_t depth = 0;
  excerpt.visit_thread(violation.closing.sink_thread, range, [&](EventIndex, const Event& event) {
    if (event.kind == Kind::kBegin) ++depth;
    if (event.kind == Kind::kEnd && depth > 0) --depth;
  });
  return depth;
}

// The block's accesses from the closing event on, in order, surely before the block ends.
std::vector<Seen> accesses_after(const Violation& violation, const Excerpt& excerpt) {
  const Dependency& closing = violation.closing;
  const EventIndex last = std::min(around(closing.sink).last, violation.end);
  const bool outermost = blames_transaction(violation);
  std::size_t depth = outermost ? 0 : inner_depth(violation, excerpt);
  bool over = false;
  std::vector<Seen> found;
  excerpt.visit_thread(closing.sink_thread, {closing.sink, last},
                       [&](EventIndex index, const Event& event) {
                         if (over || found.size() == kMostAccesses) return;
                         if (event.kind == Kind::kBegin) ++depth;
                         if (event.kind == Kind::kEnd && !outermost) over = depth-- == 0;
                         if (!is_access(event)) return;
                         found.push_back(seen(index, event, violation.transaction));
                       });
  return found;
}

// Accesses of one thread between where a step of the witness arrives and where the next one leaves,
// as far as their transaction is certain: that of the arrival until a block begins or ends, or that
// of the leaving.
void accesses_between(const WitnessStep& in, const WitnessStep& out, const Excerpt& excerpt,
                      std::vector<Seen>& found) {
  const ThreadId thread = in.dependency.sink_thread;
  const EventIndex arrival = in.dependency.sink;
  const bool one = in.to == out.from;
  bool crossed = false;  // a block began or ended since the arrival
  std::vector<Seen> arriving, leaving;
  const auto transaction_of = [&](EventIndex index) -> std::optional<BlockRef> {
    if (one) return in.to;
    if (!out.from.label.is_none() && index >= out.from.begin) return out.from;
    if (crossed || index >= around(arrival).last) return std::nullopt;
    if (in.to.label.is_none()) return BlockRef{thread, LabelId::none(), index};
    return in.to;
  };
  excerpt.visit_thread(
      thread, {arrival, out.dependency.source + 1}, [&](EventIndex index, const Event& event) {
        crossed |= event.kind == Kind::kBegin || event.kind == Kind::kEnd;
        if (!is_access(event)) return;
        const auto transaction = transaction_of(index);
        if (!transaction) return;
        (*transaction == out.from ? leaving : arriving).push_back(seen(index, event, *transaction));
      });
  // The first ones after the arrival, and the last ones before the leaving.
  if (arriving.size() > kMostAccesses) arriving.resize(kMostAccesses);
  if (leaving.size() > kMostAccesses) {
    leaving.erase(leaving.begin(), leaving.end() - static_cast<std::ptrdiff_t>(kMostAccesses));
  }
  found.insert(found.end(), arriving.begin(), arriving.end());
  found.insert(found.end(), leaving.begin(), leaving.end());
}

struct Sides {
  std::vector<Seen> before;   // in the block, the latest first
  std::vector<Seen> between;  // in other transactions, the latest first
  std::vector<Seen> after;    // in the block, the earliest first
};

const Seen* first_in_conflict(const std::vector<Seen>& list, const Seen& with) {
  const auto at = std::ranges::find_if(list, [&](const Seen& it) { return conflict(it, with); });
  return at == list.end() ? nullptr : &*at;
}

// The earliest return to a variable that another transaction touched since.
std::optional<std::vector<WitnessStep>> on_one_variable(const Sides& sides) {
  for (const Seen& last : sides.after) {
    for (const Seen& middle : sides.between) {
      if (!conflict(middle, last) || middle.index > last.index) continue;
      const Seen* first = first_in_conflict(sides.before, middle);
      if (first == nullptr || first->variable != last.variable) continue;
      return std::vector{step(*first, middle), step(middle, last)};
    }
  }
  return std::nullopt;
}

std::optional<std::vector<WitnessStep>> on_two_variables(const Sides& sides) {
  for (const Seen& last : sides.after) {
    for (const Seen& leaves : sides.between) {
      if (!conflict(leaves, last) || leaves.index > last.index) continue;
      for (const Seen& enters : sides.between) {
        if (enters.transaction != leaves.transaction || enters.index > leaves.index) continue;
        const Seen* first = first_in_conflict(sides.before, enters);
        if (first != nullptr) return std::vector{step(*first, enters), step(leaves, last)};
      }
    }
  }
  return std::nullopt;
}

// Accesses of the transaction that `it` leaves, from `first` on, the latest first.
std::vector<Seen> accesses_leaving(const WitnessStep& it, EventIndex first,
                                   const Excerpt& excerpt) {
  std::vector<Seen> found;
  if (it.from.label.is_none()) return found;
  const EventRange range{std::max({first, it.from.begin, around(it.dependency.source).first}),
                         it.dependency.source + 1};
  excerpt.visit_thread(it.dependency.source_thread, range,
                       [&](EventIndex index, const Event& event) {
                         if (is_access(event)) found.push_back(seen(index, event, it.from));
                       });
  std::ranges::reverse(found);
  return found;
}

// Accesses of the transaction where `it` arrives, before it leaves by `next`.
std::vector<Seen> accesses_arriving(const WitnessStep& it, const WitnessStep& next,
                                    const Excerpt& excerpt) {
  std::vector<Seen> found;
  if (it.to.label.is_none() || it.to != next.from) return found;
  const EventRange range{it.dependency.sink, next.dependency.source + 1};
  excerpt.visit_thread(it.dependency.sink_thread, range, [&](EventIndex index, const Event& event) {
    if (is_access(event) && found.size() < kMostAccesses) {
      found.push_back(seen(index, event, it.to));
    }
  });
  return found;
}

std::optional<WitnessStep> first_conflict(const std::vector<Seen>& from,
                                          const std::vector<Seen>& to) {
  for (const Seen& first : from) {
    if (const Seen* second = first_in_conflict(to, first)) return step(first, *second);
  }
  return std::nullopt;
}

// The witness with the data that locks protect in the place of the locks, if every step has such
// accesses. Each step still starts no earlier than the one before ended.
std::vector<WitnessStep> about_data(const Violation& violation, const Excerpt& excerpt) {
  std::vector<WitnessStep> steps = violation.witness;
  EventIndex done = blamed_block(violation).begin;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].dependency.kind == DependencyKind::kReleaseAcquire) {
      const auto to = i + 1 < steps.size() ? accesses_arriving(steps[i], steps[i + 1], excerpt)
                                           : accesses_after(violation, excerpt);
      const auto found = first_conflict(accesses_leaving(steps[i], done, excerpt), to);
      if (!found) return violation.witness;
      steps[i] = *found;
    }
    done = steps[i].dependency.sink;
  }
  return steps;
}

bool is_plain(const std::vector<WitnessStep>& steps) {
  return steps.size() == 2 && steps[0].to == steps[1].from && is_data(steps[0].dependency.kind) &&
         is_data(steps[1].dependency.kind);
}

}  // namespace

const BlockRef& blamed_block(const Violation& violation) {
  return violation.refuted.empty() ? violation.transaction : violation.refuted.front();
}

void add_neighbourhoods(const Violation& violation, std::vector<EventRange>& ranges) {
  ranges.push_back({violation.transaction.begin, violation.transaction.begin + 1});
  const EventIndex begin = blamed_block(violation).begin;
  ranges.push_back({begin, begin + 1});
  if (violation.closing.sink == kNoEvent) return;
  ranges.push_back({violation.closing.source, violation.closing.source + 1});
  ranges.push_back({violation.closing.sink, violation.closing.sink + 1});
  for (const WitnessStep& it : violation.witness) {
    ranges.push_back(around(it.dependency.source));
    ranges.push_back(around(it.dependency.sink));
  }
}

namespace {

// `x += 1` reads and writes in one place of the source: the write says more.
void close_by_write(std::vector<WitnessStep>& steps, const std::vector<Seen>& after) {
  Dependency& back = steps.back().dependency;
  if (back.kind != DependencyKind::kWriteRead) return;
  const auto read = std::ranges::find(after, back.sink, &Seen::index);
  if (read == after.end() || read->location.is_none()) return;
  const auto write = std::find_if(read, after.end(), [&](const Seen& it) {
    return it.writes && it.variable == read->variable && it.location == read->location;
  });
  if (write == after.end()) return;
  back.sink = write->index;
  back.kind = DependencyKind::kWriteWrite;
}

std::vector<WitnessStep> shortest_steps(const Violation& violation, const Sides& sides,
                                        const Excerpt& excerpt) {
  if (is_plain(violation.witness)) return violation.witness;
  if (auto steps = on_one_variable(sides)) return *steps;
  if (auto steps = on_two_variables(sides)) return *steps;
  return about_data(violation, excerpt);
}

}  // namespace

std::vector<WitnessStep> explaining_steps(const Violation& violation, const Excerpt& excerpt) {
  const std::vector<WitnessStep>& witness = violation.witness;
  if (witness.size() < 2) return witness;
  Sides sides;
  sides.before = accesses_before(violation, excerpt);
  sides.after = accesses_after(violation, excerpt);
  for (std::size_t i = 0; i + 1 < witness.size(); ++i) {
    accesses_between(witness[i], witness[i + 1], excerpt, sides.between);
  }
  std::ranges::sort(sides.between, std::greater<>{}, &Seen::index);
  auto steps = shortest_steps(violation, sides, excerpt);
  close_by_write(steps, sides.after);
  return steps;
}

}  // namespace omnium
