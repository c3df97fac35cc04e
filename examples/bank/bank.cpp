// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bank that loses money without a data race: every access to a balance holds the account's mutex,
// but transfer() reads the balance in one critical section and writes it back in another, and what
// is deposited in between is lost.
//
// expect: transfer (with deposit), lost update on savings.balance
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../shapes/turns.h"

struct Account {
  std::mutex mutex;
  long balance;
};

Account savings{{}, 100};
Account checking{{}, 0};

long read_balance(Account& account) {
  std::lock_guard lock(account.mutex);
  return account.balance;
}

void write_balance(Account& account, long balance) {
  std::lock_guard lock(account.mutex);
  account.balance = balance;
}

void deposit(Account& account, long amount) {
  OMNIUM_ATOMIC("deposit");
  std::lock_guard lock(account.mutex);
  account.balance += amount;
}

bool transfer(Account& from, Account& to, long amount) {
  OMNIUM_ATOMIC("transfer");
  const long before = read_balance(from);
  if (before < amount) return false;
  turn(1);  // the other teller makes a deposit here
  turn(4);
  write_balance(from, before - amount);
  std::lock_guard lock(to.mutex);
  to.balance += amount;
  return true;
}

int main() {
  std::thread first([] {
    pthread_setname_np(pthread_self(), "teller-1");
    transfer(savings, checking, 30);
  });
  std::thread second([] {
    pthread_setname_np(pthread_self(), "teller-2");
    turn(2);
    deposit(savings, 50);
    turn(3);
  });
  first.join();
  second.join();
  const long total = savings.balance + checking.balance;
  std::printf("100 and a deposit of 50 make %ld: %s\n", total,
              total == 150 ? "right" : "a deposit was lost");
}
