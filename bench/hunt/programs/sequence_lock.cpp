// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// A reader of two values that belong together looks at the sequence number only before it reads
// them, not again afterwards. It shows if the writer comes in between. No block is declared atomic
// but the use of the copy: the protocol itself is no block.
#include <atomic>
#include <cassert>
#include <thread>

#include <omnium/atomic.h>

std::atomic<int> sequence{0};
std::atomic<int> width{1};
std::atomic<int> height{1};

void resize(int size) {
  sequence.fetch_add(1);
  width.store(size);
  height.store(size);
  sequence.fetch_add(1);
}

bool copy_size(int& copied_width, int& copied_height) {
  const int before = sequence.load();
  if (before % 2 != 0) return false;
  copied_width = width.load();
  copied_height = height.load();
#ifdef FIXED
  return sequence.load() == before;
#else
  return true;
#endif
}

void draw() {
  int copied_width = 0;
  int copied_height = 0;
  if (!copy_size(copied_width, copied_height)) return;
  OMNIUM_ATOMIC("draw");
  assert(copied_width == copied_height);
}

int main() {
  std::thread reader(draw);
  std::thread writer(resize, 2);
  reader.join();
  writer.join();
}
