// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: print_statement
// A statement has the balance at the top and at the bottom, read in two critical sections. It shows
// if a payment comes in between.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::recursive_mutex mutex;
long balance = 100;

long read_balance() {
  std::lock_guard lock(mutex);
  return balance;
}

void print_statement() {
  OMNIUM_ATOMIC("print_statement");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  const long at_the_top = read_balance();
  const long at_the_bottom = read_balance();
  assert(at_the_top == at_the_bottom);
}

void pay() {
  OMNIUM_ATOMIC("pay");
  std::lock_guard lock(mutex);
  balance += 10;
}

int main() {
  std::thread printer(print_statement);
  std::thread customer(pay);
  printer.join();
  customer.join();
}
