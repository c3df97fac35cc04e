// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Futures and stop tokens wait like latches. A block that waits for another thread there has two
// parts, and what they do inside themselves meanwhile is not the block's; nor is what a condition
// does. If nothing has to be waited for, what another thread does in between is found.
//
// options: --conflicts data --waits split
// expect: ready before (with overwrite), lost update on value
// expect: stopped before (with overwrite), lost update on value
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}
void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}
void overwrite() {
  OMNIUM_ATOMIC("overwrite");
  put(10);
}
void sleep_for(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::promise<int> set_later, set_timed, set_before;
std::stop_source stop_later, stop_before;

void wait_for_future(std::promise<int>& promise, bool timed) {
  auto future = promise.get_future();
  OMNIUM_ATOMIC("waits for a future");
  const int seen = look();
  turn(timed ? 3 : 1);
  if (timed) future.wait_for(std::chrono::hours(1));
  put(seen + future.get());
}

// Another callback comes and goes meanwhile; then the stop is waited for outside of any block.
void wait_for_stop() {
  {
    OMNIUM_ATOMIC("is told of a stop");
    const std::stop_callback callback(stop_later.get_token(), [] {});
    turn(5);
    turn(7);
  }
  while (!stop_later.stop_requested()) std::this_thread::yield();
}

// Registers a callback, and takes it back when another one has come and gone.
void list_callback() {
  OMNIUM_ATOMIC("lists a callback");
  const std::stop_callback callback(stop_before.get_token(), [] {});
  turn(9);
  turn(12);
}

void find_ready() {
  auto future = set_before.get_future();
  OMNIUM_ATOMIC("ready before");
  const int seen = look();
  turn(13);
  turn(16);
  put(seen + future.get());
}

void find_stopped() {
  OMNIUM_ATOMIC("stopped before");
  const int seen = look();
  turn(17);
  turn(20);
  put(seen + stop_before.stop_requested());
}

std::condition_variable_any condition;

void wait_a_moment() {
  std::mutex own;
  std::unique_lock lock(own);
  condition.wait_for(lock, std::chrono::milliseconds(1));
}

void wait_twice() {
  OMNIUM_ATOMIC("waits twice");
  wait_a_moment();
  turn(21);
  turn(24);
  wait_a_moment();
}

int main() {
  set_before.set_value(1);
  std::thread first([] {
    wait_for_future(set_later, false);
    wait_for_future(set_timed, true);
    wait_for_stop();
    list_callback();
    stop_before.request_stop();
    find_ready();
    find_stopped();
    wait_twice();
  });
  std::thread second([] {
    turn(2);
    sleep_for(50);  // so that the other thread really waits
    overwrite();
    set_later.set_value(1);
    turn(4);
    sleep_for(50);
    overwrite();
    set_timed.set_value(1);
    turn(6);
    { const std::stop_callback another(stop_later.get_token(), [] {}); }
    turn(8);
    stop_later.request_stop();
    turn(10);
    { const std::stop_callback another(stop_before.get_token(), [] {}); }
    turn(11);
    turn(14);
    overwrite();
    turn(15);
    turn(18);
    overwrite();
    turn(19);
    turn(22);
    wait_a_moment();
    turn(23);
  });
  first.join();
  second.join();
}
