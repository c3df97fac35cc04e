// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Load and store of an atomic are two operations, of whatever size it is. An update is one, which
// reads before it writes.
//
// expect: one byte (with other), lost update on byte_cell
// expect: two bytes (with other), lost update on short_cell
// expect: four bytes (with other), lost update on word_cell
// expect: eight bytes (with other), lost update on long_cell
// expect: sixteen bytes (with other), lost update on large_cell
// expect: store and add (with other), dirty write on sum_cell
// flags: -mcx16 -latomic
#include <cstdint>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::uint8_t byte_cell;
std::uint16_t short_cell;
std::uint32_t word_cell;
std::uint64_t long_cell;
unsigned __int128 large_cell;
std::uint32_t sum_cell;

template <class Integer>
void update(const char* label, Integer* cell, int first) {
  OMNIUM_ATOMIC(label);
  const Integer seen = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
  turn(first);
  turn(first + 3);
  __atomic_store_n(cell, static_cast<Integer>(seen + 1), __ATOMIC_RELEASE);
}

void store_and_add(int first) {
  OMNIUM_ATOMIC("store and add");
  __atomic_store_n(&sum_cell, 1u, __ATOMIC_RELEASE);
  turn(first);
  turn(first + 3);
  __atomic_fetch_add(&sum_cell, 1u, __ATOMIC_ACQ_REL);
}

template <class Integer>
void overwrite(Integer* cell, int first) {
  turn(first + 1);
  {
    OMNIUM_ATOMIC("other");
    __atomic_store_n(cell, static_cast<Integer>(10), __ATOMIC_RELAXED);
  }
  turn(first + 2);
}

int main() {
  std::thread updates([] {
    update("one byte", &byte_cell, 1);
    update("two bytes", &short_cell, 5);
    update("four bytes", &word_cell, 9);
    update("eight bytes", &long_cell, 13);
    update("sixteen bytes", &large_cell, 17);
    store_and_add(21);
  });
  std::thread overwrites([] {
    overwrite(&byte_cell, 1);
    overwrite(&short_cell, 5);
    overwrite(&word_cell, 9);
    overwrite(&long_cell, 13);
    overwrite(&large_cell, 17);
    overwrite(&sum_cell, 21);
  });
  updates.join();
  overwrites.join();
}
