// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a serial run knows of a thread. Under the lock of the token (schedule/token.h) where nothing
// else is said.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "runtime/schedule/point.h"
#include "runtime/schedule/spinning.h"
#include "wire/serial_board.h"

namespace omnium::runtime {

enum class Standing : std::uint8_t {
  kNone,
  kStarting,  // it was created, and is on its way to its first point
  kRunning,   // it has the token
  kReady,     // it waits for the token
  kWaiting,   // it waits for an object or for a time, and then for the token
  kAway,      // it is in a call that may block, without the token
  kGone,
};

// Why a thread that waited goes on.
enum class Wake : std::uint8_t {
  kNotYet,
  kReleased,  // somebody has done something to the object
  kTime,      // its time has come
  kReal,      // nobody can go on: it has to wait for real, without the token
};

inline constexpr std::uint64_t kNoTime = ~std::uint64_t{0};

struct SerialThread {
  Standing standing;
  Wake wake;
  bool sleeps;                // it has the token, and keeps it while it sleeps
  bool begins_away;           // a library has created it, for its own purposes
  bool is_unsettled;          // it is away, and nobody waits for it to block any more
  std::uint32_t order;        // among all threads that the run ever had
  pid_t number;               // the kernel's
  std::uint64_t used_before;  // when it went away: microseconds that it had had a processor
  wire::SerialPath path;
  std::uint32_t children;         // created so far
  std::atomic<std::uint32_t> go;  // 1: it has the token, or has to wake up; a futex

  std::uintptr_t object;  // that it waits for
  std::uint64_t ticket;   // greater: it has begun to wait later
  std::uint64_t until;    // when it goes on even so; kNoTime: never

  std::uint64_t points, forced;  // how many it has come to; how often it could not go on
  std::uint32_t turn;            // points since it has the token
  std::uint32_t quiet;           // accesses since then that were none
  Point pending;                 // what it does next
  std::uint64_t place;           // of `pending`, the same in every run
  std::uint32_t visit;           // of that place
  std::uint32_t most_visits;     // of any place
  PointKind done;                // at the point before
  std::uint32_t held;            // locks
  bool gives_back, gave_back;    // a lock: since that point; before it
  std::uint64_t latest_pair;     // what it read last, and who wrote it
  Spinning spinning;
  std::uint32_t looks;        // at a clock, in a row
  std::uint64_t looks_since;  // so many changes of the program

  std::uint64_t priority;  // of the strategy; greater: goes first
  std::uint64_t weight;    // points that are to come, of it and of the threads it will create
};

}  // namespace omnium::runtime
