// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: audit
// An audit adds up three accounts, each under its own lock. It shows if money is moved from an
// account that was not yet counted to one that was, or the other way round.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Account {
  std::mutex mutex;
  long balance = 100;
};

std::mutex books;
Account accounts[3];

void transfer(Account& from, Account& to, long amount) {
  OMNIUM_ATOMIC("transfer");
#ifdef FIXED
  std::lock_guard whole(books);
#endif
  std::scoped_lock lock(from.mutex, to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

void audit() {
  OMNIUM_ATOMIC("audit");
#ifdef FIXED
  std::lock_guard whole(books);
#endif
  long total = 0;
  for (Account& account : accounts) {
    std::lock_guard lock(account.mutex);
    total += account.balance;
  }
  assert(total == 300);
}

int main() {
  std::thread auditor(audit);
  std::thread clerk([] { transfer(accounts[0], accounts[2], 40); });
  auditor.join();
  clerk.join();
}
