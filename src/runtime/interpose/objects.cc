// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/objects.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "runtime/schedule/virtual_clock.h"

namespace omnium::runtime {
namespace {

SpinLock objects_lock;
thread_local bool tls_inside __attribute__((tls_model("initial-exec"))) = false;

// Where objects may be: one bit per page; pages that are 64 * 1024 pages apart share a bit. Most
// calls of free look only here.
constexpr std::uintptr_t kPage = 4096;
constexpr std::uintptr_t kBits = 1 << 16;
std::atomic<std::uint64_t> page_bits[kBits / 64];

bool may_hold_objects(std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t page = begin / kPage; page <= (end - 1) / kPage; ++page) {
    const std::uintptr_t bit = page % kBits;
    const std::uint64_t word = page_bits[bit / 64].load(std::memory_order_relaxed);
    if ((word >> bit % 64 & 1) != 0) return true;
    if (page - begin / kPage >= kBits) return false;
  }
  return false;
}

}  // namespace

bool Patience::pause() {
  constexpr std::int64_t kSecond = 1'000'000'000, kLongest = kSecond / 5;
  const timespec time = real_time_now(CLOCK_MONOTONIC);
  const std::int64_t now = time.tv_sec * kSecond + time.tv_nsec;
  if (until_ == 0) until_ = now + kLongest;
  constexpr int kSpins = 256, kYields = 4096;
  if (++rounds_ < kSpins) {
    __builtin_ia32_pause();
  } else if (rounds_ < kYields) {
    syscall(SYS_sched_yield);  // the function is interposed
  } else {
    // A thread of lower priority runs only if this one sleeps. (Not by the C library's function,
    // which is a cancellation point.)
    const timespec moment = {0, 20'000};
    syscall(SYS_nanosleep, &moment, nullptr);
  }
  return now < until_;
}

bool enter_objects() {
  if (tls_inside) return false;
  close_gate();  // signals wait
  tls_inside = true;
  objects_lock.lock();
  return true;
}

void leave_objects() {
  objects_lock.unlock();
  tls_inside = false;
  open_gate();
}

void note_object(const void* address) {
  const std::uintptr_t bit = reinterpret_cast<std::uintptr_t>(address) / kPage % kBits;
  std::atomic<std::uint64_t>& word = page_bits[bit / 64];
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  if ((word.load(std::memory_order_relaxed) & mask) == 0) word.fetch_or(mask);
}

bool may_be_object(const void* address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return may_hold_objects(begin, begin + 1);
}

void forget_objects(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (size == 0 || !may_hold_objects(begin, begin + size)) return;
  const ObjectsLock lock;
  if (!lock) return;
  forget_conditions(begin, begin + size);
  forget_handed_mutexes(begin, begin + size);
  forget_references(begin, begin + size);
  forget_once_flags(begin, begin + size);
  forget_semaphores(begin, begin + size);
  forget_barriers(begin, begin + size);
  forget_cxx_barriers(begin, begin + size);
  forget_annotations(begin, begin + size);
  forget_dependences(begin, begin + size);
  forget_openmp_locks(begin, begin + size);
}

}  // namespace omnium::runtime
