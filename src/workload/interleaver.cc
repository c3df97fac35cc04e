// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "workload/interleaver.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/check.h"

namespace omnium::workload {

namespace {

constexpr std::string_view kPlantedLabel = "lost_update";
constexpr std::uint32_t kPlantedEvents = 5;

void append_numbered(support::Interner& space, std::string_view prefix, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) space.append(fmt::format("{}{}", prefix, i));
}

}  // namespace

Interleaver::Interleaver(const FamilyEntry& entry, const WorkloadOptions& options)
    : entry_(entry), options_(options) {
  name_all();
  restart();
}

void Interleaver::name_all() {
  append_numbered(names_.threads, "T", options_.threads);
  // The planted violation has a variable of its own, after those of the family.
  append_numbered(names_.variables, "x", options_.variables + (options_.violate ? 1 : 0));
  append_numbered(names_.locks, "m", options_.locks);
  if (entry_.signals) append_numbered(names_.signals, "c", options_.threads);
  for (std::string_view rest = entry_.labels; !rest.empty();) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    names_.labels.append(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  if (options_.violate) names_.labels.append(kPlantedLabel);
}

void Interleaver::restart() {
  family_ = entry_.make(options_);
  dice_ = Dice(options_.seed);
  scripts_.assign(options_.threads + std::size_t{1}, Script());
  played_ = 0;
  turn_left_ = 0;
  finish_cursor_ = 0;

  Script& scene = scripts_.back();
  scene.start(0);
  family_->write_epilogue(scene);
  put_aside_ = scene.size();
  if (options_.violate) {
    const std::uint64_t room = std::max(options_.events / 100, kPlantRoom);
    const std::uint64_t slack = std::min<std::uint64_t>(room - kPlantRoom, 1u << 30);
    Dice place(~options_.seed);  // not dice_: the rest of the trace stays as it is
    plant_at_ = options_.events - room + place.below(static_cast<std::uint32_t>(slack + 1));
    plant_ = Plant::kWaiting;
    put_aside_ += kPlantedEvents;
  }
  scene.start(0);
  family_->write_prologue(scene);
  if (options_.events < put_aside_ + scene.size()) {  // too short for anything special
    put_aside_ = 0;
    scene.start(0);
  }
  unwritten_ = options_.events - put_aside_ - scene.size();
  if (scene.size() > 0) play(options_.threads, scene.size());
}

Result<std::size_t> Interleaver::read(std::span<Event> out) {
  first_of_read_ = played_;
  const std::uint64_t left = options_.events - played_;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left));
  const std::uint32_t mask = location_mask_;
  for (std::size_t count = 0; count < wanted;) {
    if (turn_left_ == 0) {
      choose();
      continue;
    }
    Script& script = scripts_[lane_];
    const std::size_t until = std::min(wanted, count + turn_left_);
    turn_left_ -= static_cast<std::uint32_t>(until - count);
    played_ += until - count;
    for (; count < until; ++count) {
      Event& event = out[count];
      event = script.play();
      event.loc_id |= mask;
      if (event.kind == Kind::kRelease) family_->locks().release(event.object);
      if (!is_core(event.kind)) family_->played(event);
    }
  }
  return wanted;
}

void Interleaver::choose() {
  if (plant_ != Plant::kDone && plant_now()) {
    plant();
  } else if (unwritten_ > 0) {
    take_turn(family_->next_run(dice_));
  } else {
    finish_scripts();
  }
}

std::uint64_t Interleaver::written_but_unplayed() const {
  return options_.events - played_ - unwritten_ - put_aside_;
}

bool Interleaver::plant_now() const {
  if (plant_ != Plant::kWaiting) return true;
  if (unwritten_ == 0 && written_but_unplayed() == 0) return true;
  return played_ >= plant_at_ && family_->planters().has_value();
}

void Interleaver::plant() {
  switch (plant_) {
    case Plant::kWaiting: {
      const auto planters = family_->planters();
      CHECK(planters.has_value());
      planters_ = *planters;
      plant_ = Plant::kFinishFirst;
      return;
    }
    case Plant::kFinishFirst:
      play(planters_.first, scripts_[planters_.first].left());
      plant_ = Plant::kFinishSecond;
      return;
    case Plant::kFinishSecond:
      play(planters_.second, scripts_[planters_.second].left());
      plant_ = Plant::kPlay;
      return;
    case Plant::kPlay: {
      const std::uint32_t label = names_.labels.size() - 1;
      const std::uint32_t x = options_.variables;
      Script& scene = scripts_.back();
      scene.start(planters_.first);
      scene.begin(label);
      scene.read(x);
      scene.change_thread(planters_.second);
      scene.write(x);
      scene.change_thread(planters_.first);
      scene.write(x);
      scene.end(label);
      put_aside_ -= kPlantedEvents;
      play(options_.threads, scene.size());
      plant_ = Plant::kDone;
      return;
    }
    case Plant::kDone: return;
  }
}

void Interleaver::take_turn(Run run) {
  Script& script = scripts_[run.thread];
  if (script.left() == 0) {
    script.start(run.thread);
    family_->write(run.thread, script, dice_);
    if (script.size() > unwritten_) {
      script.start(run.thread);
      while (script.size() < unwritten_) script.read(family_->quiet_variable(run.thread));
    }
    unwritten_ -= script.size();
  }
  play(run.thread, std::min(run.length, script.left()));
}

// Turns of the open scripts, round robin; when there are none, the epilogue.
void Interleaver::finish_scripts() {
  if (written_but_unplayed() == 0) {
    Script& scene = scripts_.back();
    scene.start(0);
    family_->write_epilogue(scene);
    put_aside_ = 0;
    play(options_.threads, scene.size());
    return;
  }
  while (scripts_[finish_cursor_].left() == 0) {
    finish_cursor_ = (finish_cursor_ + 1) % options_.threads;
  }
  play(finish_cursor_, std::min(scripts_[finish_cursor_].left(), 4u));
  finish_cursor_ = (finish_cursor_ + 1) % options_.threads;
}

void Interleaver::play(std::uint32_t lane, std::uint32_t length) {
  lane_ = lane;
  turn_left_ = length;
}

Position Interleaver::position_of(std::size_t offset) const {
  Position position;
  position.file = fmt::format("event {}", first_of_read_ + offset);
  return position;
}

Result<EventIndex> Interleaver::seek(EventIndex target) {
  CHECK(target < played_ || target == 0);
  restart();
  return EventIndex{0};
}

void Interleaver::want_locations(bool wanted) {
  location_mask_ = wanted ? 0 : LocId::kNoneValue;
  if (!wanted || names_.locations.size() > 0) return;
  for (std::uint32_t line = 0; line < Script::kLocations; ++line) {
    names_.locations.append(fmt::format("{}.cc:{}", entry_.family.name, line + 10));
  }
}

}  // namespace omnium::workload
