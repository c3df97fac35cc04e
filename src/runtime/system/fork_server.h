// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Starts the program again and again without executing it (wire/fork_server.h).
#pragma once

namespace omnium::runtime {

// If OMNIUM_CHANNEL asks for a server, this process becomes one: the function returns in each of
// the processes that it forks, with the environment of that run. Otherwise it returns at once.
// Nothing of the program may have run before, nor any other part of the runtime.
void serve_forks(char** variables);

// The process is killed when the one that started it ends, however that comes about: a run that
// spins for ever must not outlive a hunt that was killed.
void end_with_parent();

}  // namespace omnium::runtime
