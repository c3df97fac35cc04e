// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block of a coroutine ends where the coroutine suspends: what its thread does then is not in the
// block. Another thread resumes the coroutine, inside a block of its own. That block does not end
// with the coroutine's, so it is a lost update; and so is what a coroutine does without suspending.
//
// expect: resume (with overwrite), lost update on value
// expect: at once (with overwrite), lost update on value
#include <coroutine>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

std::mutex mutex;
int value = 0, steps = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}
void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}
void step() {
  std::lock_guard lock(mutex);
  ++steps;
}

__attribute__((noinline)) Task in_scope() {
  OMNIUM_ATOMIC("suspends");
  step();
  co_await std::suspend_always{};
  step();
}

// The compiler may inline this one into start(). Then nobody sees where it suspends, and its block
// does not count.
inline Task perhaps_inlined() {
  OMNIUM_ATOMIC("suspends where nobody sees it");
  step();
  co_await std::suspend_always{};
  step();
}

__attribute__((noinline)) Task in_c() {
  omnium_begin("suspends, too");
  step();
  co_await std::suspend_always{};
  step();
  omnium_end();
}

__attribute__((noinline)) Task at_once() {
  OMNIUM_ATOMIC("at once");
  const int seen = look();
  turn(5);
  turn(8);
  put(seen + 1);
  co_return;
}

Task scope, c, inlined;

void start() {
  scope = in_scope();
  c = in_c();
  inlined = perhaps_inlined();
  const int seen = look();
  turn(1);
  turn(4);
  put(seen + 1);
  at_once().handle.destroy();
  turn(9);
}

void overwrite() {
  OMNIUM_ATOMIC("overwrite");
  put(10);
}

void others() {
  turn(2);
  overwrite();
  turn(3);
  turn(6);
  overwrite();
  turn(7);
  turn(12);
  overwrite();
  turn(13);
}

void resume() {
  turn(10);
  OMNIUM_ATOMIC("resume");
  const int seen = look();
  scope.handle.resume();
  c.handle.resume();
  inlined.handle.resume();
  turn(11);
  turn(14);
  put(seen + 1);
}

int main() {
  std::thread first(start), second(others), third(resume);
  first.join();
  second.join();
  third.join();
  scope.handle.destroy();
  c.handle.destroy();
  inlined.handle.destroy();
}
