// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A serial run that goes by the steps of a target (schedule/target.h): who would come too early for
// a step is not chosen, as long as others can go on. So what steering has made happen is turned
// into switches, which can be followed exactly. Used by the thread that has the token.
#pragma once

#include "runtime/schedule/dice.h"
#include "runtime/schedule/strategy.h"

namespace omnium::runtime {

// Ends the program if the file cannot be used. Its places become points.
void prepare_steps(const char* path);
void steps_modules_changed();

SerialThread* by_steps(const Candidates& candidates, const SerialThread& self, SerialThread& usual,
                       Dice* dice);
// Has each of them to wait for another thread to do the next step?
bool wait_for_steps(const Candidates& candidates);

// The thread is about to do it.
void note_step(const SerialThread& self, const Point& point);

}  // namespace omnium::runtime
