// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/reader_lists.h"

#include "runtime/system/mapped.h"

namespace omnium::runtime {

constinit ReaderLists reader_lists;

namespace {

constexpr std::uint32_t kLists = 1u << 18;

}  // namespace

std::atomic<Epoch>* ReaderList::find(const ThreadState& thread, std::uint32_t slot,
                                     std::uint32_t index) {
  for (std::uint32_t i = 0; i < kReaders; ++i) {
    std::atomic<Epoch>& entry = readers[(index + i) % kReaders];
    const Epoch epoch = entry.load(std::memory_order_relaxed);
    if (epoch != 0 && (slot_of(epoch) == slot || owner_of(epoch) == &thread)) return &entry;
  }
  return nullptr;
}

bool ReaderList::add(Epoch epoch, std::uint32_t index) {
  for (std::uint32_t i = 0; i < kReaders; ++i) {
    std::atomic<Epoch>& entry = readers[(index + i) % kReaders];
    Epoch old = entry.load(std::memory_order_acquire);
    while (old == 0 || !is_live(old)) {
      if (entry.compare_exchange_weak(old, epoch, std::memory_order_acq_rel)) return true;
    }
  }
  return false;
}

void ReaderLists::map() {
  lists_ = map_array<ReaderList>(kLists);
  kept_ = map_array<bool>(kLists);
  taken_ = map_array<bool>(kLists);
  free_ = map_array<std::uint32_t>(kLists);
}

std::uint32_t ReaderLists::take(std::uint32_t words) {
  const SpinGuard guard(lock_);
  std::uint32_t number = 0;
  if (free_count_ > 0) {
    number = free_[--free_count_];
  } else if (used_ < kLists) {
    number = used_++;
  } else {
    return 0;
  }
  ReaderList& list = lists_[number];
  for (std::atomic<Epoch>& reader : list.readers) reader.store(0, std::memory_order_relaxed);
  list.words = words;
  taken_[number] = kept_[number] = true;
  return number;
}

void ReaderLists::start_sweep() {
  const SpinGuard guard(lock_);
  for (std::uint32_t i = 1; i < used_; ++i) kept_[i] = false;
}

void ReaderLists::finish_sweep() {
  const SpinGuard guard(lock_);
  for (std::uint32_t i = 1; i < used_; ++i) {
    if (!taken_[i] || kept_[i]) continue;
    taken_[i] = false;
    free_[free_count_++] = i;
  }
}

}  // namespace omnium::runtime
