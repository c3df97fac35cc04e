/* SPDX-FileCopyrightText: The Omnium authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of a place whose shadow is what the test says: which of them call the runtime?
 *   inlined CELL CELL CELL CELL OFFSET */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void stand_in_watch(const void* address, size_t size);
void stand_in_quick(const uint64_t* cells);

typedef int Quad __attribute__((vector_size(16), aligned(16)));
static _Alignas(16) char place[64];

#define ACCESSES(T, size)                                                             \
  static T read##size(const volatile T* p) { return *p; }                   \
  static void write##size(volatile T* p, const T* value) { *p = *value; }
ACCESSES(uint32_t, 4)
ACCESSES(uint64_t, 8)
ACCESSES(Quad, 16)

int main(int count, char** words) {
  const uint64_t now = (uint64_t)15 << 26 | 3 << 16 | 7;
  const uint64_t cells[6] = {now << 30 | now, 0x2000000000000123, now << 30,
                             UINT64_MAX,      0x123000002ffff,    0x123003fc00101};
  uint64_t* const shadow = (uint64_t*)(0x100000000000 + ((uintptr_t)place << 20 >> 19));
  char* const at = place + (count > 5 ? atoi(words[5]) : 0);
  static uint32_t four;
  static uint64_t eight;
  static Quad sixteen;
  for (int i = 0; i < 12; ++i) shadow[i] = strtoull(words[1 + i % 4], NULL, 16);
  stand_in_quick(cells);
  stand_in_watch(place, sizeof place);
  four += read4((uint32_t*)at);
  eight += read8((uint64_t*)at);
  if (at == place) sixteen += read16((Quad*)at);
  write4((uint32_t*)at, &four);
  write8((uint64_t*)at, &eight);
  if (at == place) write16((Quad*)at, &sixteen);
  return 0;
}
