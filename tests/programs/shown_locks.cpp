// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The locks of a picture are what they are: the shared side of a reader-writer lock, and a wait for
// a condition.
//
// options: --waits keep
// expect: get (with put), lost update on entries
// expect: print (with serve), broken hand-over on job and printed
// shows: lock shared table
// shows: unlock shared table
// shows: Every access held table: this is not a data race
// shows: wait with mutex
// shows: resume with mutex
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::shared_mutex table;
int entries = 0;

int size() {
  std::shared_lock lock(table);
  return entries;
}

void get() {
  OMNIUM_ATOMIC("get");
  const int before = size();
  turn(1);
  turn(4);
  std::unique_lock lock(table);
  entries = before + 1;
}

void put() {
  OMNIUM_ATOMIC("put");
  std::unique_lock lock(table);
  entries += 1;
}

std::mutex mutex;
std::condition_variable changed;
int job = 0;
int printed = 0;

void print() {
  OMNIUM_ATOMIC("print");
  std::unique_lock lock(mutex);
  job = 1;
  turn(5);
  changed.wait(lock, [] { return printed == 1; });
}

void serve() {
  OMNIUM_ATOMIC("serve");
  std::lock_guard lock(mutex);
  printed = job;
  changed.notify_all();
}

int main() {
  std::thread reader([] {
    get();
    print();
  });
  std::thread writer([] {
    turn(2);
    put();
    turn(3);
    turn(6);
    serve();
  });
  reader.join();
  writer.join();
}
