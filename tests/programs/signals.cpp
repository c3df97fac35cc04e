// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals interrupt blocks, locked regions and the runtime itself; the handler touches memory.
//
// expect: nothing
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
long value = 0;
std::atomic<bool> stop{false};
thread_local volatile sig_atomic_t interrupted = 0;
std::atomic<long> interruptions{0};

void on_signal(int) { interrupted = interrupted + 1; }

void work() {
  while (!stop.load()) {
    OMNIUM_ATOMIC("add");
    std::lock_guard lock(mutex);
    value += 1;
  }
  interruptions.fetch_add(interrupted);
}

int main() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  std::thread first(work), second(work);
  for (int i = 0; i < 500; ++i) {
    pthread_kill(first.native_handle(), SIGUSR2);
    pthread_kill(second.native_handle(), SIGUSR2);
    const timespec moment = {0, 200'000};
    nanosleep(&moment, nullptr);
  }
  stop = true;
  first.join();
  second.join();
  return interruptions > 0 ? 0 : 1;
}
