// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How a program is started many times, but executed and linked once: the runtime of a first process
// stops before any code of the program has run, and forks a process for each run.
//
// That first process finds "OMNIUM_CHANNEL=server,SOCKET", where SOCKET is a SOCK_SEQPACKET socket.
// It says kReady. A StartRequest with the two descriptors of a channel (wire/protocol.h) starts a
// run: the answers are kStarted with its process id, or kFailed, and later kEnded with its status
// as of wait(). One run at a time. The end of the socket is the end of the server.
#pragma once

#include <cstdint>

namespace omnium::wire {

inline constexpr char kServerMark[] = "server,";

// The texts follow, each with its final zero: "OMNIUM_CHANNEL=…", "OMNIUM_OPTIONS=…", and the path
// of the file that the program writes its output to.
struct StartRequest {
  std::int32_t socket, counters;  // the numbers that the two descriptors have in OMNIUM_CHANNEL

  static constexpr std::uint32_t kMostText = 16 * 1024;
};

enum class ServerWord : std::uint32_t { kReady = 1, kStarted, kFailed, kEnded };

struct ServerNews {
  ServerWord word;
  std::int32_t value;
};

}  // namespace omnium::wire
