// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/access.h"

#include <algorithm>

#include "runtime/events/blocks.h"
#include "runtime/events/events.h"
#include "runtime/online/local_time.h"
#include "runtime/online/slots.h"
#include "runtime/shadow/ownership.h"
#include "runtime/system/channel.h"

namespace omnium::runtime {

namespace {

wire::RawKind raw_kind(Atomic kind) {
  switch (kind) {
    case Atomic::kLoad: return wire::RawKind::kAtomicRead;
    case Atomic::kStore: return wire::RawKind::kAtomicWrite;
    case Atomic::kUpdate: return wire::RawKind::kUpdate;
    case Atomic::kRetry: return wire::RawKind::kRetry;
  }
  return wire::RawKind::kNone;
}

template <typename Record>
void record_forgotten(const void* address, std::size_t size, Record record) {
  if (tls_thread->log == nullptr) return;
  const Inside inside;
  if (!inside) return;
  enter_chunks_in_use(inside.thread(), reinterpret_cast<std::uintptr_t>(address), size);
  record(*inside.thread().log);
}

}  // namespace

void record_any(std::uintptr_t address, Pc pc, std::size_t size, bool write) {
  const Inside inside;
  if (!inside || ignores_accesses(inside.thread()) || !has_cells(address)) return;
  enter_chunks(inside.thread(), address, size);
  record::access(*inside.thread().log, reinterpret_cast<const void*>(address), size, write, pc);
}

void record_and_check(std::uintptr_t address, Pc pc, unsigned size, bool write) {
  const Inside inside;
  if (!inside || ignores_accesses(inside.thread()) || !has_cells(address)) return;
  ThreadState& thread = inside.thread();
  start_event(thread);  // before any cell is locked
  update_idle(thread);
  overflow_now_or_not();
  enter_chunks(thread, address, size);
  const Access access{address, pc, static_cast<std::uint8_t>(size), write};
  Cell contents[kMostCells];
  lock_cells(thread, access, contents);
  record::access(*thread.log, reinterpret_cast<const void*>(address), size, write, pc);
  if (is_repeated(thread, access, contents)) return restore_cells(thread, access, contents);
  mark_locked(thread, access, contents, write);
}

namespace {

template <bool kWrite>
void on_part(std::uintptr_t address, std::size_t size, Pc pc) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  switch (size) {
    case 1: return on_access<1, kWrite>(pointer, pc);
    case 2: return on_access<2, kWrite>(pointer, pc);
    case 4: return on_access<4, kWrite>(pointer, pc);
    case 8: return on_access<8, kWrite, true>(pointer, pc);
    case 16: return on_access<16, kWrite>(pointer, pc);
    default: return check_part_of_range(address, size, kWrite, pc);
  }
}

// What one instruction can access is one event, and of longer ranges eight aligned bytes.
template <typename Do>
void for_each_part(std::uintptr_t address, std::size_t size, Do action) {
  while (size > 0) {
    const std::size_t part = size <= 16 ? size : 8 - address % 8;
    action(address, part);
    address += part;
    size -= part;
  }
}

void check_range(std::uintptr_t address, std::size_t size, bool write, Pc pc) {
  const bool points = tls_thread->has_points();
  for_each_part(address, size, [&](std::uintptr_t at, std::size_t part) {
    // What on_part does is a point of its own.
    if (tls_thread->log != nullptr || (points && part != 8)) {
      check_part_of_range(at, part, write, pc);
    } else {
      write ? on_part<true>(at, part, pc) : on_part<false>(at, part, pc);
    }
  });
}

}  // namespace

void on_range(std::uintptr_t address, std::size_t size, bool write, Pc pc) {
  before_access(reinterpret_cast<const void*>(address), static_cast<unsigned>(size), write, pc);
  const bool recorded = tls_thread->log != nullptr;
  if (recorded && options.checks) {
    for_each_part(address, size, [&](std::uintptr_t at, std::size_t part) {
      record_and_check(at, pc, static_cast<unsigned>(part), write);
    });
  } else if (recorded) {
    record_any(address, pc, size, write);
  } else if (options.checks) {
    check_range(address, size, write, pc);
  }
}

void read_range(const void* address, std::size_t size, Pc pc) {
  on_range(reinterpret_cast<std::uintptr_t>(address), size, false, pc);
}

void write_range(const void* address, std::size_t size, Pc pc) {
  on_range(reinterpret_cast<std::uintptr_t>(address), size, true, pc);
}

void read_atomically(const void* address, std::size_t size, Pc pc) {
  AtomicOperation(address, static_cast<unsigned>(size), pc).finish(Atomic::kLoad);
}

void write_anew(const void* address, std::size_t size, Pc pc) {
  AtomicOperation(address, static_cast<unsigned>(size), pc).write_anew();
}

bool can_check(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return has_cells(begin) && (size == 0 || has_cells(begin + size - 1));
}

void warn_unchecked() {
  static std::atomic<bool> warned;
  if (current_thread() == nullptr || warned.exchange(true)) return;
  warn("memory is mapped at an address that cannot be checked; accesses to it are ignored");
}

void forget_range(const void* address, std::size_t size) {
  if (!has_cells(address)) return;
  record_forgotten(address, size,
                   [&](record::ThreadLog& log) { record::forget_range(log, address, size); });
  if (options.checks) clear_cells(reinterpret_cast<std::uintptr_t>(address), size);
}

void free_range(const void* address, std::size_t size, Pc pc) {
  if (!has_cells(address)) return;
  record_forgotten(address, size,
                   [&](record::ThreadLog& log) { record::free_range(log, address, size, pc); });
  if (options.checks) check_range(reinterpret_cast<std::uintptr_t>(address), size, true, pc);
}

void forget_frame(Stack frame) {
  constexpr std::uintptr_t kMost = 1 << 20;
  if (frame.end <= frame.begin || !has_cells(frame.begin)) return;
  const std::uintptr_t size = std::min(frame.end - frame.begin, kMost);
  const Inside inside;
  if (!inside) return;
  ThreadState& thread = inside.thread();
  if (thread.log != nullptr && record::is_used_by_others(*thread.log, frame.begin, size)) {
    enter_chunks_in_use(thread, frame.begin, size);
    record::forget_range(*thread.log, reinterpret_cast<const void*>(frame.begin), size);
  }
  if (options.checks) clear_cells_of_others(frame.begin, size, thread.slot);
}

AtomicOperation::AtomicOperation(const void* address, unsigned size, Pc pc)
    : access_{reinterpret_cast<std::uintptr_t>(address), pc, static_cast<std::uint8_t>(size), false,
              wire::Atomicity::kAtomic} {
  if (!is_event()) return;
  // start_event may wait until all threads have been outside of the runtime, so it must come before
  // we lock cells that they may wait for.
  start_event(inside_.thread());
  update_idle(inside_.thread());
  lock();
}

void AtomicOperation::lock() {
  ThreadState& thread = inside_.thread();
  overflow_now_or_not();
  enter_chunks(thread, access_.address, access_.size);
  if (options.checks) lock_cells(thread, access_, contents_);
  if (thread.log != nullptr) {
    record::atomic_begin(*thread.log, reinterpret_cast<const void*>(access_.address), access_.size);
  }
  thread.atomic = this;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void AtomicOperation::pause() {
  ThreadState& thread = inside_.thread();
  thread.atomic = nullptr;
  if (options.checks) restore_cells(thread, access_, contents_);
  if (thread.log != nullptr) {
    record::atomic_abandoned(reinterpret_cast<const void*>(access_.address), access_.size);
  }
  thread.set_state(kInside, false);
}

// Other threads may have changed the cells meanwhile.
void AtomicOperation::resume() {
  ThreadState& thread = inside_.thread();
  thread.set_state(kInside, true);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  start_event(thread);
  update_idle(thread);
  lock();
}

namespace {

bool is_own_stack(const ThreadState& thread, const HistoryEntry& entry) {
  const bool plain = entry.kind == wire::EntryKind::kRead || entry.kind == wire::EntryKind::kWrite;
  return plain && thread.stack_begin <= entry.object && entry.object < thread.stack_end;
}

bool is_cut(const HistoryEntry& entry) {
  return entry.kind <= wire::EntryKind::kEnd && (entry.size & wire::kIsPart) != 0;
}

// Was the same load the thread's latest event? Its accesses to its own stack and the cuts that its
// attempts made do not count.
bool repeats_latest_event(const ThreadState& thread, const Access& access) {
  constexpr std::uint64_t kLookBack = 64;
  const History& history = thread.history;
  const std::uint64_t end = history.count(), now = thread.time();
  for (std::uint64_t i = end; i > history.first() && i + kLookBack > end; --i) {
    const HistoryEntry entry = history.at(i - 1, now);
    if (is_own_stack(thread, entry) || is_cut(entry)) continue;
    return entry.kind == wire::EntryKind::kAtomicRead && entry.object == access.address &&
           entry.size == access.size && entry.pc == access.pc;
  }
  return false;
}

}  // namespace

Atomic kind_of_load(const ThreadState& thread, const Access& access) {
  // Only the events of a thread that is checked, and not idle, are in its history.
  const bool has_history = options.checks && !thread.is_idle();
  const bool repeats =
      has_history
          ? repeats_latest_event(thread, access)
          : thread.log != nullptr && record::repeats_load(*thread.log, access.address, access.pc);
  return repeats ? Atomic::kRetry : Atomic::kLoad;
}

// An attempt that failed starts afresh if nobody noticed what the part of the block did before.
void AtomicOperation::begin_part_if_unnoticed(Atomic kind) {
  ThreadState& thread = inside_.thread();
  if (thread.depth.load(std::memory_order_relaxed) == 0) return;
  if (kind == Atomic::kRetry && is_unnoticed(thread, {access_.address, access_.size})) {
    begin_part(thread, access_.pc);
  }
  remember_attempt(thread, access_, contents_, writes(kind));
}

void AtomicOperation::finish(Atomic kind) {
  if (!is_event()) return;
  ThreadState& thread = inside_.thread();
  thread.atomic = nullptr;
  const bool matters = options.splits || thread.log != nullptr;
  if (kind == Atomic::kLoad && matters) kind = kind_of_load(thread, access_);
  ++thread.counters->atomics;
  if (thread.log != nullptr) {
    record::atomic_end(*thread.log, reinterpret_cast<const void*>(access_.address), access_.size,
                       raw_kind(kind), access_.pc);
  }
  if (options.splits) begin_part_if_unnoticed(kind);
  if (kind == Atomic::kUpdate) access_.atomicity = wire::Atomicity::kUpdate;
  if (options.checks) mark_locked(thread, access_, contents_, writes(kind));
}

void AtomicOperation::write_anew() {
  if (!is_event()) return;
  ThreadState& thread = inside_.thread();
  thread.atomic = nullptr;
  if (thread.log != nullptr) {
    record::atomic_write_anew(*thread.log, reinterpret_cast<const void*>(access_.address),
                              access_.size, access_.pc);
  }
  for (Cell& content : contents_) content = Cell();
  if (options.checks) mark_locked(thread, access_, contents_, true);
}

}  // namespace omnium::runtime
