// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The watcher's end of the channel (wire/protocol.h): a socket for messages, and shared memory for
// counters.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/error.h"
#include "wire/protocol.h"

namespace omnium::watch {

class Channel {
 public:
  // A new channel; the program's descriptors are open until close_program_end().
  static Result<Channel> create();
  // The channel that was inherited as "SOCKET,COUNTERS".
  static Result<Channel> inherited(const std::string& descriptors);

  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  int socket() const { return socket_; }
  const wire::Counters& counters() const { return *counters_; }
  // What OMNIUM_CHANNEL must be for the program.
  std::string program_end() const;
  void close_program_end();

  enum class Got { kPacket, kNothing, kEnd };
  // The next packet, if there is one.
  Got receive(std::span<const std::byte>& packet);
  void send(std::span<const std::byte> packet);

 private:
  Channel() : buffer_(wire::kMaxMessage + 1) {}
  Result<void> map_counters(int descriptor);

  int socket_ = -1;
  int program_socket_ = -1, program_counters_ = -1;
  wire::Counters* counters_ = nullptr;
  std::vector<std::byte> buffer_;
};

}  // namespace omnium::watch
