// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/interrupt.h"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace omnium::support {

namespace {

constexpr std::size_t kMostFiles = 64;
std::array<std::atomic<const char*>, kMostFiles> files;
std::atomic<int> waits{0};  // how many Interruptible there are
std::atomic<bool> noted{false};

extern "C" void take_signal(int signal) {
  if (signal == SIGINT && waits.load() > 0 && !noted.exchange(true)) return;
  for (const auto& file : files) {
    if (const char* path = file.load()) ::unlink(path);
  }
  // The parent sees how it ended.
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

// What the parent has told us to ignore stays ignored. Who waits for input is woken up. Once is
// enough: thousands of small traces would feel the system calls.
void listen() {
  static std::atomic<bool> listening{false};
  if (listening.exchange(true)) return;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = take_signal;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(const std::string& path) : path_(path) {
  listen();
  for (auto& file : files) {
    const char* free = nullptr;
    if (!file.compare_exchange_strong(free, path_.c_str())) continue;
    slot_ = &file;
    return;
  }
}

RemovedOnSignal::~RemovedOnSignal() {
  if (slot_ != nullptr) slot_->store(nullptr);
}

Interruptible::Interruptible() {
  listen();
  ++waits;
}

Interruptible::~Interruptible() { --waits; }

bool wait_for_input(int descriptor) {
  if (waits.load() == 0) return true;  // the signal ends the process
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  bool ready = false;
  while (!ready && !is_interrupted()) {
    pollfd wait{descriptor, POLLIN, 0};
    // Another thread may get the signal: then nobody wakes this one up.
    constexpr timespec kBetweenLooks{0, 50'000'000};
    const int got = ::ppoll(&wait, 1, &kBetweenLooks, &before);
    ready = got > 0 || (got < 0 && errno != EINTR);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return ready;
}

bool is_interrupted() { return noted.load(std::memory_order_relaxed); }

}  // namespace omnium::support
