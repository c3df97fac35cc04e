// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The program's end of the channel to the watcher, the `omnium` process that explains what was
// found (wire/protocol.h). A program that was not started by `omnium run` starts a watcher itself
// when it has something to report (watcher_process.h).
//
// The program may close our descriptors at any time, or a process that started it may have done so.
// Then the runtime connects to the watcher again; if that is not possible, it starts a watcher.
#pragma once

#include <cstddef>

#include "wire/protocol.h"

namespace omnium::runtime {

void open_channel();

wire::Counters& counters();
inline void count_forgotten() { counters().forgotten.fetch_add(1, std::memory_order_relaxed); }

wire::Header header(wire::Type type);

// In the child of a fork: greets the watcher, if there is one.
void announce_process();

// False if there is no watcher and none can be started.
bool send_message(const void* message, std::size_t size);
// Sends a question and waits for the answer to this process. Returns the size of the answer, 0 if
// there is none; `descriptor` becomes the one that came with it, or -1.
std::size_t ask(const void* message, std::size_t size, void* answer, std::size_t most,
                int& descriptor);

// Changes whenever the process must introduce itself anew: after a fork, and to a new watcher.
// Starts the watcher if there is none.
unsigned current_introduction();

void warn(const char* text);

// Sends kGoodbye. If this process started the watcher, waits until that has written everything.
// True if it did, or if no watcher could be started: then this process itself must report findings
// by its exit status.
bool close_channel();

// Around a fork.
void lock_channel();
void unlock_channel();

}  // namespace omnium::runtime
