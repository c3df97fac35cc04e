// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/interleavings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace omnium::test {

namespace {

constexpr int kInitial = -1;

// The events by thread, with their units: an outermost block, or one event outside.
struct Program {
  std::vector<Event> events;
  std::vector<std::vector<int>> threads;  // event numbers
  std::vector<int> unit;                  // of each event
  std::vector<bool> forked;               // per thread: has a fork in the trace
  int units = 0;

  Program(std::span<const Event> all, const Extent& extent)
      : threads(extent.threads), forked(extent.threads, false) {
    std::vector<int> depth(extent.threads, 0), open(extent.threads, -1);
    for (const Event& event : all) {
      if (event.kind == Kind::kSkip) continue;
      const auto t = event.thread_id;
      const int id = static_cast<int>(events.size());
      if (event.kind == Kind::kBegin && depth[t]++ == 0) open[t] = units++;
      unit.push_back(depth[t] > 0 ? open[t] : units++);
      if (event.kind == Kind::kEnd) --depth[t];
      if (event.kind == Kind::kFork) forked[event.object] = true;
      events.push_back(event);
      threads[t].push_back(id);
    }
  }

  bool conflict(const Event& a, const Event& b) const {
    if (a.thread_id == b.thread_id) return true;
    const auto accesses = [](const Event& e) {
      return e.kind == Kind::kRead || e.kind == Kind::kWrite;
    };
    if (accesses(a) && accesses(b)) {
      return a.object == b.object && (a.kind == Kind::kWrite || b.kind == Kind::kWrite);
    }
    if (a.kind == Kind::kFork && a.object == b.thread_id) return true;
    if (b.kind == Kind::kJoin && b.object == a.thread_id) return true;
    return a.kind == Kind::kFork && b.kind == Kind::kJoin && a.object == b.object;
  }
};

using Positions = std::vector<int>;  // per thread: how many events are done

// What can happen next, given what has happened.
class Machine {
 public:
  explicit Machine(const Program& program) : program_(program) {}

  bool enabled(const Positions& at, std::size_t t) const {
    const auto& mine = program_.threads[t];
    if (at[t] == static_cast<int>(mine.size())) return false;
    if (at[t] == 0 && program_.forked[t] && !done_fork(at, t)) return false;
    const Event& event = program_.events[mine[at[t]]];
    if (event.kind == Kind::kAcquire) return !held(at, event.object);
    if (event.kind == Kind::kJoin) {
      return at[event.object] == static_cast<int>(program_.threads[event.object].size()) &&
             (!program_.forked[event.object] || done_fork(at, event.object));
    }
    return true;
  }
  // A thread whose next event is invisible to others (begin, end), or -1: trying that one is
  // enough.
  int invisible(const Positions& at) const {
    for (std::size_t t = 0; t < at.size(); ++t) {
      if (!enabled(at, t)) continue;
      const Kind kind = program_.events[program_.threads[t][at[t]]].kind;
      if (kind == Kind::kBegin || kind == Kind::kEnd) return static_cast<int>(t);
    }
    return -1;
  }
  bool finished(const Positions& at) const {
    for (std::size_t t = 0; t < at.size(); ++t) {
      if (at[t] < static_cast<int>(program_.threads[t].size())) return false;
    }
    return true;
  }

 private:
  template <class Visit>
  void for_done(const Positions& at, Visit visit) const {
    for (std::size_t t = 0; t < at.size(); ++t) {
      for (int i = 0; i < at[t]; ++i) visit(program_.events[program_.threads[t][i]]);
    }
  }
  bool done_fork(const Positions& at, std::size_t child) const {
    bool done = false;
    for_done(at, [&](const Event& e) { done |= e.kind == Kind::kFork && e.object == child; });
    return done;
  }
  bool held(const Positions& at, std::uint32_t lock) const {
    int depth = 0;
    for_done(at, [&](const Event& e) {
      if (e.object != lock) return;
      depth += e.kind == Kind::kAcquire ? 1 : e.kind == Kind::kRelease ? -1 : 0;
    });
    return depth > 0;
  }

  const Program& program_;
};

bool cyclic(std::vector<std::vector<bool>> edge) {
  const std::size_t n = edge.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (edge[i][k] && edge[k][j]) edge[i][j] = true;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (edge[i][i]) return true;
  }
  return false;
}

class Explorer {
 public:
  Explorer(const Program& program, std::size_t max_states)
      : program_(program), machine_(program), max_states_(max_states) {}

  AllInterleavings run(bool with_views) {
    const auto units = static_cast<std::size_t>(program_.units);
    Positions start(program_.threads.size(), 0);
    orders(start, std::vector<std::vector<bool>>(units, std::vector<bool>(units, false)));
    if (!with_views) return result_;
    const Outcome initial{std::vector<int>(program_.events.size(), kInitial), {}};
    std::set<std::pair<Positions, Outcome>> seen;
    std::set<Outcome> all, serial;
    views(start, initial, seen, all);
    std::set<std::pair<std::pair<Positions, int>, Outcome>> seen_serial;
    serial_views(start, initial, -1, seen_serial, serial);
    for (const Outcome& each : all) {
      if (!serial.contains(each)) result_.view_atomic = false;
    }
    return result_;
  }

 private:
  // What every read saw, and the last write of every variable.
  struct Outcome {
    std::vector<int> seen_by;
    std::map<std::uint32_t, int> last;
    friend auto operator<=>(const Outcome&, const Outcome&) = default;
  };

  bool too_many() {
    if (++states_ > max_states_) result_.complete = false;
    return !result_.complete;
  }

  void orders(const Positions& at, const std::vector<std::vector<bool>>& edge) {
    if (too_many() || !order_states_.emplace(at, edge).second) return;
    bool moved = false;
    const int only = machine_.invisible(at);
    for (std::size_t t = 0; t < at.size(); ++t) {
      if (!machine_.enabled(at, t) || (only >= 0 && static_cast<int>(t) != only)) continue;
      moved = true;
      const int now = program_.threads[t][at[t]];
      auto next_edge = edge;
      for (std::size_t u = 0; u < at.size(); ++u) {
        for (int i = 0; i < at[u]; ++i) {
          const int before = program_.threads[u][i];
          if (program_.unit[before] != program_.unit[now] &&
              program_.conflict(program_.events[before], program_.events[now])) {
            next_edge[program_.unit[before]][program_.unit[now]] = true;
          }
        }
      }
      Positions next = at;
      ++next[t];
      orders(next, next_edge);
    }
    if (moved) return;
    if (!machine_.finished(at)) {
      result_.deadlock_possible = true;
    } else if (cyclic(edge)) {
      result_.conflict_atomic = false;
    }
  }

  Outcome after(Outcome views, int event) const {
    const Event& e = program_.events[event];
    if (e.kind == Kind::kRead) {
      const auto last = views.last.find(e.object);
      views.seen_by[event] = last == views.last.end() ? kInitial : last->second;
    } else if (e.kind == Kind::kWrite) {
      views.last[e.object] = event;
    }
    return views;
  }

  void views(const Positions& at, const Outcome& now, std::set<std::pair<Positions, Outcome>>& seen,
             std::set<Outcome>& out) {
    if (too_many() || !seen.emplace(at, now).second) return;
    if (machine_.finished(at)) out.insert(now);
    const int only = machine_.invisible(at);
    for (std::size_t t = 0; t < at.size(); ++t) {
      if (!machine_.enabled(at, t) || (only >= 0 && static_cast<int>(t) != only)) continue;
      Positions next = at;
      ++next[t];
      views(next, after(now, program_.threads[t][at[t]]), seen, out);
    }
  }

  // The same, but a transaction that has begun goes on until it is over.
  void serial_views(const Positions& at, const Outcome& now, int running,
                    std::set<std::pair<std::pair<Positions, int>, Outcome>>& seen,
                    std::set<Outcome>& out) {
    if (too_many() || !seen.emplace(std::pair(at, running), now).second) return;
    if (machine_.finished(at)) out.insert(now);
    for (std::size_t t = 0; t < at.size(); ++t) {
      if (!machine_.enabled(at, t)) continue;
      if (running >= 0 && static_cast<std::size_t>(running) != t) continue;
      const auto& mine = program_.threads[t];
      const bool more = at[t] + 1 < static_cast<int>(mine.size()) &&
                        program_.unit[mine[at[t] + 1]] == program_.unit[mine[at[t]]];
      Positions next = at;
      ++next[t];
      serial_views(next, after(now, mine[at[t]]), more ? static_cast<int>(t) : -1, seen, out);
    }
  }

  const Program& program_;
  Machine machine_;
  std::size_t max_states_;
  std::size_t states_ = 0;
  AllInterleavings result_;
  std::set<std::pair<Positions, std::vector<std::vector<bool>>>> order_states_;
};

}  // namespace

AllInterleavings explore_interleavings(std::span<const Event> events, const Extent& extent,
                                       Views views, std::size_t max_states) {
  const Program program(events, extent);
  return Explorer(program, max_states).run(views == Views::kYes);
}

}  // namespace omnium::test
