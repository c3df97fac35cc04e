// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads are called by what they run.
//
// expect: slow_add (with add), lost update on value
// expect: ask (with answer), unrepeatable read on question
// shows: slow_add (slow_add#1) must come before add (Desk::serve#2):
// shows: ask (lambda in main#3) must come before answer (T4):
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int value = 0, question = 0;

int get(int& from) {
  std::lock_guard lock(mutex);
  return from;
}

void put(int& into, int number) {
  std::lock_guard lock(mutex);
  into = number;
}

void slow_add(const char*, int more) {
  OMNIUM_ATOMIC("slow_add");
  const int old = get(value);
  turn(1);
  turn(4);
  put(value, old + more);
}

struct Desk {
  void serve(int more) {
    turn(2);
    {
      OMNIUM_ATOMIC("add");
      const std::lock_guard lock(mutex);
      value += more;
    }
    turn(3);
  }
};

// Which function runs is known when it is called.
struct Answer {
  virtual ~Answer() = default;
  virtual void write() = 0;
};
struct LateAnswer : Answer {
  void write() override {
    turn(6);
    {
      OMNIUM_ATOMIC("answer");
      put(question, 42);
    }
    turn(7);
  }
};

int main() {
  Desk desk;
  std::thread slow(slow_add, "slow", 1), quick(&Desk::serve, &desk, 2);
  slow.join();
  quick.join();
  auto asked = std::async(std::launch::async, [] {
    OMNIUM_ATOMIC("ask");
    const int first = get(question);
    turn(5);
    turn(8);
    return get(question) - first;
  });
  std::thread answered(&Answer::write, std::make_unique<LateAnswer>());
  answered.join();
  return asked.get() == 42 ? 0 : 1;
}
