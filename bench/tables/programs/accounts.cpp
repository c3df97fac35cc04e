// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bank: deposits lock, a transfer is two of them, and an audit adds up without a common lock.
#include <array>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Account {
 public:
  void deposit(int amount) {
    const std::lock_guard guard(mutex_);
    balance_ += amount;
  }
  int balance() {
    const std::lock_guard guard(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

std::array<Account, 6> accounts;

// Not atomic.
void transfer(int from, int to, int amount) {
  accounts[from].deposit(-amount);
  accounts[to].deposit(amount);
}

// Not atomic.
int audit() {
  int sum = 0;
  for (Account& account : accounts) sum += account.balance();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        transfer((i + t) % 6, (i + t + 1) % 6, 1);
        if (i % 10 == 0) audit();
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}
