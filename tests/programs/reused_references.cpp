// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// To free a value whose last reference was dropped is no access. What is allocated in its place is
// another object: to free that is a write, whichever thread dropped the reference.
//
// expect: look (with lambda in main#1), unrepeatable read on Node::first
#include <memory>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Node {
  long first, second, third;
};
Node* node;

void look() {
  turn(2);
  OMNIUM_ATOMIC("look");
  const long before = node->first;
  turn(3);
  turn(6);
  if (node->first == before) turn(7);
}

int main() {
  std::thread other([] {
    std::make_shared<long>(3);  // as large as a Node, with its counts
    node = new Node{1, 2, 3};
    turn(1);
    turn(4);
    delete node;
    turn(5);
  });
  look();
  other.join();
}
