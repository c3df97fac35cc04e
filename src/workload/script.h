// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What one thread does next: a transaction, or a piece of work outside. A family writes scripts;
// the interleaver plays those of all threads a few events at a time.
#pragma once

#include <array>
#include <cstdint>

#include "event/event.h"
#include "support/check.h"

namespace omnium::workload {

class Script {
 public:
  static constexpr std::uint32_t kCapacity = 32;
  // A location per kind of event and place in the script, as if each were a line of a program.
  static constexpr std::uint32_t kLocations = 8 * kKinds;

  void start(std::uint32_t thread) {
    thread_ = static_cast<std::uint16_t>(thread);
    size_ = 0;
    next_ = 0;
  }

  void read(std::uint32_t x) { add(Kind::kRead, x); }
  void write(std::uint32_t x) { add(Kind::kWrite, x); }
  void acquire(std::uint32_t m) { add(Kind::kAcquire, m); }
  void release(std::uint32_t m) { add(Kind::kRelease, m); }
  void begin(std::uint32_t label) { add(Kind::kBegin, label); }
  void end(std::uint32_t label) { add(Kind::kEnd, label); }
  void fork(std::uint32_t child) { add(Kind::kFork, child); }
  void join(std::uint32_t other) { add(Kind::kJoin, other); }
  // Reads or writes, by the lowest bit of `choice`.
  void access(std::uint32_t x, std::uint64_t choice) {
    add((choice & 1) == 0 ? Kind::kRead : Kind::kWrite, x);
  }
  // The next events are by another thread: for scenes that several threads play.
  void change_thread(std::uint32_t thread) { thread_ = static_cast<std::uint16_t>(thread); }

  // An operation that has no name of its own above.
  void add(Kind kind, std::uint32_t object) {
    CHECK(size_ < kCapacity);
    const std::uint32_t place = size_ < 7 ? size_ : 7;
    events_[size_++] = {kind, thread_, object, static_cast<std::uint32_t>(kind) * 8 + place};
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t left() const { return size_ - next_; }
  const Event& play() { return events_[next_++]; }

 private:
  std::array<Event, kCapacity> events_;
  std::uint16_t thread_ = 0;
  std::uint16_t size_ = 0;
  std::uint16_t next_ = 0;
};

}  // namespace omnium::workload
