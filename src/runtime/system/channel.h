// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The program's end of the channel to the watcher, the `omnium` process that explains what was
// found (wire/protocol.h). A program that was not started by `omnium run` starts a watcher itself
// when it has something to report.
#pragma once

#include <cstddef>

#include "wire/protocol.h"

namespace omnium::runtime {

void open_channel();

wire::Counters& counters();
inline void count_forgotten() { counters().forgotten.fetch_add(1, std::memory_order_relaxed); }

wire::Header header(wire::Type type);

// Sends kHello, if there is a watcher: at the start, and in the child of a fork.
void announce_process();

// False if there is no watcher and none can be started.
bool send_message(const void* message, std::size_t size);
// The size of the next message from the watcher; 0 if there is no watcher.
std::size_t receive_message(void* buffer, std::size_t size);

void warn(const char* text);

// Sends kGoodbye. If this process started the watcher, waits until that has written everything, and
// returns true: then this process itself must report findings by its exit status.
bool close_channel();

}  // namespace omnium::runtime
