// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A counter, a stack and a bounded queue with compare-exchange loops. Each loop fails once, because
// another thread was faster. Nobody noticed the failed attempt, so the block starts afresh there;
// without parts every contended loop is a violation.
//
// options: --conflicts data --waits split
// expect: nothing
// expect with --waits keep: increment (with increment), lost update on counter
// expect with --waits keep: push (with push), lost update on top
// expect with --waits keep: pop (with pop), lost update on top
// expect with --waits keep: enqueue (with enqueue), lost update on last
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Node {
  int value;
  Node* next;
};

std::atomic<int> counter{0};
std::atomic<Node*> top{nullptr};
std::atomic<unsigned> last{0}, filled[8];
Node nodes[4];

// The slow thread gives way between its first look and its attempt.
void give_way(int turn_number) {
  if (turn_number == 0) return;
  turn(turn_number);
  turn(turn_number + 3);
}

void increment(int way) {
  OMNIUM_ATOMIC("increment");
  int seen = counter.load();
  give_way(way);
  while (!counter.compare_exchange_strong(seen, seen + 1)) {
  }
}

void push(Node& node, int way) {
  OMNIUM_ATOMIC("push");
  node.next = top.load();
  give_way(way);
  while (!top.compare_exchange_strong(node.next, &node)) {
  }
}

Node* pop(int way) {
  OMNIUM_ATOMIC("pop");
  Node* seen = top.load();
  while (seen != nullptr) {
    Node* next = seen->next;
    give_way(way);
    way = 0;
    if (top.compare_exchange_strong(seen, next)) break;
  }
  return seen;
}

void enqueue(int way) {
  OMNIUM_ATOMIC("enqueue");
  unsigned place = last.load();
  give_way(way);
  while (!last.compare_exchange_strong(place, place + 1)) {
  }
  filled[place % 8].store(1);
}

int main() {
  std::thread slow([] {
    increment(1);
    push(nodes[0], 5);
    pop(9);
    enqueue(13);
  });
  std::thread quick([] {
    for (int first = 1; first <= 13; first += 4) {
      turn(first + 1);
      if (first == 1) increment(0);
      if (first == 5) push(nodes[1], 0);
      if (first == 9) pop(0);
      if (first == 13) enqueue(0);
      turn(first + 2);
    }
  });
  slow.join();
  quick.join();
  return counter == 2 && top == nullptr && last == 2 ? 0 : 1;
}
