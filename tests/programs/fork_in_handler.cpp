// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A handler forks, as those of crash reporters do, while threads are busy inside the runtime.
//
// expect: slow_add (with add), lost update on counter.value
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "lost_update.h"

namespace {

std::atomic<long> shared{0};
std::atomic<int> forks{0};

void on_signal(int) {
  const pid_t child = fork();
  if (child == 0) {
    shared.fetch_add(1);
    _exit(0);
  }
  int status = 1;
  if (child > 0 && waitpid(child, &status, 0) == child && status == 0) forks.fetch_add(1);
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  std::atomic<bool> stop{false};
  const auto work = [&] {
    while (!stop.load()) shared.fetch_add(1);
  };
  std::thread first(work), second(work);
  for (int i = 0; i < 60; ++i) {
    pthread_kill((i % 2 == 0 ? first : second).native_handle(), SIGUSR2);
    usleep(3000);
  }
  stop = true;
  first.join();
  second.join();
  if (forks == 0) return 1;
  lose_update();
}
