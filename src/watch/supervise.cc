// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/supervise.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>

#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace omnium::watch {

namespace {

sigset_t held_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGCHLD}) {
    sigaddset(&set, signal);
  }
  return set;
}

class Supervisor {
 public:
  Supervisor(Channel& channel, Watcher& watcher, pid_t child)
      : channel_(channel), watcher_(watcher), own_child_(child != 0), child_(child) {
    const sigset_t set = held_signals();
    signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  // For a child in a group of its own.
  Supervisor(Channel& channel, Watcher& watcher, const Group& group)
      : Supervisor(channel, watcher, group.child) {
    is_over_ = &group.is_over;
    server_ = group.server;
    group_ = group.child;
  }
  ~Supervisor() { ::close(signals_); }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  int run() {
    reap();
    while ((channel_.is_open() && !given_up_) || child_ != 0) {
      pollfd waits[] = {
          {signals_, POLLIN, 0},
          {channel_.descriptor(), POLLIN, 0},
          {server_ == nullptr || child_ == 0 ? -1 : server_->descriptor(), POLLIN, 0}};
      if (::poll(waits, 3, group_ == 0 ? -1 : kLook) < 0 && errno != EINTR) break;
      if ((waits[0].revents & POLLIN) != 0) take_signals();
      if (waits[1].revents != 0) take_packets();
      if (waits[2].revents != 0) ask_server();
      if (group_ != 0) look_after_group();
    }
    return status_;
  }
  GroupEnd run_group() {
    const int status = run();
    return {status, known_, interrupted_};
  }

 private:
  static constexpr int kLook = 5;  // milliseconds

  // Nothing of it goes on when the child has ended. What it said is still read.
  void look_after_group() {
    if (!ended_at_ && (child_ == 0 || (*is_over_)())) end_group();
    using namespace std::chrono_literals;
    if (ended_at_ && std::chrono::steady_clock::now() - *ended_at_ > 500ms) given_up_ = true;
  }

  void end_group() {
    ::kill(-group_, SIGKILL);
    if (!ended_at_) ended_at_ = std::chrono::steady_clock::now();
  }

  void take_packets() {
    Channel::Packet packet;
    // Signals must be handled in between, however many packets the program sends.
    for (int i = 0; i < 16 && channel_.receive(packet); ++i) watcher_.receive(packet);
  }

  void take_signals() {
    signalfd_siginfo signal;
    while (::read(signals_, &signal, sizeof(signal)) == sizeof(signal)) {
      if (signal.ssi_signo == SIGUSR1) {
        watcher_.print_summary(false);
      } else if (signal.ssi_signo == SIGCHLD) {
        reap();
      } else if (group_ != 0) {
        interrupted_ = true;
        end_group();
      } else if (child_ == 0) {
        given_up_ = own_child_;
      } else if (signal.ssi_code <= 0) {
        // The terminal has sent its signals to the program as well.
        ::kill(child_, static_cast<int>(signal.ssi_signo));
      }
    }
  }

  void ask_server() {
    const auto end = server_->ended();
    if (!end) return;
    child_ = 0;
    status_ = end->status;
    known_ = end->known;
  }

  void reap() {
    if (server_ != nullptr) return;
    int status = 0;
    if (child_ == 0 || ::waitpid(child_, &status, WNOHANG) != child_) return;
    child_ = 0;
    status_ = status;
  }

  Channel& channel_;
  Watcher& watcher_;
  const bool own_child_;
  pid_t child_;  // 0: it has ended, or is somebody else's
  int signals_ = -1;
  int status_ = 0;
  const std::function<bool()>* is_over_ = nullptr;
  ForkServer* server_ = nullptr;
  bool known_ = true, interrupted_ = false;
  pid_t group_ = 0;                                                // 0: the child is in our group
  std::optional<std::chrono::steady_clock::time_point> ended_at_;  // the group
  bool given_up_ = false;  // a signal came after the program ended: do not wait for its children
};

}  // namespace

void hold_signals() {
  std::signal(SIGCHLD, SIG_DFL);  // if it were ignored, wait() would never report the program's end
  const sigset_t set = held_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
}

int supervise(Channel& channel, Watcher& watcher, pid_t child) {
  return Supervisor(channel, watcher, child).run();
}

GroupEnd supervise_group(Channel& channel, Watcher& watcher, const Group& group) {
  return Supervisor(channel, watcher, group).run_group();
}

int exit_like(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return WEXITSTATUS(wait_status);
  const int signal = WTERMSIG(wait_status);
  const rlimit no_core{0, 0};  // the program has dumped its own core already
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  return 128 + signal;
}

}  // namespace omnium::watch
