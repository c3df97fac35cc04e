// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Starts the program again and again without executing it (wire/fork_server.h).
#pragma once

namespace omnium::runtime {

// If OMNIUM_CHANNEL asks for a server, this process becomes one: the function returns in each of
// the processes that it forks, with the environment of that run. Otherwise it returns at once.
// Nothing of the program may have run before, nor any other part of the runtime.
void serve_forks(char** variables);

}  // namespace omnium::runtime
