// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A handler leaves by siglongjmp, at any moment: also when the interrupted thread is inside the
// runtime. Afterwards no lock of the runtime is held, and everything is checked as before.
//
// expect: slow_add (with add), lost update on counter.value
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>

#include "lost_update.h"

namespace {

sigjmp_buf back;
std::atomic<long> shared{0};
long cells[1 << 12];

void on_alarm(int) { siglongjmp(back, 1); }

// Not inlined: a block belongs to a frame, and the jump leaves this one.
[[gnu::noinline]] void compute() {
  for (unsigned i = 0;; ++i) {
    OMNIUM_ATOMIC("compute");
    cells[i * 7919u % (1 << 12)] += 1;
    shared.fetch_add(1);
  }
}

void set_timer(int microseconds) {
  const itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

int main() {
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load()) shared.fetch_add(1);
  });
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, nullptr);
  volatile int jumps = 0;
  if (sigsetjmp(back, 1) != 0) jumps = jumps + 1;
  if (jumps == 0) set_timer(300);
  if (jumps < 1000) compute();
  set_timer(0);
  stop = true;
  other.join();
  // Another thread touches everything that was interrupted.
  std::thread visitor([] {
    for (long& cell : cells) cell += 1;
    shared.fetch_add(1);
  });
  visitor.join();
  lose_update();
}
