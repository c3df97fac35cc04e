// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The token of a serial run: only the thread that has it runs code of the program. All others wait
// for it, wait for an object, or are away in a call that may block. Who gives the token away
// decides who gets it, after all threads that are neither in the queue nor blocked have come to
// rest: so who can be chosen depends on earlier decisions alone.
#pragma once

#include "runtime/schedule/serial_thread.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

// Is this run serial, and still in order? Read without the lock.
extern std::atomic<bool> serial_is_on;
// The process is ending: the thread that ends it keeps the token.
void keep_token_for_end();
void switch_serial_off(wire::SerialOff why);

extern constinit thread_local SerialThread* tls_serial __attribute__((tls_model("initial-exec")));

// All that follows: `self` is the calling thread.
bool has_token(const SerialThread& self);
std::uint32_t live_threads();

// Threads. `index` is that of the ThreadState.
SerialThread& serial_thread(std::uint32_t index);
void add_thread(SerialThread& child, SerialThread* parent);
void drop_thread(SerialThread& child);  // it was not created after all
void begin_thread(SerialThread& self);  // waits for its turn
void end_thread(SerialThread& self);    // gives the token away for good

// At a point, with the token: another thread may go first.
void let_others_go(SerialThread& self, const Point& point);
// Without the token: waits for it. (The thread has returned from a call.)
void come_back(SerialThread& self);
// With the token: gives it away. come_back() is next.
void go_away(SerialThread& self);

// Waits until somebody calls release() for the object, or until the time has come, and has the
// token again then; unless the answer is kReal: then the thread has to block in the real call, and
// come_back() is next.
Wake wait_for(SerialThread& self, std::uintptr_t object, std::uint64_t until);
// The same for the end of a thread, which may come at any time.
Wake wait_for_end(SerialThread& self, const SerialThread& other);
// All threads that wait for the object go on, or only the one that has waited longest.
void release(std::uintptr_t object, bool all);

// The time of a serial run: how many points there were so far.
std::uint64_t serial_time();

// How long the program has run, in microseconds: a point takes one. With a virtual clock, what
// nobody waited for comes on top.
std::uint64_t serial_clock();
// Time passes while the thread has the token.
void pass_time(std::uint64_t micros);
// Of the program's memory and objects.
std::uint64_t changes_so_far();

// What the thread did last has changed nothing.
void changed_nothing(SerialThread& self);
// Others go first.
void yield_token(SerialThread& self, const Point& point);

}  // namespace omnium::runtime
