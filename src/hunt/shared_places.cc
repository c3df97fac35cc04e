// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/shared_places.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "support/place.h"

namespace omnium::hunt {

namespace {

struct Uses {
  ThreadId first;
  bool by_others = false, writes = false;
  std::set<LocId> places;
};

void add_codes(const std::set<LocId>& at, const Names& names, const Places& places,
               std::set<Code>& out) {
  for (const LocId place : at) {
    const auto& codes = places.at(support::place_of(names.locations.name(place.v)).position);
    out.insert(codes.begin(), codes.end());
  }
}

// Which locks each thread holds, and how many threads there are.
class Holdings {
 public:
  void take(const Event& event) {
    if (event.kind == Kind::kFork) ++threads_;
    if (event.kind == Kind::kJoin) --threads_;
    if (is_taking(event.kind)) held_[event.thread()].insert(event.lock());
    if (is_giving_back(event.kind)) held_[event.thread()].erase(event.lock());
  }
  const std::set<LockId>& of(ThreadId thread) { return held_[thread]; }
  bool is_alone() const { return threads_ <= 1; }

 private:
  static bool is_taking(Kind kind) {
    return kind == Kind::kAcquire || kind == Kind::kSharedAcquire || kind == Kind::kResume;
  }
  static bool is_giving_back(Kind kind) {
    return kind == Kind::kRelease || kind == Kind::kSharedRelease || kind == Kind::kWait;
  }

  std::map<ThreadId, std::set<LockId>> held_;
  int threads_ = 1;
};

// A variable, and the locks that were held each time [Savage et al., Eraser].
struct Protection {
  Uses uses;
  std::set<LockId> locks;
};

}  // namespace

std::set<Code> shared_places(const predict::LoadedTrace& trace, const Names& names,
                             const Places& places) {
  std::map<VarId, Uses> variables;
  for (const Event& event : trace.events) {
    if (!is_access(event.kind) || event.loc().is_none()) continue;
    Uses& uses = variables.try_emplace(event.variable(), Uses{event.thread(), false, false, {}})
                     .first->second;
    uses.by_others |= uses.first != event.thread();
    uses.writes |= is_write(event.kind);
    uses.places.insert(event.loc());
  }
  std::set<Code> out;
  for (const auto& [variable, uses] : variables) {
    if (!uses.by_others || !uses.writes) continue;
    add_codes(uses.places, names, places, out);
  }
  return out;
}

std::set<Code> unprotected_places(const predict::LoadedTrace& trace, const Names& names,
                                  const Places& places) {
  Holdings holdings;
  std::map<VarId, Protection> variables;
  for (const Event& event : trace.events) {
    holdings.take(event);
    if (!is_access(event.kind) || event.loc().is_none() || holdings.is_alone()) continue;
    const std::set<LockId>& held = holdings.of(event.thread());
    auto [entry, is_new] = variables.try_emplace(
        event.variable(), Protection{{event.thread(), false, false, {}}, held});
    Protection& it = entry->second;
    if (!is_new) std::erase_if(it.locks, [&](LockId lock) { return !held.contains(lock); });
    it.uses.by_others |= it.uses.first != event.thread();
    it.uses.writes |= is_write(event.kind);
    it.uses.places.insert(event.loc());
  }
  std::set<Code> out;
  for (const auto& [variable, it] : variables) {
    if (!it.uses.by_others || !it.uses.writes || !it.locks.empty()) continue;
    add_codes(it.uses.places, names, places, out);
  }
  return out;
}

std::string text_of_places(const std::set<Code>& places) {
  constexpr std::size_t kMost = 200;
  std::vector<std::string> modules;
  std::string lines;
  std::size_t count = 0;
  for (const Code& code : places) {
    if (count++ == kMost) break;
    const auto module = std::ranges::find(modules, code.module) - modules.begin();
    if (module == std::ssize(modules)) {
      modules.push_back(code.module);
      lines += fmt::format("module {}\n", code.module);
    }
    lines += fmt::format("point {}:{:x}\n", module, code.address);
  }
  return lines;
}

}  // namespace omnium::hunt
