// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads that the C library creates by itself: for timers and asynchronous writes. They are
// threads like all others.
//
// expect: update (with expired#1), lost update on value
// expect: update again (with written#2), lost update on value
// expect: update once more (with expired#3), lost update on value
#include <aio.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0, turns = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}
void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

__attribute__((noinline)) void interfere() {
  turn(turns + 2);
  put(10);
  turn(turns + 3);
}
void expired(sigval) { interfere(); }
void written(sigval) { interfere(); }

void update(const char* name) {
  omnium_begin(name);
  const int seen = look();
  turn(turns + 1);
  turn(turns + 4);
  put(seen + 1);
  omnium_end();
  omnium_ignore_begin();
  turns += 4;
  omnium_ignore_end();
}

void expire(timer_t timer) {
  itimerspec soon = {};
  soon.it_value.tv_nsec = 1'000'000;
  timer_settime(timer, 0, &soon, nullptr);
}

int main() {
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 1;
  expire(timer);
  update("update");

  aiocb request = {};
  request.aio_fildes = open("/dev/null", O_WRONLY);
  request.aio_buf = &event;
  request.aio_nbytes = 1;
  request.aio_sigevent = event;
  request.aio_sigevent.sigev_notify_function = written;
  if (aio_write(&request) != 0) return 1;
  update("update again");
  close(request.aio_fildes);

  expire(timer);
  update("update once more");
  timer_delete(timer);
}
