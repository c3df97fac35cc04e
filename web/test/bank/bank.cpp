// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bank with two workers: every access to the balance holds the account's mutex.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  long balance = 0;
};

static Account account;
static long fee;

























// Moves money. Reads the balance in one critical section, and writes it back
// in another one.
void transfer(long amount) {
  OMNIUM_ATOMIC;
  account.mutex.lock();
  long before = account.balance;
  account.mutex.unlock();

  // Takes its time.
  std::this_thread::yield();

  fee = amount / 100;



  account.mutex.lock();
  account.balance = before - amount;
  account.mutex.unlock();

}









void deposit(long amount) {
  OMNIUM_ATOMIC;
  account.mutex.lock();
  account.balance += amount;
  account.mutex.unlock();
}














int main() {
  account.balance = 100;
  std::thread second(transfer, 30);
  std::thread fifth(deposit, 50);

  second.join();
  fifth.join();
  return account.balance == 120 ? 0 : 1;
}
