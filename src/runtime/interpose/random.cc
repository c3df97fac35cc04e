// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers that the program draws. With the option `random` they are the same in every run, so that
// what a hunt has found can happen again. Each thread has a sequence of its own.
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/real.h"
#include "runtime/schedule/dice.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(getrandom);
OMNIUM_REAL(getentropy);
// Newer C libraries have these.
OMNIUM_REAL_AS(real_arc4random, std::uint32_t(), "arc4random");
OMNIUM_REAL_AS(real_arc4random_buf, void(void*, std::size_t), "arc4random_buf");
OMNIUM_REAL_AS(real_arc4random_uniform, std::uint32_t(std::uint32_t), "arc4random_uniform");
OMNIUM_REAL_AS(real_random_device, unsigned(void*), "_ZNSt13random_device9_M_getvalEv");

pid_t process;
[[gnu::constructor(102)]] void remember_process() { process = getpid(); }

// A child must not draw what its parent does: it may make names of that.
bool is_seeded() { return options.random[0] != '\0' && process == getpid(); }

thread_local std::uint64_t tls_drawn __attribute__((tls_model("initial-exec"))) = 0;

std::uint64_t draw() {
  const std::uint64_t thread = tls_thread->number;
  const std::uint64_t seed = std::strtoull(options.random, nullptr, 10);
  return mixed(mixed(seed + 1) + mixed(thread + 1) * 3 + ++tls_drawn * 0x9E3779B97F4A7C15u);
}

void fill(void* to, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(to);
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t number = draw();
    const std::size_t left = size - at;
    std::memcpy(bytes + at, &number, left < sizeof(number) ? left : sizeof(number));
  }
}

}  // namespace

OMNIUM_INTERPOSE ssize_t getrandom(void* to, std::size_t size, unsigned flags) {
  if (!is_seeded()) [[likely]]
    return real_getrandom(to, size, flags);
  fill(to, size);
  return static_cast<ssize_t>(size);
}

OMNIUM_INTERPOSE int getentropy(void* to, std::size_t size) {
  constexpr std::size_t kMost = 256;
  if (!is_seeded() || size > kMost) [[likely]]
    return real_getentropy(to, size);
  fill(to, size);
  return 0;
}

OMNIUM_INTERPOSE std::uint32_t arc4random() noexcept {
  return is_seeded() ? static_cast<std::uint32_t>(draw()) : real_arc4random();
}

OMNIUM_INTERPOSE void arc4random_buf(void* to, std::size_t size) noexcept {
  is_seeded() ? fill(to, size) : real_arc4random_buf(to, size);
}

OMNIUM_INTERPOSE std::uint32_t arc4random_uniform(std::uint32_t limit) noexcept {
  if (!is_seeded()) return real_arc4random_uniform(limit);
  return limit < 2 ? 0 : static_cast<std::uint32_t>(draw() % limit);
}

// std::random_device::_M_getval(), which asks the processor.
OMNIUM_INTERPOSE unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  return is_seeded() ? static_cast<unsigned>(draw()) : real_random_device(device);
}

}  // namespace omnium::runtime
