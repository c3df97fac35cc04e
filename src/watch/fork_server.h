// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that is executed and linked once and then forked for each run (wire/fork_server.h):
// starting a short test costs more than the test.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "support/descriptor.h"
#include "support/error.h"
#include "watch/channel.h"
#include "watch/program.h"

namespace omnium::watch {

class ForkServer {
 public:
  // None if the program is not one that our runtime is linked to, or does not answer.
  static std::optional<ForkServer> start(const Program& program);
  ForkServer(ForkServer&& other) noexcept;
  ForkServer& operator=(ForkServer&&) = delete;
  ~ForkServer();

  pid_t process() const { return process_; }
  // Can be read when a run has ended, or the server has.
  int descriptor() const { return socket_.get(); }
  // False if it has ended: then programs have to be started in the ordinary way.
  bool is_alive() const { return alive_; }

  // A run in a process group of its own, with these values of OMNIUM_CHANNEL and OMNIUM_OPTIONS.
  // Returns its process id.
  Result<pid_t> run(const Channel& channel, const std::string& options, const std::string& output);
  // The status of the run as of wait(). None: it has not ended yet. If the server ends before, it
  // is not known how the run did.
  struct End {
    int status = 0;
    bool known = true;
  };
  std::optional<End> ended();

 private:
  ForkServer(pid_t process, support::Descriptor socket)
      : process_(process), socket_(std::move(socket)) {}

  pid_t process_;
  support::Descriptor socket_;
  bool alive_ = true;
};

}  // namespace omnium::watch
