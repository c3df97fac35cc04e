// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/freed.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/print.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// A bit for each sixteen bytes of memory: was it freed? Blocks begin at multiples of sixteen. Maps
// of the bits of 256 MB each are made when they are needed.
constexpr unsigned kGranuleBits = 4, kRegionBits = 28, kAddressBits = 47;
constexpr std::size_t kWords = (std::size_t{1} << (kRegionBits - kGranuleBits)) / 64;
using Word = std::atomic<std::uint64_t>;
std::atomic<Word*> regions[std::size_t{1} << (kAddressBits - kRegionBits)];

struct Granule {
  explicit Granule(std::uintptr_t address)
      : region(address >> kRegionBits),
        word((address >> (kGranuleBits + 6)) % kWords),
        bit(std::uint64_t{1} << (address >> kGranuleBits) % 64) {}
  std::uintptr_t region, word;
  std::uint64_t bit;
};

bool is_freed(std::uintptr_t address) {
  if (address >> kAddressBits != 0) return false;
  const Granule granule(address);
  const Word* const words = regions[granule.region].load(std::memory_order_acquire);
  return words != nullptr &&
         (words[granule.word].load(std::memory_order_relaxed) & granule.bit) != 0;
}

constexpr std::uintptr_t kGranule = std::uintptr_t{1} << kGranuleBits;

// Under the lock.
void mark(std::uintptr_t begin, std::size_t size, bool freed) {
  for (std::uintptr_t at = begin; at < begin + size; at += kGranule) {
    const Granule granule(at);
    std::atomic<Word*>& region = regions[granule.region];
    if (region.load(std::memory_order_relaxed) == nullptr) {
      region.store(map_array<Word>(kWords), std::memory_order_release);
    }
    Word& word = region.load(std::memory_order_relaxed)[granule.word];
    if (freed) word.fetch_or(granule.bit, std::memory_order_relaxed);
    if (!freed) word.fetch_and(~granule.bit, std::memory_order_relaxed);
  }
}

// The blocks, in the order in which they were freed. Under the lock.
constinit SpinLock lock;
struct Kept {
  std::uintptr_t begin;
  std::size_t size;
  Pc pc;
};
constexpr std::size_t kMostKept = 1 << 16, kMostBytes = std::size_t{64} << 20,
                      kLargest = std::size_t{1} << 18;
Kept kept[kMostKept];
std::size_t first, count, bytes;
std::atomic<bool> is_off{false};

thread_local int tls_freeing __attribute__((tls_model("initial-exec"))) = 0;

// Takes the oldest block out, if there is no room for another one of this size.
void* make_room(std::size_t size) {
  if (count == 0 || (count < kMostKept && bytes + size <= kMostBytes)) return nullptr;
  const Kept oldest = kept[first];
  first = (first + 1) % kMostKept;
  --count;
  bytes -= oldest.size;
  mark(oldest.begin, oldest.size, false);
  return reinterpret_cast<void*>(oldest.begin);
}

Pc where_freed(std::uintptr_t address) {
  const SpinGuard guard(lock);
  for (std::size_t i = 0; i < count; ++i) {
    const Kept& one = kept[(first + i) % kMostKept];
    if (one.begin <= address && address - one.begin < one.size) return one.pc;
  }
  return 0;
}

// The supervisor reads what happened from the counters, and says it.
[[noreturn]] void end_for(wire::MemoryErrorKind kind, std::uintptr_t address, Pc pc) {
  wire::MemoryError& told = counters().memory_error;
  // Only the first one counts: what others do after it is its consequence.
  if (told.taken.exchange(1) == 0) {
    send_modules();
    told.process = static_cast<std::uint32_t>(syscall(SYS_getpid));
    told.pc = pc;
    told.freed_pc = where_freed(address);
    told.kind.store(kind, std::memory_order_release);
    print_line(kind == wire::MemoryErrorKind::kDoubleFree ? "the program freed memory twice"
                                                          : "the program used freed memory");
  }
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGABRT);
  end_process(128 + SIGABRT);
}

}  // namespace

bool keep_freed(void* block, std::size_t size, Pc pc, void (*release)(void*)) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  if (is_off || size >= kLargest || (begin + size) >> kAddressBits != 0) return false;
  for (;;) {
    void* oldest = nullptr;
    {
      const SpinGuard guard(lock);
      oldest = make_room(size);
      if (oldest == nullptr) {
        kept[(first + count) % kMostKept] = {begin, size, pc};
        ++count;
        bytes += size;
        mark(begin, size, true);
        return true;
      }
    }
    release(oldest);
  }
}

Freeing::Freeing(const void* block, Pc pc) {
  if (!points_matter) [[likely]]
    return;
  ++tls_freeing;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (!is_off && is_freed(address)) end_for(wire::MemoryErrorKind::kDoubleFree, address, pc);
}

Freeing::~Freeing() {
  if (points_matter) [[unlikely]]
    --tls_freeing;
}

void expect_not_freed(const Point& point) {
  if (is_off || point.address == 0) return;
  using wire::MemoryErrorKind;
  MemoryErrorKind kind = MemoryErrorKind::kRead;
  if (point.kind == PointKind::kWrite) kind = MemoryErrorKind::kWrite;
  if (point.kind == PointKind::kAcquire) kind = MemoryErrorKind::kLock;
  if (tls_freeing != 0) kind = MemoryErrorKind::kDoubleFree;
  const std::uintptr_t end = point.address + (point.size == 0 ? 1 : point.size);
  for (std::uintptr_t at = point.address; at < end; at = (at | (kGranule - 1)) + 1) {
    if (is_freed(at)) end_for(kind, at, point.pc);
  }
}

void stop_keeping_freed() { is_off = true; }

}  // namespace omnium::runtime
