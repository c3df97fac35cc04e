// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The watcher's end of the channel (wire/protocol.h): a socket for messages, shared memory for
// counters, and connections of processes that have lost the socket. What arrives here is not
// trusted: receiving never waits, and takes bounded memory and descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "support/descriptor.h"
#include "support/error.h"
#include "wire/protocol.h"

namespace omnium::watch {

// A copy for a program to inherit, with a high number if the limit of descriptors allows it.
int inheritable(int descriptor);

class Channel {
 public:
  // A new channel; the program's descriptors are open until close_program_end().
  static Result<Channel> create();
  // The channel that was inherited as "SOCKET,COUNTERS".
  static Result<Channel> inherited(const std::string& descriptors);

  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&&) = delete;
  ~Channel();

  // Can be read when there may be something to receive.
  int descriptor() const { return ready_.get(); }
  const wire::Counters& counters() const { return *counters_; }
  // What OMNIUM_CHANNEL must be for the program.
  std::string program_end() const;
  void close_program_end();
  struct ProgramFiles {
    int socket, counters;
  };
  ProgramFiles program_files() const { return {program_socket_.get(), program_counters_.get()}; }

  struct Packet {
    std::span<const std::byte> bytes;
    std::uint32_t process = 0;  // that sent it, as the kernel says; 0 if it does not
  };
  // The next packet, if there is one. False if there is none.
  bool receive(Packet& packet);
  // Does any process have the channel open? One that connects opens it again.
  bool is_open() const { return main_is_open_ || !connections_.empty(); }
  // Answers the last packet, if its sender passed a socket for that. The content becomes a memory
  // file, and `head` the packet that it comes with. Never waits.
  void answer(std::span<const std::byte> head, std::span<const std::byte> content);

 private:
  Channel() : buffer_(wire::kMaxMessage + 1) {}
  Result<void> map_counters(int descriptor);
  Result<void> prepare_to_receive();
  void listen();
  void accept();
  bool watch(int descriptor);
  enum class Got { kPacket, kNothing, kEnd };
  Got receive_from(int descriptor, Packet& packet);
  void forget(int descriptor);

  support::Descriptor socket_;
  support::Descriptor program_socket_, program_counters_;
  support::Descriptor counters_file_;
  support::Descriptor listener_;
  support::Descriptor ready_;      // an epoll instance for all of these
  support::Descriptor answer_to_;  // came with the last packet
  std::string address_;            // of the listener
  bool main_is_open_ = false;      // socket_
  struct Connection {
    support::Descriptor socket;
    std::uint32_t process = 0;  // that made it
  };
  std::map<int, Connection> connections_;  // by descriptor
  wire::Counters* counters_ = nullptr;
  std::vector<std::byte> buffer_;
};

}  // namespace omnium::watch
