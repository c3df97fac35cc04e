// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions that were refuted in this run, if it refines what is atomic (blocks=functions). One
// that was reported is dropped. One that was refuted only because it calls another that is dropped
// may still have a window of its own.
#pragma once

#include <cstddef>

#include "runtime/state/code.h"

namespace omnium::runtime {

// Called under the lock of the reach engine. If there are too many functions, nothing happens.
void note_refuted(Pc function);
void drop_function(Pc function);  // refuted or not, it is no block
void note_body(Pc function);      // it does all the work of a thread, in a loop: it is dropped, too

// Called by any thread. Another thread may have dropped the function just now.
bool is_dropped(Pc function);
bool is_body(Pc function);
// Does refinement not take the function for atomic any more? Reported or not.
bool is_known_not_atomic(Pc function);

// Copies the functions that were refuted, at most so many. Returns their number.
std::size_t refuted_functions(Pc* to, std::size_t most);

}  // namespace omnium::runtime
