// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/noise.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "finding/explaining_steps.h"
#include "finding/held_locks.h"
#include "finding/name_words.h"
#include "finding/object_class.h"
#include "finding/pattern.h"
#include "support/check.h"
#include "support/place.h"

namespace omnium {

namespace {

struct Access {
  EventIndex index;
  Event event;
  std::uint32_t section;  // critical section that it is surely in; 0: none
};
using Accesses = std::vector<Access>;

// How far from the ends of steps to look for accesses: the locks that are held there were taken in
// what was read before, mostly.
constexpr EventIndex kNear = kNeighbourhood / 2;

// What may be only counted. Of statistics somebody may look at the new value as well.
enum class Counted : std::uint8_t { kReferences, kStatistics };

// The accesses of a thread to a variable near its ends of steps, in order, each once.
class AccessesNear {
 public:
  AccessesNear(ThreadId thread, std::uint32_t variable, EventRange within, const Excerpt& excerpt)
      : thread_(thread), variable_(variable), within_(within), excerpt_(excerpt) {}

  Accesses of(std::span<const WitnessStep> steps) {
    done_ = within_.first;
    for (const WitnessStep& step : steps) {
      const Dependency& it = step.dependency;
      if (it.source_thread == thread_) look_around(it.source);
      if (it.sink_thread == thread_) look_around(it.sink);
    }
    return std::move(found_);
  }

 private:
  void look_around(EventIndex index) {
    const EventIndex first = std::max(done_, index - std::min(index, kNear));
    const EventIndex last = std::min(within_.last, index + kNear);
    const bool cut = first > done_;  // something before it is not looked at
    const std::size_t had = found_.size();
    int depth = 0;
    const Event* end = excerpt_.find(index);
    const bool plain = end != nullptr && (end->kind == Kind::kRead || end->kind == Kind::kWrite);
    // Locks matter to plain accesses only. A release could hide in a gap.
    const EventIndex from =
        plain ? std::max(excerpt_.known_since(index), index - std::min(index, kNeighbourhood))
              : first;
    excerpt_.visit_thread(thread_, {std::min(from, first), last},
                          [&](EventIndex at, const Event& event) {
                            if (takes_lock(event.kind) && depth++ == 0) ++section_;
                            if (gives_lock_back(event.kind)) depth = std::max(0, depth - 1);
                            if (at < first || !is_access(event.kind)) return;
                            if (event.object != variable_) return;
                            // The read of an update may lie just before what is looked at.
                            const bool lone = cut && found_.size() == had;
                            if (lone && event.kind == Kind::kWrite) return;
                            found_.push_back({at, event, depth > 0 ? section_ : 0});
                          });
    done_ = std::max(done_, last);
  }

  ThreadId thread_;
  std::uint32_t variable_;
  EventRange within_;
  const Excerpt& excerpt_;
  EventIndex done_ = 0;  // everything before has been looked at
  std::uint32_t section_ = 0;
  Accesses found_;
};

Accesses accesses_near(std::span<const WitnessStep> steps, ThreadId thread, std::uint32_t variable,
                       EventRange within, const Excerpt& excerpt) {
  return AccessesNear(thread, variable, within, excerpt).of(steps);
}

constexpr EventRange kAnywhere{0, kNoEvent};

std::set<ThreadId> threads_of(std::span<const WitnessStep> steps) {
  std::set<ThreadId> threads;
  for (const WitnessStep& step : steps) {
    threads.insert({step.dependency.source_thread, step.dependency.sink_thread});
  }
  return threads;
}

bool about_one_variable(std::span<const WitnessStep> steps) {
  return !steps.empty() && std::ranges::all_of(steps, [&](const WitnessStep& it) {
    return is_data(it.dependency.kind) && it.dependency.object == steps[0].dependency.object;
  });
}

// Does nobody else write the variable between the two accesses, as far as everything is known?
bool undisturbed(const Access& first, const Access& second, const Excerpt& excerpt) {
  if (second.index - first.index > kNeighbourhood) return false;
  for (EventIndex at = first.index + 1; at < second.index; ++at) {
    const Event* event = excerpt.find(at);
    if (event == nullptr) return false;
    if (is_write(event->kind) && event->object == first.event.object) return false;
  }
  return true;
}

// `++x`: a read and a write in one place of the source.
bool is_step(const Access& read, const Access& write, const Excerpt& excerpt) {
  return read.event.kind == Kind::kRead && write.event.kind == Kind::kWrite &&
         !read.event.loc().is_none() && read.event.loc() == write.event.loc() &&
         undisturbed(read, write, excerpt);
}

// Marks the accesses that are parts of updates.
std::vector<bool> updates_in(const Accesses& accesses, const Excerpt& excerpt) {
  std::vector<bool> out(accesses.size());
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (accesses[i].event.kind == Kind::kUpdate) out[i] = true;
    if (i == 0 || out[i - 1] || accesses[i].section == 0) continue;
    if (is_step(accesses[i - 1], accesses[i], excerpt)) out[i - 1] = out[i] = true;
  }
  return out;
}

using Places = std::set<LocId>;

// Where one of the threads updates. Of what a running program did locks may be missing, but not
// where another thread holds one in the same place.
Places places_of_updates(std::span<const Accesses> threads, const Excerpt& excerpt) {
  Places steps, locked;
  for (const Accesses& accesses : threads) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const LocId place = accesses[i].event.loc();
      if (place.is_none()) continue;
      if (accesses[i].section != 0 || accesses[i].event.kind == Kind::kUpdate) locked.insert(place);
      const bool step = i > 0 && is_step(accesses[i - 1], accesses[i], excerpt);
      if (step || accesses[i].event.kind == Kind::kUpdate) steps.insert(place);
    }
  }
  std::erase_if(steps, [&](LocId place) { return !locked.contains(place); });
  return steps;
}

// As above, where only a part of an update is left of what a running program did: a write where one
// of the threads updates, or whose place is not known; a read there before a write, or as the last
// event. So may any other write be of which neither lock nor read is left, if somebody updates.
void add_remains(const Accesses& accesses, const Places& places, std::vector<bool>& updates) {
  if (places.empty()) return;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const LocId place = accesses[i].event.loc();
    const Kind kind = accesses[i].event.kind;
    const bool read_before = i > 0 && accesses[i - 1].event.kind == Kind::kRead &&
                             accesses[i - 1].event.loc() == place;
    const bool lone = accesses[i].section == 0 && !read_before;
    const bool remains = lone || place.is_none() || places.contains(place);
    if (kind == Kind::kWrite && remains) updates[i] = true;
    const bool ends = i + 1 == accesses.size() || accesses[i + 1].event.kind == Kind::kWrite;
    if (kind == Kind::kRead && places.contains(place) && ends) updates[i] = true;
  }
}

struct Use {
  bool updates = false;  // in one step
  bool reads = false;    // besides
  bool writes = false;   // in any other way
};

// Of statistics a plain write alone is a change, too. And a running program may be at the read of a
// change: in a section, where others of the same places changed the variable.
void add_statistics(std::span<const Accesses> threads, const Accesses& accesses,
                    std::vector<bool>& updates) {
  Places writes, looks;  // of sections that write
  for (const Accesses& all : threads) {
    std::set<std::uint32_t> sections;
    for (const Access& it : all) {
      if (it.event.kind != Kind::kWrite) continue;
      sections.insert(it.section);
      writes.insert(it.event.loc());
    }
    for (const Access& it : all) {
      if (it.section != 0 && sections.contains(it.section)) looks.insert(it.event.loc());
    }
  }
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const Event& event = accesses[i].event;
    if (event.kind == Kind::kWrite) updates[i] = true;
    const bool is_last = i + 1 == accesses.size() && accesses[i].section != 0;
    if (event.kind != Kind::kRead || !is_last || event.loc().is_none()) continue;
    if (writes.contains(event.loc()) || looks.contains(event.loc())) updates[i] = true;
  }
}

Use use_of(const Accesses& accesses, const std::vector<bool>& updates, Counted what) {
  std::set<std::uint32_t> sections;  // that update
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (updates[i] && accesses[i].section != 0) sections.insert(accesses[i].section);
  }
  Use use;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const bool write = is_write(accesses[i].event.kind);
    // `total += n; if (total > most) …`: the read belongs to the update.
    const bool belongs = what == Counted::kStatistics && sections.contains(accesses[i].section);
    use.updates |= updates[i];
    use.writes |= write && !updates[i];
    use.reads |= !write && !updates[i] && !belongs;
  }
  return use;
}

EventRange range_of(const Violation& violation) {
  const EventIndex end = violation.refuted.size() <= 1 ? violation.end : kNoEvent;
  return {blamed_block(violation).begin, end};
}

// The block changes the variable in single steps and never looks at it otherwise; others do the
// same, or look at it.
bool only_counts(const Violation& violation, std::span<const WitnessStep> steps,
                 std::uint32_t variable, const Excerpt& excerpt, Counted what) {
  std::vector<ThreadId> threads;
  std::vector<Accesses> all;
  for (const ThreadId thread : threads_of(steps)) {
    const bool mine = thread == violation.transaction.thread;
    const EventRange within = mine ? range_of(violation) : kAnywhere;
    threads.push_back(thread);
    all.push_back(accesses_near(steps, thread, variable, within, excerpt));
  }
  const Places places = places_of_updates(all, excerpt);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    std::vector<bool> updates = updates_in(all[i], excerpt);
    add_remains(all[i], places, updates);
    if (what == Counted::kStatistics) add_statistics(all, all[i], updates);
    const Use use = use_of(all[i], updates, what);
    const bool mine = threads[i] == violation.transaction.thread;
    if (use.writes || (mine && (use.reads || !use.updates))) return false;
  }
  return true;
}

bool counted_by_statistics(std::span<const WitnessStep> steps, const Excerpt& excerpt,
                           const Names& names) {
  if (names_statistics(names.variables.name(steps[0].dependency.object))) return true;
  const Event* closing = excerpt.find(steps.back().dependency.sink);
  if (closing == nullptr || closing->loc().is_none()) return false;
  return names_statistics(support::place_of(names.locations.name(closing->loc_id)).function);
}

// "server" of "server.stats.bytes", "shop::Statistics" of "shop::Statistics::sales_".
std::string_view structure_of(std::string_view object) {
  const std::size_t member = object.find('.');
  return object.substr(0, member != std::string_view::npos ? member : object.rfind("::"));
}

// Do both belong to one structure, or neither to any? A sum and a count may belong together.
bool may_belong_together(std::string_view first, std::string_view second) {
  if (first == second) return false;
  const std::string_view one = structure_of(first), other = structure_of(second);
  return one == other || (one == first && other == second);
}

// Several variables: where the block is left, and where it is entered again, it only counts, and
// the two counters have nothing to do with each other. The structure that the first is in, by name;
// empty if it is nothing of the kind.
std::string counter_at_both_ends(const Violation& violation, std::span<const WitnessStep> steps,
                                 const Excerpt& excerpt, const Names& names) {
  std::string classes[2];
  for (const bool closes : {false, true}) {
    const Dependency& it = (closes ? steps.back() : steps.front()).dependency;
    if (!is_data(it.kind)) return "";
    const std::string_view name = names.variables.name(it.object);
    if (!names_statistics(name)) return "";
    if (!only_counts(violation, steps, it.object, excerpt, Counted::kStatistics)) return "";
    classes[closes] = object_class(name);
  }
  if (may_belong_together(classes[0], classes[1])) return "";
  return std::string(structure_of(std::min(classes[0], classes[1])));
}

// A function that is called after statistics reads what others change meanwhile.
bool reads_statistics(const Violation& violation, std::span<const WitnessStep> steps,
                      const Names& names) {
  const LabelId label = blamed_block(violation).label;
  if (label.is_none() || !names_statistics(names.labels.name(label.v))) return false;
  return steps.front().dependency.kind == DependencyKind::kReadWrite &&
         steps.back().dependency.kind == DependencyKind::kWriteRead;
}

// The block reads the variable without a lock, another thread sets it under the lock, and the block
// reads it again under the same lock. Nothing else writes it.
bool is_checked_twice(const Violation& violation, std::span<const WitnessStep> steps,
                      const Excerpt& excerpt) {
  if (steps.size() != 2 || steps[0].to != steps[1].from) return false;
  const Dependency& out = steps[0].dependency;
  const Dependency& back = steps[1].dependency;
  if (out.kind != DependencyKind::kReadWrite || back.kind != DependencyKind::kWriteRead) {
    return false;
  }
  std::size_t writes = 0;
  for (const ThreadId thread : threads_of(steps)) {
    const Accesses accesses = accesses_near(steps, thread, out.object, kAnywhere, excerpt);
    writes += static_cast<std::size_t>(
        std::ranges::count_if(accesses, [](const Access& it) { return is_write(it.event.kind); }));
  }
  if (writes != 1 || out.source_thread != violation.transaction.thread) return false;
  const auto first = held_at(out.source_thread, out.source, excerpt);
  const auto other = held_at(out.sink_thread, out.sink, excerpt);
  const auto second = held_at(back.sink_thread, back.sink, excerpt);
  return std::ranges::any_of(second, [&](const HeldLock& it) {
    return contains(other, it.lock) && !contains(first, it.lock);
  });
}

// A store gives back what an update took before, and there is nothing else. How often that happens,
// or none. A thread may try in vain.
std::optional<std::size_t> critical_sections(const Accesses& accesses) {
  std::size_t sections = 0;
  bool taken = false, first = true;
  for (const Access& it : accesses) {
    const Kind kind = it.event.kind;
    if (!is_write(kind)) continue;
    const bool stores = kind == Kind::kAtomicWrite;
    if (kind == Kind::kWrite) return std::nullopt;
    // The first store that is known may give back what was taken before.
    if (stores && !taken && !first) return std::nullopt;
    sections += stores && taken;
    taken = !stores;
    first = false;
  }
  return sections;
}

// Is an end of a step about this variable an event of this kind?
bool has_end(std::span<const WitnessStep> steps, std::uint32_t variable, Kind kind,
             const Excerpt& excerpt) {
  const auto is_it = [&](EventIndex index) {
    const Event* event = excerpt.find(index);
    return event != nullptr && event->kind == kind;
  };
  return std::ranges::any_of(steps, [&](const WitnessStep& it) {
    return it.dependency.object == variable &&
           (is_it(it.dependency.source) || is_it(it.dependency.sink));
  });
}

}  // namespace

std::string_view to_string(Noise noise) {
  switch (noise) {
    case Noise::kNone: return "";
    case Noise::kReferenceCount: return "reference count";
    case Noise::kStatisticsCounter: return "statistics counter";
    case Noise::kLazyInitialization: return "lazy initialization";
  }
  CHECK(false);
}

LooksLike noise_of(const Violation& violation, std::span<const WitnessStep> steps,
                   const Excerpt& excerpt, const Names& names) {
  if (steps.empty()) return {};
  if (reads_statistics(violation, steps, names)) return {Noise::kStatisticsCounter, ""};
  if (!about_one_variable(steps)) {
    std::string counter = counter_at_both_ends(violation, steps, excerpt, names);
    if (counter.empty()) return {};
    return {Noise::kStatisticsCounter, std::move(counter)};
  }
  const std::uint32_t variable = steps[0].dependency.object;
  const std::string_view name = names.variables.name(variable);
  if (is_checked_twice(violation, steps, excerpt)) return {Noise::kLazyInitialization, ""};
  const bool references = names_references(name);
  if (!references && !counted_by_statistics(steps, excerpt, names)) return {};
  const Counted what = references ? Counted::kReferences : Counted::kStatistics;
  if (!only_counts(violation, steps, variable, excerpt, what)) return {};
  if (references) return {Noise::kReferenceCount, ""};
  const std::string counter = object_class(name);
  return {Noise::kStatisticsCounter, std::string(structure_of(counter))};
}

std::optional<VarId> own_lock(std::span<const WitnessStep> steps, const Excerpt& excerpt) {
  std::optional<std::uint32_t> judged;
  for (const WitnessStep& step : steps) {
    const Dependency& it = step.dependency;
    if (judged == it.object) continue;
    judged = it.object;
    const bool leaves_by_write = std::ranges::all_of(steps, [&](const WitnessStep& other) {
      return other.dependency.object != it.object || source_writes(other.dependency.kind);
    });
    if (!is_data(it.kind) || !leaves_by_write) continue;
    if (!has_end(steps, it.object, Kind::kAtomicWrite, excerpt)) continue;
    std::size_t holders = 0;
    bool fits = true;
    for (const ThreadId thread : threads_of(steps)) {
      const auto sections =
          critical_sections(accesses_near(steps, thread, it.object, kAnywhere, excerpt));
      fits = fits && sections.has_value();
      holders += sections.value_or(0) > 0;
    }
    if (fits && holders > 1) return VarId{it.object};
  }
  return std::nullopt;
}

}  // namespace omnium
