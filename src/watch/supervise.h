// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The main loop of a run: handles messages and signals until the last process that holds the
// channel has ended.
#pragma once

#include <functional>

#include <sys/types.h>

#include "watch/channel.h"
#include "watch/watcher.h"

namespace omnium::watch {

// From here on signals are held back until supervise() handles them.
void hold_signals();

// SIGINT, SIGTERM, SIGHUP and SIGQUIT go on to the child; when it is gone, they end the wait for
// processes that it has left behind. SIGUSR1 prints a summary. Returns the child's wait status, or
// 0 without a child (`child` 0).
int supervise(Channel& channel, Watcher& watcher, pid_t child);

// The same for a child in a process group of its own, which is ended as soon as is_over() says so:
// it is asked every few milliseconds. A signal ends it, too: then `interrupted` becomes true.
int supervise_group(Channel& channel, Watcher& watcher, pid_t child,
                    const std::function<bool()>& is_over, bool& interrupted);

// The status that omnium exits with. If a signal killed the program, omnium ends itself by the same
// signal.
int exit_like(int wait_status);

}  // namespace omnium::watch
