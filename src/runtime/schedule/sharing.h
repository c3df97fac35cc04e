// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a serial run learns of the program's memory: which places access memory that several threads
// use, at least one of them writing, and who reads from whom. Plain accesses are points only at
// such places. Used by the thread that has the token.
#pragma once

#include "runtime/schedule/serial_thread.h"

namespace omnium::runtime {

void prepare_sharing(wire::SerialBoard& board);
// Modules were loaded.
void find_serial_modules();

// The instruction in memory; 0 if its module is not loaded.
Pc in_memory(const wire::SerialPlace& place);

// Is a plain access there a point?
bool is_shared_place(Pc pc);
// From now on.
void share_place(Pc pc);

// The thread is about to do it.
void note_access(SerialThread& thread, const Point& point, std::uint64_t time);

// The instruction, as a number that means the same in every run.
std::uint64_t place_of(Pc pc);

// Something is special about the run, as the hash says.
void note_feature(std::uint64_t hash, std::uint64_t time);

// How often the thread has come to the point, this time included.
std::uint32_t count_visit(const SerialThread& thread, Pc pc);

}  // namespace omnium::runtime
