// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: use
// A lock-free stack of two nodes whose pop compares only the top. It shows if, between a pop's look
// at the next node and its compare-exchange, another thread pops both nodes and pushes the first
// one back: the head then points to a node that the other thread still has.
#include <atomic>
#include <cassert>
#include <thread>

#include <omnium/atomic.h>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<int> users{0};
};

Node nodes[3];
std::atomic<Node*> head{nullptr};

void push(Node* node) {
  Node* top = head.load();
  do {
    node->next.store(top);
  } while (!head.compare_exchange_weak(top, node));
}

Node* pop() {
  Node* top = head.load();
  while (top != nullptr) {
    Node* next = top->next.load();
    if (head.compare_exchange_weak(top, next)) return top;
  }
  return nullptr;
}

void use(Node* node) {
  if (node == nullptr) return;
  OMNIUM_ATOMIC("use");
  const int before = node->users.load();
  node->users.store(before + 1);
  assert(before == 0);
}

int main() {
  push(&nodes[1]);
  push(&nodes[0]);
  std::thread one([] {
    pop();
    use(pop());
  });
  std::thread other([] {
    Node* first = pop();
    Node* second = pop();
#ifdef FIXED
    if (first != nullptr) push(&nodes[2]);  // a node that was never popped
#else
    if (first != nullptr) push(first);
#endif
    use(second);
  });
  one.join();
  other.join();
}
