// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Containers that functions of the C++ library change, which is not instrumented.
//
// flags: -std=c++17
// expect: look at map (with insert), unrepeatable read on node of numbers
// expect: look at set (with erase), unrepeatable read on node of names
// expect: look at list (with push), unrepeatable read on queue
// expect: look at string (with append), unrepeatable read on text.size
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
std::map<int, int> numbers{{1, 1}};
std::set<int> names{1, 5};
std::list<int> queue;
std::string text;
volatile int kept;

template <class Look>
void look_twice(const char* name, int turns, Look look) {
  OMNIUM_ATOMIC(name);
  for (int i = 0; i < 2; ++i) {
    {
      std::lock_guard lock(mutex);
      kept = look();
    }
    if (i == 0) turn(turns + 1);
    if (i == 0) turn(turns + 4);
  }
}

template <class Change>
void change_once(const char* name, int turns, Change change) {
  turn(turns + 2);
  {
    OMNIUM_ATOMIC(name);
    std::lock_guard lock(mutex);
    change();
  }
  turn(turns + 3);
}

int main() {
  std::thread reader([] {
    look_twice("look at map", 0, [] { return static_cast<int>(numbers.count(9)); });
    look_twice("look at set", 4, [] { return static_cast<int>(names.count(9)); });
    look_twice("look at list", 8, [] { return queue.begin() == queue.end() ? 0 : 1; });
    look_twice("look at string", 12, [] { return static_cast<int>(text.size()); });
  });
  std::thread writer([] {
    change_once("insert", 0, [] { numbers.emplace(9, 9); });
    change_once("erase", 4, [] { names.erase(5); });
    change_once("push", 8, [] { queue.push_back(1); });
    change_once("append", 12, [] { text.append(40, 'x'); });
  });
  reader.join();
  writer.join();
}
