// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: transfer
// A transfer checks the balance in one critical section and takes the money in another one. It
// shows if a second transfer from the same account comes in between: the account is overdrawn.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Account {
  std::mutex mutex;
  long balance;
};

Account savings{{}, 100};
Account checking{{}, 0};

void transfer(long amount) {
  OMNIUM_ATOMIC("transfer");
#ifdef FIXED
  std::scoped_lock lock(savings.mutex, checking.mutex);
  if (savings.balance < amount) return;
  savings.balance -= amount;
  checking.balance += amount;
#else
  {
    std::lock_guard lock(savings.mutex);
    if (savings.balance < amount) return;
  }
  std::scoped_lock lock(savings.mutex, checking.mutex);
  savings.balance -= amount;
  checking.balance += amount;
#endif
}

int main() {
  std::thread first(transfer, 70);
  std::thread second(transfer, 60);
  first.join();
  second.join();
  assert(savings.balance >= 0);
}
