// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that closes all descriptors that it did not open, as daemons do, and uses their numbers
// for sockets of its own. What the runtime has to say must not get into them, nor get lost.
//
// expect: slow_add (with add), lost update on counter.value
// shows: 0 sockets got something
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "lost_update.h"

int main() {
  constexpr int kMostDescriptors = 1024;
  for (int i = 3; i < kMostDescriptors; ++i) close(i);
  std::vector<int> sockets;
  for (int pair[2]; sockets.size() < kMostDescriptors;) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair) != 0) break;
    sockets.insert(sockets.end(), pair, pair + 2);
  }
  lose_update();
  int surprised = 0;
  for (const int socket : sockets) {
    char byte;
    if (recv(socket, &byte, 1, MSG_DONTWAIT) >= 0) ++surprised;
  }
  std::fprintf(stderr, "%d sockets got something\n", surprised);
}
