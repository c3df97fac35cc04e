// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The line to the `omnium` process that explains what was found (wire/protocol.h). A program that
// was not started by `omnium run` starts that process itself when there is something to say.
#pragma once

#include <cstddef>

#include "wire/protocol.h"

namespace omnium::runtime {

void open_channel();

wire::Counters& counters();
inline void count_forgotten() { counters().forgotten.fetch_add(1, std::memory_order_relaxed); }

wire::Header header(wire::Type type);

// This process is another one than before: the watcher, if there is one, hears of it.
void announce_process();

// False: nobody listens.
bool send_message(const void* message, std::size_t size);
// The next message from the watcher; 0: nobody is there.
std::size_t receive_message(void* buffer, std::size_t size);

void warn(const char* text);

// The process ends: says good-bye, and waits until a watcher that it started itself has written
// everything. Returns whether this process must report findings by its exit status.
bool close_channel();

}  // namespace omnium::runtime
