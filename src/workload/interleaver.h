// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Plays the scripts of a family, a few events per turn, as one trace of exactly the size asked for.
//
// Every event is promised before it is played: `unwritten_` counts those that no script holds yet.
// A script that does not fit any more is replaced by reads that fit, and then all open scripts are
// played to their end: so every block is closed where the trace ends. The planted violation and the
// epilogue are put aside at the start. Memory: one script per thread; a few nanoseconds per event.
//
// The violation is a lost update on a variable of its own, which nothing else touches:
//
//   Ta: begin(lost_update)  r(x)        w(x)  end
//   Tb:                           w(x)                 (outside of blocks)
//
// Only Ta's block is violated: were its events transactions of their own, the trace would be
// serializable by the argument of its family, so no path leaves another block and comes back to it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "event/source.h"
#include "workload/family.h"

namespace omnium::workload {

class Interleaver final : public EventSource {
 public:
  // The violation lies in the last 1 % of the events, in short traces in the last kPlantRoom.
  static constexpr std::uint64_t kPlantRoom = 64;
  static constexpr std::uint64_t kLeastEventsToPlant = 200;

  Interleaver(const FamilyEntry& entry, const WorkloadOptions& options);

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return names_; }
  Position position_of(std::size_t offset) const override;
  // Scripts cannot be played backwards: starts again.
  Result<EventIndex> seek(EventIndex target) override;
  void want_locations(bool wanted) override;

 private:
  enum class Plant : std::uint8_t { kWaiting, kFinishFirst, kFinishSecond, kPlay, kDone };

  void name_all();
  void restart();
  void choose();
  bool plant_now() const;
  void plant();
  void take_turn(Run run);
  void finish_scripts();
  void play(std::uint32_t lane, std::uint32_t length);
  std::uint64_t written_but_unplayed() const;

  const FamilyEntry& entry_;
  WorkloadOptions options_;
  Names names_;
  std::uint32_t location_mask_ = LocId::kNoneValue;  // all ones: "no location"

  std::unique_ptr<Family> family_;
  Dice dice_{0};
  std::vector<Script> scripts_;  // per thread, and the scene of several threads at the end
  std::uint64_t played_ = 0;     // events handed out
  std::uint64_t unwritten_ = 0;  // events that no script holds yet
  std::uint64_t put_aside_ = 0;  // of the violation and the epilogue
  std::uint32_t lane_ = 0;       // whose script is played, for turn_left_ events
  std::uint32_t turn_left_ = 0;
  std::uint32_t finish_cursor_ = 0;
  std::uint64_t plant_at_ = 0;
  Plant plant_ = Plant::kDone;
  std::pair<std::uint32_t, std::uint32_t> planters_;
  EventIndex first_of_read_ = 0;
};

}  // namespace omnium::workload
