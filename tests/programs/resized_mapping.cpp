// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A mapping that becomes smaller or larger where it is gives back its end at most: what stays is
// not written.
//
// expect: gives back what is read (with look#2), dirty read on memory[]
#include <sys/mman.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr int kPage = 4096;
char* memory;
volatile char seen;

char* map_pages(int count) {
  return static_cast<char*>(mmap(nullptr, static_cast<std::size_t>(count) * kPage,
                                 PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void resize(const char* name, int byte, int pages_then, int flags) {
  omnium_begin(name);
  memory[byte] = 1;
  turn(1);
  turn(4);
  mremap(memory, 2 * kPage, static_cast<std::size_t>(pages_then) * kPage, flags);
  omnium_end();
}

void look(int byte) {
  turn(2);
  seen = memory[byte];
  turn(3);
}

void resize_while_read(const char* name, int byte, int pages_then, int flags) {
  turns_taken = 0;
  std::thread resizes(resize, name, byte, pages_then, flags), looks(look, byte);
  resizes.join();
  looks.join();
}

int main() {
  memory = map_pages(2);
  resize_while_read("gives back what is read", kPage, 1, 0);
  memory = map_pages(2);
  resize_while_read("gives back something else", 0, 1, 0);
  memory = map_pages(8);
  munmap(memory + 2 * kPage, 6 * kPage);  // there is room behind it
  resize_while_read("becomes larger", 0, 3, 0);
  mremap(memory, 3 * kPage, 2 * kPage, 0);
  resize_while_read("becomes larger and may move", 0, 3, MREMAP_MAYMOVE);
}
