// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/interleaving_window.h"

#include <algorithm>
#include <map>
#include <vector>

#include "report/early_work.h"
#include "report/object_names.h"

namespace omnium::report {

namespace {

using predict::LoadedTrace;
using predict::Warning;

// What is open somewhere in an interleaving: the begins, acquires and waits that something later
// has to undo.
class OpenEvents {
 public:
  explicit OpenEvents(const LoadedTrace& trace) : trace_(&trace) {}

  void pass(EventIndex index) {
    const Event& event = trace_->events[index];
    switch (event.kind) {
      case Kind::kBegin:
      case Kind::kAcquire:
      case Kind::kSharedAcquire:
      case Kind::kWait: open_.push_back(index); break;
      case Kind::kEnd: close(event, {Kind::kBegin, Kind::kBegin}); break;
      case Kind::kRelease:
      case Kind::kSharedRelease: close(event, {Kind::kAcquire, Kind::kSharedAcquire}); break;
      case Kind::kResume: close(event, {Kind::kWait, Kind::kWait}); break;
      default: break;
    }
  }

  // In the order of the interleaving.
  const std::vector<EventIndex>& events() const { return open_; }

 private:
  // The last of its thread; an end closes a begin of any label.
  void close(const Event& by, std::pair<Kind, Kind> kinds) {
    const auto last = std::find_if(open_.rbegin(), open_.rend(), [&](EventIndex index) {
      const Event& it = trace_->events[index];
      return it.thread() == by.thread() && (it.kind == kinds.first || it.kind == kinds.second) &&
             (by.kind == Kind::kEnd || it.object == by.object);
    });
    if (last != open_.rend()) open_.erase(std::next(last).base());
  }

  const LoadedTrace* trace_;
  std::vector<EventIndex> open_;
};

// Where the outermost blocks around the given events begin; the event itself outside any block.
std::map<EventIndex, EventIndex> outermost_begins(const LoadedTrace& trace,
                                                  std::vector<EventIndex> of) {
  std::ranges::sort(of);
  std::map<EventIndex, EventIndex> out;
  std::vector<EventIndex> begin(trace.extent.threads, kNoEvent);
  std::vector<std::size_t> depth(trace.extent.threads, 0);
  auto next = of.begin();
  for (EventIndex index = 0; index < trace.events.size() && next != of.end(); ++index) {
    const Event& event = trace.events[index];
    const std::uint32_t thread = event.thread_id;
    if (event.kind == Kind::kBegin && depth[thread]++ == 0) begin[thread] = index;
    for (; next != of.end() && *next == index; ++next) {
      out[index] = depth[thread] > 0 ? begin[thread] : index;
    }
    if (event.kind == Kind::kEnd && depth[thread] > 0) --depth[thread];
  }
  return out;
}

// Events of a big trace, with names of their own.
class SmallTrace {
 public:
  SmallTrace(const LoadedTrace& trace, const Names& names) : trace_(trace), names_(names) {}

  void add(EventIndex index) {
    Event event = trace_.events[index];
    const auto* objects = objects_of(event.kind, names_);
    if (objects == nullptr) return;
    auto& names = out_.trace.names;
    event.thread_id =
        static_cast<std::uint16_t>(names.threads.intern(names_.threads.name(event.thread_id)));
    event.object = objects_of(event.kind, names)->intern(objects->name(event.object));
    if (!event.loc().is_none()) {
      event.loc_id = names.locations.intern(names_.locations.name(event.loc_id));
    }
    out_.trace.events.push_back(event);
  }
  void mark_transaction() { out_.transaction = out_.trace.events.size(); }

  InterleavingWindow take() { return std::move(out_); }

 private:
  const LoadedTrace& trace_;
  const Names& names_;
  InterleavingWindow out_;
};

// A warning, and the events of which the first one in the interleaving opens its window.
struct Wanted {
  std::size_t warning;
  std::vector<EventIndex> starts;
  EventIndex cut;  // up to here the recording is not part of the window
};

class Windows {
 public:
  Windows(std::span<const Warning> warnings, const LoadedTrace& trace, const Names& names)
      : warnings_(warnings), trace_(trace), names_(names), has_parts_(trace.extent.threads, false) {
    for (const Event& event : trace_.events) {
      if (may_start_part(event.kind)) has_parts_[event.thread_id] = true;
    }
    std::vector<EventIndex> begins;
    for (const Warning& warning : warnings_) {
      if (!warning.interleaving) continue;
      for (const EventIndex begin : begins_of(warning)) begins.push_back(begin);
    }
    const auto outermost = outermost_begins(trace_, std::move(begins));
    for (std::size_t i = 0; i < warnings_.size(); ++i) {
      if (!warnings_[i].interleaving) continue;
      Wanted wanted{i, {}, warnings_[i].interleaving->recorded};
      for (const EventIndex begin : begins_of(warnings_[i])) {
        wanted.starts.push_back(outermost.at(begin));
        wanted.cut = std::min(wanted.cut, wanted.starts.back());
      }
      wanted_.push_back(std::move(wanted));
    }
  }

  // Calls visit(wanted, what is open at its cut).
  template <class Visit>
  void sweep(Visit&& visit) {
    std::ranges::sort(wanted_, {}, &Wanted::cut);
    OpenEvents open(trace_);
    EventIndex passed = 0;
    for (Wanted& wanted : wanted_) {
      while (passed < wanted.cut) open.pass(passed++);
      visit(wanted, open);
    }
  }

  // Where a block of another thread is cut into parts depends on what it did before.
  void include_blocks_of_several_parts() {
    sweep([&](Wanted& wanted, const OpenEvents& at_cut) {
      const auto& interleaving = *warnings_[wanted.warning].interleaving;
      const Start start = at_start(wanted, at_cut);
      for (const EventIndex index : start.open.events()) {
        const Event& event = trace_.events[index];
        if (event.kind != Kind::kBegin || !has_parts_[event.thread_id]) continue;
        const EventIndex recorded = interleaving.recorded - std::min(index, interleaving.recorded);
        if (recorded + interleaving.then.size() > kMostBefore) continue;
        wanted.starts.push_back(index);
      }
      for (const EventIndex first : wanted.starts) wanted.cut = std::min(wanted.cut, first);
    });
  }

  InterleavingWindow window(const Wanted& wanted, const OpenEvents& at_cut) const {
    const Warning& warning = warnings_[wanted.warning];
    const predict::Interleaving& interleaving = *warning.interleaving;
    SmallTrace out(trace_, names_);
    const auto add = [&](EventIndex index) {
      if (index == warning.transaction.begin) out.mark_transaction();
      out.add(index);
    };
    Start start = at_start(wanted, at_cut);
    std::vector<EventIndex> order;
    for (EventIndex index = wanted.cut; index < interleaving.recorded; ++index) {
      order.push_back(index);
    }
    const auto then = std::span(interleaving.then).subspan(start.at);
    order.insert(order.end(), then.begin(), then.end());
    // Only where the block opens the window is it known what comes before.
    if (wanted.starts.size() == 1) {
      EarlyWork early =
          early_work(trace_.events, order, start.open.events(), trace_.extent.threads);
      for (const EventIndex index : early.before) start.open.pass(index);
      order = std::move(early.after);
    }
    for (const EventIndex index : start.open.events()) add(index);
    for (const EventIndex index : order) add(index);
    return out.take();
  }

 private:
  static constexpr std::size_t kMostBefore = 10'000;  // events that only parts are needed for

  // A cycle without a transaction to blame has to be seen from the first of its blocks on.
  static std::vector<EventIndex> begins_of(const Warning& warning) {
    std::vector<EventIndex> out{warning.transaction.begin};
    if (!warning.cycle) return out;
    for (const BlockRef& partner : warning.partners) out.push_back(partner.begin);
    return out;
  }

  // What is open where the window starts, and its place in `then`: 0 if it starts before.
  struct Start {
    OpenEvents open;
    std::size_t at = 0;
  };
  Start at_start(const Wanted& wanted, const OpenEvents& at_cut) const {
    const predict::Interleaving& interleaving = *warnings_[wanted.warning].interleaving;
    Start out{at_cut};
    if (wanted.cut < interleaving.recorded) return out;
    for (; out.at < interleaving.then.size(); ++out.at) {
      const EventIndex index = interleaving.then[out.at];
      if (std::ranges::find(wanted.starts, index) != wanted.starts.end()) break;
      out.open.pass(index);
    }
    return out;
  }

  std::span<const Warning> warnings_;
  const LoadedTrace& trace_;
  const Names& names_;
  std::vector<bool> has_parts_;  // by thread: may its blocks have several parts?
  std::vector<Wanted> wanted_;
};

}  // namespace

void for_each_window(
    std::span<const Warning> warnings, const LoadedTrace& trace, const Names& names,
    const std::function<void(std::size_t warning, InterleavingWindow window)>& visit) {
  Windows windows(warnings, trace, names);
  windows.include_blocks_of_several_parts();
  windows.sweep([&](const Wanted& wanted, const OpenEvents& open) {
    visit(wanted.warning, windows.window(wanted, open));
  });
}

}  // namespace omnium::report
