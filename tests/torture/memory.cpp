// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory: blocks and pages that change hands and are freed by another thread than they were
// allocated by, addresses that are used again as something else, strings.
#include <alloca.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "torture.h"

namespace torture {
namespace {

void send_block(Worker& self) {
  auto block = std::make_unique<std::vector<long>>(1 + self.below(40));
  for (long& value : *block) value = 1;
  locked(world.mutexes[0], [&] { std::swap(block, world.mailbox[self.below(2)]); });
  if (block) block->front() += 1;
}

void look_at_block(Worker& self) {
  const unsigned which = self.below(2);
  locked(world.mutexes[0], [&] {
    if (auto& block = world.mailbox[which]) block->back() += static_cast<long>(block->size());
  });
}

void send_page(Worker&) {
  constexpr std::size_t kSize = 8192;
  void* page = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) std::abort();
  static_cast<long*>(page)[3] = 1;
  locked(world.mutexes[1], [&] { std::swap(page, world.mapped); });
  if (page == nullptr) return;
  static_cast<long*>(page)[3] += 1;
  munmap(page, kSize);
}

// The place of a lock becomes that of data and the other way round.
void reuse_lock(Worker& self) {
  alignas(std::max_align_t) thread_local unsigned char place[sizeof(std::mutex)];
  auto* mutex = new (place) std::mutex;
  locked(*mutex, [&] { self.note(1); });
  mutex->~mutex();
  auto* data = new (place) long(7);
  self.note(static_cast<std::uint64_t>(*data));
  void* heap = std::malloc(sizeof(std::mutex));
  auto* other = new (heap) std::mutex;
  locked(*other, [&] { self.note(2); });
  other->~mutex();
  std::free(heap);
}

__attribute__((noinline)) std::uint64_t use_stack(unsigned depth) {
  auto* bytes = static_cast<volatile unsigned char*>(alloca(100 + depth * 30));
  bytes[depth] = static_cast<unsigned char>(depth);
  return depth == 0 ? bytes[0] : bytes[depth] + use_stack(depth - 1);
}

void deep_stack(Worker& self) { self.note(use_stack(self.below(30))); }

void copy_strings(Worker& self) {
  char* text = static_cast<char*>(std::calloc(1, 64));
  std::memset(text, 'a', 1 + self.below(60));
  text = static_cast<char*>(std::realloc(text, 64 + self.below(300)));
  char copy[64];
  std::memcpy(copy, text, sizeof copy);
  std::strncat(copy, "", 1);
  self.note(std::strlen(copy));
  std::free(text);
}

template <typename Number>
void touch_unprotected(unsigned place, bool write) {
  auto* at = reinterpret_cast<volatile Number*>(&world.unprotected[place * sizeof(Number)]);
  if (write) {
    *at = 1;
  } else {
    static_cast<void>(*at);
  }
}

void race(Worker& self) {
  const unsigned dice = self.below(64);
  const bool write = dice % 3 == 0;
  switch (dice % 4) {
    case 0: return touch_unprotected<std::uint8_t>(dice % 32, write);
    case 1: return touch_unprotected<std::uint16_t>(dice % 16, write);
    case 2: return touch_unprotected<std::uint32_t>(dice % 8, write);
    default: return touch_unprotected<std::uint64_t>(dice % 4, write);
  }
}

void large_block(Worker& self) {
  const std::size_t size = 200'000 + self.below(200'000);
  auto* bytes = static_cast<volatile char*>(std::malloc(size));
  bytes[size - 1] = 3;
  self.note(static_cast<std::uint64_t>(bytes[size - 1]));
  std::free(const_cast<char*>(bytes));
}

constexpr Action kActions[] = {send_block,   look_at_block, send_page, reuse_lock, deep_stack,
                               copy_strings, large_block,   race,      race};

}  // namespace

std::span<const Action> memory_actions() { return kActions; }

}  // namespace torture
