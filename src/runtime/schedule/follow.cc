// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/follow.h"

#include <cstring>

#include "runtime/schedule/dice.h"
#include "runtime/schedule/sharing.h"

namespace omnium::runtime {

namespace {

wire::SerialBoard* board;
bool is_lost;  // a switch could not be made, and the run is strict

// Numbers of switches, from 1, by a hash of the moment.
constexpr std::uint32_t kBuckets = 2 * wire::SerialBoard::kMostSwitches;
std::uint16_t buckets[kBuckets];

std::uint64_t hash_of(const char* path, bool forced, Pc pc, std::uint32_t visit) {
  std::uint64_t hash = forced ? visit : mixed(pc) + visit;
  for (; *path != '\0'; ++path) hash = hash * 131 + static_cast<unsigned char>(*path);
  return mixed(hash) % kBuckets;
}

bool is_at(const wire::SerialSwitch& wanted, const Moment& moment) {
  if ((wanted.forced != 0) != moment.forced || wanted.visit != moment.visit) return false;
  if (!moment.forced && wanted.place.address != moment.pc) return false;
  return std::strcmp(wanted.from.text, moment.thread.path.text) == 0;
}

}  // namespace

void prepare_switches(wire::SerialBoard& wanted) {
  board = &wanted;
  if (board->wanted_switches > wire::SerialBoard::kMostSwitches) board->wanted_switches = 0;
  for (std::uint32_t i = 0; i < board->wanted_switches; ++i) {
    wire::SerialSwitch& one = board->switches[i];
    one.reached = 0;
    if (one.forced == 0) one.place.address = in_memory(one.place);
    std::uint64_t at = hash_of(one.from.text, one.forced != 0, one.place.address, one.visit);
    while (buckets[at] != 0) at = (at + 1) % kBuckets;
    buckets[at] = static_cast<std::uint16_t>(i + 1);
  }
}

wire::SerialSwitch* find_switch(const Moment& moment) {
  if (board->wanted_switches == 0 || is_lost) return nullptr;
  std::uint64_t at = hash_of(moment.thread.path.text, moment.forced, moment.pc, moment.visit);
  for (; buckets[at] != 0; at = (at + 1) % kBuckets) {
    wire::SerialSwitch& wanted = board->switches[buckets[at] - 1];
    if (is_at(wanted, moment)) return &wanted;
  }
  return nullptr;
}

void cannot_follow(const wire::SerialSwitch& wanted) {
  if (board->diverged == 0) {
    board->diverged = static_cast<std::uint32_t>(&wanted - board->switches) + 1;
  }
  is_lost = board->loose == 0;
}

void note_switch(const Moment& moment, const SerialThread& to) {
  const std::uint32_t number = board->switches_made.load(std::memory_order_relaxed);
  if (number < wire::SerialBoard::kMostSwitches) {
    board->made[number] = {
        moment.thread.path, to.path, {0, 0, moment.pc}, moment.visit, moment.forced, 1, 0,
        moment.time};
  }
  board->switches_made.store(number + 1, std::memory_order_release);
}

}  // namespace omnium::runtime
