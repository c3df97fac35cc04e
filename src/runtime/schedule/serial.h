// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Serial runs (docs/hunting.md): one thread of the program at a time, so that a run can be repeated
// exactly. What the interposed functions tell.
#pragma once

#include <cstdint>

#include "runtime/schedule/point.h"

namespace omnium::runtime {

struct ThreadState;

// Reads the board. `path` is empty: the run is not serial. Ends the program if the file cannot be
// used.
bool prepare_serial(const char* path);
// In the child of a fork: it is not serial.
void stop_serial();
void serial_process_ends();
void serial_modules_changed();

// The thread comes to a point, or yields the processor there.
void serial_point(const Point& point);
void serial_yield(Pc pc);
// It has taken a lock, or given one back.
void serial_lock(bool taken);

// Called in the creator, before it creates a thread, and in the thread. They may be null.
void serial_created(const ThreadState* child);
void serial_not_created(const ThreadState* child);
void serial_begins();
void serial_ends();

// How the thread has to wait for another one.
enum class SerialWait : std::uint8_t {
  kAgain,    // look again: it may be over
  kTimeout,  // it has waited for long
  kReal,     // by the real call; serial_back() follows
};
// Is this thread one that must not block?
bool is_serial_here();
// `micros`: at most so long; 0: for ever.
SerialWait serial_wait(const void* object, std::uint64_t micros);
// Waits for the end of a thread; its state may be null. False: by the real call, and serial_back()
// follows.
bool serial_wait_for_end(const ThreadState* thread);
void serial_released(const void* object, bool all);
// Is the thread the only one of a run with a virtual clock? Then this much time has passed at once.
bool pass_time_alone(std::uint64_t micros);
// The thread sleeps for what is left of its time, or does not any more: nobody else goes on.
void serial_sleeps(bool sleeps);
// Around a call that may block.
void serial_away();
void serial_back();

}  // namespace omnium::runtime
