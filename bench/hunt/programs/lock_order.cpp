// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: deadlock
// Money goes both ways between two accounts, and each transfer locks the account that it takes from
// first. It shows if both transfers have their first lock.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 100;
};

Account savings;
Account checking;

void transfer(Account& from, Account& to, long amount) {
#ifdef FIXED
  std::scoped_lock lock(from.mutex, to.mutex);
#else
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
#endif
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(savings, checking, 30); });
  std::thread other([] { transfer(checking, savings, 20); });
  one.join();
  other.join();
  return savings.balance + checking.balance == 200 ? 0 : 1;
}
