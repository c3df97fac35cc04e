// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is read before a barrier and written after it, in one block, may have changed meanwhile:
// with parts that is hidden by design, since the block waits for the other thread there.
//
// options: --conflicts data --waits split
// expect: nothing
// expect with --waits keep: add (with setter#2), cycle of 3 transactions on before and after
#include <pthread.h>

#include <thread>

#include <omnium/atomic.h>

pthread_barrier_t before, after;
int value = 0;

void add() {
  OMNIUM_ATOMIC("add");
  const int seen = value;
  pthread_barrier_wait(&before);
  pthread_barrier_wait(&after);
  value = seen + 1;
}

void set() {
  OMNIUM_ATOMIC("set");
  value = 10;
}

void setter() {
  pthread_barrier_wait(&before);
  set();
  pthread_barrier_wait(&after);
}

int main() {
  pthread_barrier_init(&before, nullptr, 2);
  pthread_barrier_init(&after, nullptr, 2);
  std::thread adding(add), setting(setter);
  adding.join();
  setting.join();
}
