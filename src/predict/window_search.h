// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Looks for an admissible interleaving that violates a suspect transaction, in a window around it:
// what was recorded before the window stays as it was, and in the window only what is needed moves.
// So it costs what lies between the transaction and its partner, however long the trace is.
//
// An order of a few events is tried at a time. Whoever is blocked lets the one go first that blocks
// it; who need not act does not.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "predict/admissible.h"
#include "predict/contacts.h"
#include "predict/judge.h"

namespace omnium::predict {

// An interleaving that violates a transaction.
struct WindowFinding {
  Reads reads;          // what the interleaving keeps
  Judgement judgement;  // by the definition
  BlockRef partner;     // where the transaction is left to
  EventIndex recorded;  // what comes before the window
  std::vector<EventIndex> then;
};

class WindowSearch {
 public:
  WindowSearch(const Recording& recording, const EventIndexer& index, const Forest& forest,
               const InterEdges& edges, Waits waits);

  // The best that `budget` events are enough to find; `levels` by their worth. Reduces the budget
  // by what was scheduled.
  std::optional<WindowFinding> find(const SuspectUnit& suspect, std::span<const Reads> levels,
                                    std::uint64_t& budget);

 private:
  bool attempt(const Unit& unit, std::span<const EventIndex> goals, Reads reads,
               std::uint64_t& budget);
  // Who goes first: nobody but who has to; the other threads, up to their goals; those that the
  // transaction would wait for, so that it need not.
  enum class Early : std::uint8_t { kNobody, kOthers, kAwaited };

  bool realize(std::span<const EventIndex> goals, EventIndex start, Reads reads, Early early,
               std::uint64_t& budget);
  bool approach(std::span<const EventIndex> goals, std::uint64_t& budget);
  std::vector<EventIndex> awaited(const Unit& unit, EventIndex last) const;
  bool advance(EventIndex goal, std::uint64_t& budget);
  bool let_go(std::uint32_t thread, std::uint64_t& budget);
  void set_limits(std::span<const EventIndex> goals);
  bool judge(const Unit& unit, std::span<const EventIndex> goals, EventIndex start, Reads reads);

  const Recording& recording_;
  const EventIndexer& index_;
  const Forest& forest_;
  Contacts contacts_;
  Admissible machine_;
  Judge judge_;
  std::vector<EventIndex> limits_;      // of threads: their next goals
  std::vector<EventIndex> last_goals_;  // where threads may stop
  std::vector<EventIndex> awaited_;     // what the suspect would wait for
  std::vector<std::uint32_t> waiting_;  // scratch: each waits for the next
  std::uint64_t steps_left_ = 0;        // of one attempt
  std::optional<WindowFinding> found_;
};

}  // namespace omnium::predict
