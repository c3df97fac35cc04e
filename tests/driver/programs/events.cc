// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Accesses that compilers like to hide. Each case works on one area of memory; the stand-in for the
// runtime logs what it saw of it: events CASE. tests/driver/events_test.cc knows what it must be.
#include <string.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" {
void stand_in_watch(const void*, std::size_t);
void stand_in_stop(void);
}

// The variable array is watched before it has values.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace {

alignas(64) unsigned char area[512];
alignas(64) unsigned char elsewhere[512];

// Without hooks: they would keep loops from being vectorized.
template <class T>
[[gnu::no_instrument_function]] T& at(unsigned char* memory, std::size_t index = 0) {
  return reinterpret_cast<T*>(memory)[index];
}

struct Pair {
  std::int64_t first;
  std::int64_t second;
};
struct Large {
  char bytes[40];
};
struct Bits {
  unsigned low : 3;
  unsigned high : 5;
};
__extension__ typedef unsigned __int128 Wide;

void increment() { ++at<int>(area); }
void copy_in() { memcpy(area, elsewhere, 24); }
void copy_out() { memcpy(elsewhere, area, 24); }
void copy_word() { memcpy(area, elsewhere, 8); }
void move_in() { memmove(area, elsewhere, 24); }
void fill() { memset(area, 1, 24); }
void builtin_copy() { __builtin_memcpy(area, elsewhere, 24); }
void builtin_fill() { __builtin_memset(area, 1, 24); }
void struct_in() { at<Large>(area) = at<Large>(elsewhere); }
void struct_out() { at<Large>(elsewhere) = at<Large>(area); }
void struct_zero() { at<Large>(area) = Large{}; }
void bit_field() { at<Bits>(area).high = 3; }
void swap_pair() { std::swap(at<Pair>(area), at<Pair>(elsewhere)); }
void array_copy() { std::copy_n(&at<int>(elsewhere), 6, &at<std::array<int, 6>>(area)[0]); }
void string_out() { at<std::array<char, 11>>(elsewhere) = at<std::array<char, 11>>(area); }

void add_loop() {
  for (std::size_t i = 0; i < 64; ++i) at<float>(area, i) += 2 * at<float>(elsewhere, i);
}
void sum_loop() {
  int sum = 0;
  for (std::size_t i = 0; i < 64; ++i) sum += at<int>(area, i);
  at<int>(elsewhere) = sum;
}
void strided_loop() {
  for (std::size_t i = 0; i < 32; ++i) {
    at<float>(elsewhere, i) = at<float>(area, 2 * i) + at<float>(area, 2 * i + 1);
  }
}
void conditional_loop() {  // every byte of `elsewhere` is 0
  for (std::size_t i = 0; i < 64; ++i) {
    if (at<int>(elsewhere, i) == 0) at<int>(area, i) = 1;
  }
}
void four_doubles() {
  for (std::size_t i = 0; i < 4; ++i) at<double>(area, i) += at<double>(elsewhere, i);
}

template <class T>
void atomics() {
  T& x = at<T>(area);
  __atomic_store_n(&x, T{1}, __ATOMIC_SEQ_CST);
  T expected = __atomic_load_n(&x, __ATOMIC_ACQUIRE);
  __atomic_exchange_n(&x, T{2}, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(&x, &expected, T{3}, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  __atomic_fetch_add(&x, T{1}, __ATOMIC_ACQ_REL);
  __sync_fetch_and_or(&x, T{4});
  std::atomic_thread_fence(std::memory_order_seq_cst);  // gcc warns that ThreadSanitizer ignores it
}

[[gnu::noinline]] void write_all(volatile int* values, int count) {
  for (int i = 0; i < count; ++i) values[i] = i;
}
void variable_array() {
  const int count = static_cast<int>(elsewhere[0]) + 5;
  int* values = static_cast<int*>(__builtin_alloca(static_cast<std::size_t>(count) * sizeof(int)));
  stand_in_watch(values, static_cast<std::size_t>(count) * sizeof(int));
  write_all(values, count);
}

struct Case {
  const char* name;
  void (*act)();
};
constexpr Case kCases[] = {
    {"increment", increment},
    {"copy-in", copy_in},
    {"copy-out", copy_out},
    {"copy-word", copy_word},
    {"move-in", move_in},
    {"fill", fill},
    {"builtin-copy", builtin_copy},
    {"builtin-fill", builtin_fill},
    {"struct-in", struct_in},
    {"struct-out", struct_out},
    {"struct-zero", struct_zero},
    {"bit-field", bit_field},
    {"swap-pair", swap_pair},
    {"array-copy", array_copy},
    {"string-out", string_out},
    {"add-loop", add_loop},
    {"sum-loop", sum_loop},
    {"strided-loop", strided_loop},
    {"conditional-loop", conditional_loop},
    {"four-doubles", four_doubles},
    {"atomic-1", atomics<std::uint8_t>},
    {"atomic-2", atomics<std::uint16_t>},
    {"atomic-4", atomics<std::uint32_t>},
    {"atomic-8", atomics<std::uint64_t>},
    {"atomic-16", atomics<Wide>},
    {"variable-array", variable_array},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Case& one : kCases) {
    if (argc != 2 || strcmp(one.name, argv[1]) != 0) continue;
    stand_in_watch(area, sizeof area);
    one.act();
    stand_in_stop();
    return 0;
  }
  return 2;
}
