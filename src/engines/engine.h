// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The whole contract of an engine: events in, findings out.
//
//   class Mine final : public EngineBase<Mine> {
//     static constexpr EngineInfo kInfo{...};
//     void grow(const Extent&);          // before each batch: make room for new ids
//     void on_read(ThreadId, VarId);     // ... the eight handlers; now() is the event's index
//     void on_finish();                  // the trace is over: judge open blocks as if they ended
//   };
//
// Engines see well-formed traces only, cannot print, open files or know formats. Richer events are
// lowered on the way (event/lowering.h): on_acquire() may come several times for one event, and a
// block that is cut ends and begins again between two events. What EngineInfo promises is what the
// differential tester asserts against the reference.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "event/dispatch.h"
#include "event/event.h"
#include "event/lowering.h"
#include "event/well_formed.h"
#include "finding/finding.h"

namespace omnium {

enum class Promise : std::uint8_t {
  kNothing,  // does not answer
  kNoFalse,  // everything reported is true; may miss some
  kExact,    // reports all of it and nothing else
};

struct EngineInfo {
  std::string_view name;
  Promise serializable;  // trace level
  Promise transactions;  // which transactions have a violation, each with a witness
  Promise instances;     // every instance of them
  Promise blocks;        // which blocks are refuted
  bool gives_cycle;      // fills Cycle::transactions
  bool gives_window;     // fills Cycle::window_begin
  std::string_view summary;
  std::string_view reference;
};

// What several engines count, so that they can be compared side by side.
enum class Measure : std::uint8_t {
  kOther,
  kVisited,  // transactions visited to find witnesses
  kKept,     // dependencies kept
  kSkipped,  // dependencies seen to be of no use
  kNodes,    // of the graph, at its largest
  kMade,     // nodes of the graph in all
  kEdges,
};

// How often a rule of an algorithm was applied, or how large something grew.
struct Counter {
  std::string_view name;
  std::uint64_t value;
  Measure measure = Measure::kOther;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual void consume(const Batch& batch, Lowering& lowering) = 0;
  // May events be missing that conflict with nothing (event/thinning.h)? Not if it counts them.
  virtual bool takes_thinned() const { return false; }
  // The same for events that are checked one by one on their way: how many were well-formed. What
  // kind of event comes next is hard to predict, and one loop mispredicts it once.
  virtual std::size_t consume_checked(std::span<Event> events, EventIndex first,
                                      const Extent& extent, WellFormed& well_formed,
                                      Lowering& lowering) = 0;
  // The trace is over. Nothing may be consumed afterwards.
  virtual void finish() = 0;
  virtual std::vector<Counter> counters() const = 0;
};

template <class Derived>
class EngineBase : public Engine {
 public:
  explicit EngineBase(FindingSink& sink) : sink_(sink) {}

  void consume(const Batch& batch, Lowering& lowering) final {
    auto& self = static_cast<Derived&>(*this);
    lowering.grow(batch.extent, self);
    if (batch.thinned != 0) {
      for (const Event& it : batch.events) lowering.feed(it, batch.first + it.loc_id, self);
    } else {
      EventIndex index = batch.first;
      for (const Event& event : batch.events) lowering.feed(event, index++, self);
    }
    now_ = batch.end();
  }

  std::size_t consume_checked(std::span<Event> events, EventIndex first, const Extent& extent,
                              WellFormed& well_formed, Lowering& lowering) final {
    auto& self = static_cast<Derived&>(*this);
    lowering.grow(extent, self);
    well_formed.grow_to(extent);
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!well_formed.accept(events[i])) [[unlikely]]
        return i;
      lowering.feed(events[i], first + i, self);
    }
    now_ = first + events.size();
    return events.size();
  }

  // The handlers that follow belong to this event.
  void at(EventIndex index) { now_ = index; }

  void finish() final { static_cast<Derived&>(*this).on_finish(); }

 protected:
  // Index of the event being handled; after the last event, the length of the trace.
  EventIndex now() const { return now_; }
  FindingSink& sink() { return sink_; }

 private:
  FindingSink& sink_;
  EventIndex now_ = 0;
};

}  // namespace omnium
