// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The loop of a run: messages and signals, until the last process that holds the channel is gone.
#pragma once

#include <sys/types.h>

#include "watch/channel.h"
#include "watch/watcher.h"

namespace omnium::watch {

// From here on signals wait until supervise() takes them.
void hold_signals();

// SIGINT, SIGTERM, SIGHUP and SIGQUIT go on to the child; when it is gone, they end the wait for
// processes that it has left behind. SIGUSR1 prints a summary. Returns the child's wait status, or
// 0 without a child (`child` 0).
int supervise(Channel& channel, Watcher& watcher, pid_t child);

// The status for omnium's own exit. A program that was killed by a signal: so is omnium.
int exit_like(int wait_status);

}  // namespace omnium::watch
