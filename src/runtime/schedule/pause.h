// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Pauses: a thread sleeps before the operation with which its block may stop being atomic, so that
// others get the time to interrupt it (adversarial scheduling, as in Velodrome).
#pragma once

#include "runtime/schedule/point.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// `seed` is a number, or empty: no pauses. Ends the program if it is neither.
bool prepare_pauses(const char* seed);

void pause_where_suspicious(const ThreadState& thread, const Point& point);

// Locks and blocks matter to pauses: called for each of them if there are points.
void pauses_note_taken(std::uintptr_t lock);
void pauses_note_given_back(std::uintptr_t lock);
void pauses_note_block();

}  // namespace omnium::runtime
