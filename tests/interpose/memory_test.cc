// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/mman.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

// Out of sight of the optimizer.
template <typename T>
T* seen(T* pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

void* (*volatile reallocate)(void*, std::size_t) = std::realloc;

// The lines that `action` causes about heap blocks.
template <typename Action>
std::string blocks(Action action) {
  const EventLog log;
  event_log_blocks(true);
  action();
  event_log_blocks(false);
  return log.text();
}

TEST(Memory, MallocsFamily) {
  void* p = nullptr;
  EXPECT_EQ(blocks([&] { std::free(seen(std::malloc(10))); }), "T0 allocated 10\nT0 freed\n");
  EXPECT_EQ(blocks([&] { std::free(seen(std::calloc(3, 5))); }), "T0 allocated 15\nT0 freed\n");
  EXPECT_EQ(blocks([&] { std::free(seen(std::aligned_alloc(64, 128))); }),
            "T0 allocated 128\nT0 freed\n");
  EXPECT_EQ(blocks([&] {
              EXPECT_EQ(posix_memalign(&p, 256, 20), 0);
              EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
              std::free(seen(p));
            }),
            "T0 allocated 20\nT0 freed\n");
  EXPECT_EQ(posix_memalign(&p, 24, 20), EINVAL);
  EXPECT_EQ(blocks([&] { std::free(seen(memalign(32, 7))); }), "T0 allocated 7\nT0 freed\n");
  EXPECT_EQ(blocks([&] { std::free(seen(valloc(9))); }), "T0 allocated 9\nT0 freed\n");
  EXPECT_EQ(blocks([&] { std::free(seen<void>(nullptr)); }), "");
  EXPECT_EQ(blocks([&] {
              volatile std::size_t most = SIZE_MAX / 2;
              EXPECT_EQ(seen(reallocarray(nullptr, most, 3)), nullptr);
            }),
            "");
}

TEST(Memory, FreedBytesAreForgottenFirst) {
  void* p = seen(std::malloc(24));
  const EventLog log(p, "p");
  event_log_blocks(true);
  std::free(p);
  event_log_blocks(false);
  EXPECT_EQ(log.text(), "T0 free p[24]\nT0 freed\n");
}

TEST(Memory, ReallocForgetsWhatItGivesBack) {
  auto* p = static_cast<char*>(seen(std::malloc(200)));
  {
    const EventLog log(p + 100, "tail");
    event_log_blocks(true);
    EXPECT_EQ(seen(reallocate(p, 100)), p);
    event_log_blocks(false);
    EXPECT_EQ(log.text(), "T0 free tail[100]\nT0 freed\nT0 allocated 100\n");
  }
  std::memset(p, 7, 100);
  const std::size_t size = malloc_usable_size(p);
  const EventLog log(p, "p");
  auto* grown = static_cast<char*>(seen(reallocate(p, 100'000)));
  EXPECT_EQ(grown[99], 7);
  EXPECT_EQ(log.text(), "T0 free p[" + std::to_string(size) + "]\n");
  EXPECT_EQ(blocks([&] { EXPECT_EQ(seen(reallocate(grown, 0)), nullptr); }), "T0 freed\n");
}

extern "C" void _ZdlPvm(void* block, std::size_t size);  // clang does not declare it

struct alignas(64) Wide {
  char bytes[64];
};

TEST(Memory, NewIsCalledFromTheProgram) {
  EXPECT_EQ(blocks([] { delete seen(new long); }), "T0 allocated 8\nT0 freed\n");
  EXPECT_EQ(blocks([] { delete[] seen(new long[5]); }), "T0 allocated 40\nT0 freed\n");
  EXPECT_EQ(blocks([] { delete seen(new Wide); }), "T0 allocated 64\nT0 freed\n");
  EXPECT_EQ(blocks([] { delete[] seen(new Wide[2]); }), "T0 allocated 128\nT0 freed\n");
  EXPECT_EQ(blocks([] { delete seen(new (std::nothrow) long); }), "T0 allocated 8\nT0 freed\n");
  EXPECT_EQ(blocks([] { _ZdlPvm(seen(::operator new(3)), 3); }), "T0 allocated 3\nT0 freed\n");
}

TEST(Memory, NewWithoutMemoryThrows) {
  volatile std::size_t size = std::size_t{1} << 60;
  EXPECT_THROW(seen(::operator new(size)), std::bad_alloc);
  EXPECT_THROW(seen(::operator new[](size)), std::bad_alloc);
  EXPECT_THROW(seen(::operator new (size, std::align_val_t{64})), std::bad_alloc);
  EXPECT_EQ(seen(::operator new(size, std::nothrow)), nullptr);
}

TEST(Memory, MappedMemoryIsNew) {
  const std::size_t page = 4096;
  auto* p = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(p, MAP_FAILED);
  const EventLog log(p, "p");
  EXPECT_EQ(mmap(p, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), p);
  event_log_name(p + page, "end");
  EXPECT_EQ(mremap(p, 2 * page, page, 0), p);  // only the end is given back
  munmap(p, page);
  EXPECT_EQ(log.text(),
            "T0 forget p[4096]\nT0 free end[4096]\nT0 forget end[4096]\n"
            "T0 free p[4096]\nT0 forget p[4096]\n");
}

extern "C" {
void* __wrap_memcpy(void*, const void*, std::size_t);
void* __wrap_memmove(void*, const void*, std::size_t);
void* __wrap_memset(void*, int, std::size_t);
void* __wrap___memcpy_chk(void*, const void*, std::size_t, std::size_t);
void* __wrap___memset_chk(void*, int, std::size_t, std::size_t);
void* __tsan_memcpy(void*, const void*, std::size_t);
}

TEST(Memory, CopyingReadsAndWrites) {
  char from[8] = "abcdefg", to[8] = "";
  const EventLog log(from, "from");
  event_log_name(to, "to");
  EXPECT_EQ(__wrap_memcpy(to, from, 3), to);
  EXPECT_STREQ(to, "abc");
  __wrap_memmove(to, from, 8);
  EXPECT_STREQ(to, "abcdefg");
  __wrap_memset(to, 0, 2);
  __wrap___memcpy_chk(to, from, 4, 8);
  __wrap___memset_chk(to, 0, 5, 8);
  __tsan_memcpy(to, from, 6);
  __wrap_memcpy(to, from, 0);
  EXPECT_EQ(log.text(),
            "T0 read from[3]\nT0 write to[3]\nT0 read from[8]\nT0 write to[8]\nT0 write to[2]\n"
            "T0 read from[4]\nT0 write to[4]\nT0 write to[5]\nT0 read from[6]\nT0 write to[6]\n");
}

}  // namespace
}  // namespace omnium::test
