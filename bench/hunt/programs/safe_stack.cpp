// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: use
// A bounded lock-free stack of cells that are taken and given back by three threads. A pop marks
// the next link of the top cell as its own before it moves the head, which is to keep others away
// from it. It shows only by at least eight preemptions of three threads at the right places: a pop
// takes the link of a cell that is just being pushed again, and then two threads have that cell.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>

#include <omnium/atomic.h>

constexpr int kThreads = 3;
constexpr int kRounds = 3;
constexpr int kTaken = -1;

struct Cell {
  std::atomic<int> next{kTaken};
  std::atomic<int> user{-1};
};

class Stack {
 public:
  Stack() {
    for (int i = 0; i < kThreads - 1; ++i) cells[i].next.store(i + 1);
  }
  int pop() {
#ifdef FIXED
    std::lock_guard lock(mutex_);
#endif
    while (count_.load() > 1) {
      int top = head_.load();
      const int next = cells[top].next.exchange(kTaken);
      if (next == kTaken) continue;
      if (head_.compare_exchange_strong(top, next)) {
        count_.fetch_sub(1);
        return top;
      }
      cells[top].next.exchange(next);
    }
    return kTaken;
  }
  void push(int cell) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
#endif
    int top = head_.load();
    do {
      cells[cell].next.store(top);
    } while (!head_.compare_exchange_strong(top, cell));
    count_.fetch_add(1);
  }

  Cell cells[kThreads];

 private:
  std::mutex mutex_;
  std::atomic<int> head_{0};
  std::atomic<int> count_{kThreads};
};

Stack stack;

void use(Cell& cell, int user) {
  OMNIUM_ATOMIC("use");
  cell.user.store(user);
  assert(cell.user.load() == user);
}

void work(int user) {
  for (int round = 0; round < kRounds; ++round) {
    int cell = stack.pop();
    while (cell == kTaken) {
      sched_yield();
      cell = stack.pop();
    }
    use(stack.cells[cell], user);
    stack.push(cell);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int user = 0; user < kThreads; ++user) threads.emplace_back(work, user);
  for (std::thread& thread : threads) thread.join();
}
