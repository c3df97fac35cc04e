// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The main loop of a run: handles messages and signals until the last process that holds the
// channel has ended.
#pragma once

#include <functional>

#include <sys/types.h>

#include "watch/channel.h"
#include "watch/fork_server.h"
#include "watch/watcher.h"

namespace omnium::watch {

// From here on signals are held back until supervise() handles them.
void hold_signals();

// SIGINT, SIGTERM, SIGHUP and SIGQUIT go on to the child; when it is gone, they end the wait for
// processes that it has left behind. SIGUSR1 prints a summary. Returns the child's wait status, or
// 0 without a child (`child` 0).
int supervise(Channel& channel, Watcher& watcher, pid_t child);

// The same for a child in a process group of its own, which is ended as soon as is_over() says so:
// it is asked every few milliseconds. If a fork server has started the child, it says how that
// ended.
struct Group {
  pid_t child = 0;
  ForkServer* server = nullptr;
  const std::function<bool()>& is_over;
};
struct GroupEnd {
  int status = 0;            // as of wait()
  bool known = true;         // false: the server has ended before
  bool interrupted = false;  // a signal came, which has ended it
};
GroupEnd supervise_group(Channel& channel, Watcher& watcher, const Group& group);

// The status that omnium exits with. If a signal killed the program, omnium ends itself by the same
// signal.
int exit_like(int wait_status);

}  // namespace omnium::watch
