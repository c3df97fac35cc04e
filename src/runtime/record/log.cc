// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/record/file.h"
#include "runtime/record/follow.h"
#include "runtime/record/order.h"
#include "runtime/record/record.h"
#include "runtime/system/raw_map.h"

namespace omnium::runtime::record {

std::uintptr_t shadow_base = kOwnShadowBase;
wire::RawHeader* header = nullptr;
ThreadLog* logs = nullptr;
std::atomic<std::uint64_t> first_known[kLogSlots];
bool thins_out = false;
std::atomic<std::uint64_t> placed_clock{0};

namespace {

constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
constexpr std::uint64_t kClockReserve = std::uint64_t{1} << 24;

ThreadLog late_log;  // shared by all threads that begin after the recording has stopped
SpinLock slots_lock;
bool slot_in_use[kLogSlots];
std::uint32_t slots_used = 0;  // one more than the highest slot ever used
wire::RawKeeps keeps = wire::RawKeeps::kShared;
bool takes_undeclared = false;
bool waits_for_thread = false;  // in a further process, until it creates its first thread

void say(const char* what, int error) {
  char text[512];
  const int length =
      std::snprintf(text, sizeof text, "omnium: %s: %s\n", what, strerrordesc_np(error));
  if (length > 0) syscall(SYS_write, STDERR_FILENO, text, static_cast<std::size_t>(length));
}

void stop(const ThreadLog* log, int error) {
  std::uint64_t running = 0;
  const std::uint64_t clock = (log == nullptr ? highest_clock() : log->clock) + 1;
  if (!header->stop_clock.compare_exchange_strong(running, clock)) return;
  header->stop_error.store(static_cast<std::uint32_t>(error));
  say("recording stopped; what was recorded so far is usable, the program continues", error);
}

// Did the last thread in the slot end before everything that the parent does from now on?
bool follows(const ThreadLog* parent, std::uint32_t slot) {
  return logs[slot].clock == 0 || (parent != nullptr && parent->known[slot] >= logs[slot].clock);
}

// The lowest free slot whose last thread precedes the new one; if there is none, the lowest free
// slot; kLogSlots if none is free.
std::uint32_t take_slot(const ThreadLog* parent) {
  const SpinGuard guard(slots_lock);
  std::uint32_t found = kLogSlots;
  for (std::uint32_t slot = 0; slot < kLogSlots; ++slot) {
    if (slot_in_use[slot]) continue;
    if (found == kLogSlots || follows(parent, slot)) found = slot;
    if (follows(parent, slot)) break;
  }
  if (found == kLogSlots) return kLogSlots;
  slot_in_use[found] = true;
  slots_used = std::max(slots_used, found + 1);
  return found;
}

void give_back_slot(std::uint32_t slot) {
  const SpinGuard guard(slots_lock);
  slot_in_use[slot] = false;
}

void fill_header() {
  header->version = wire::kRawVersion;
  header->process = static_cast<std::uint32_t>(getpid());
  header->keeps = static_cast<std::uint32_t>(keeps);
  header->takes_undeclared = takes_undeclared ? 1 : 0;
  start_following();
  std::memcpy(header->magic, wire::kRawMagic, sizeof header->magic);
}

// Writes the block to a new piece of the file. The mapped block can be filled again then. Until the
// new piece is complete the mapped block stays as it is, and the header comes last: a program that
// is killed meanwhile leaves one of the two.
bool write_block(ThreadLog& log) {
  wire::RawBlock& block = *log.block;
  wire::RawBlock head{
      block.magic, block.thread, block.sequence, block.first_clock, {log.count}, 1, 0, {}};
  const std::size_t bytes = log.count * sizeof(wire::RawRecord);
  const std::uint64_t hash = XXH3_64bits(&head, offsetof(wire::RawBlock, hash));
  head.hash = XXH3_64bits_withSeed(block.records(), bytes, hash);
  const std::uint64_t piece = take_piece();
  int error = write_piece(piece + sizeof head, block.records(), bytes);
  if (error == 0) error = write_piece(piece, &head, sizeof head);
  if (error != 0) stop(&log, error);
  if (error == 0) block_was_sealed();
  return error == 0;
}

// While the block changes it is nobody's: who reads the log meanwhile looks for the sealed one.
void start_block(ThreadLog& log, std::uint32_t thread, std::uint64_t sequence) {
  wire::RawBlock& block = *log.block;
  log.count = 0;
  ++log.run_epoch;
  const std::atomic_ref owner(block.thread);
  owner.store(wire::kRawNoThread, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  block.sealed = 0;
  block.count.store(0, std::memory_order_relaxed);
  block.first_clock = log.logged_clock;
  block.sequence = sequence;
  block.magic = wire::kRawBlockMagic;
  owner.store(thread, std::memory_order_release);
}

bool map_own_shadow() {
  const auto shadow = reinterpret_cast<void*>(kOwnShadowBase);
  constexpr int kFlags = kAnonymous | MAP_FIXED_NOREPLACE;
  if (map_raw(shadow, kShadowBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) != shadow) return false;
  madvise(shadow, kShadowBytes, MADV_NOHUGEPAGE);
  madvise(shadow, kShadowBytes, MADV_DONTDUMP);
  return true;
}

}  // namespace

void reader_is_gone() {
  std::uint64_t running = 0;
  if (!header->stop_clock.compare_exchange_strong(running, highest_clock() + 1)) return;
  remove_file();
  say("the program is no longer checked: omnium has ended", EPIPE);
}

void stopped(ThreadLog& log) {
  set_clock(log, std::max(log.clock, header->stop_clock.load(std::memory_order_relaxed)));
}

void seal(ThreadLog& log) {
  if (log.clock > kMaxClock - kClockReserve) return stop(&log, EOVERFLOW);
  if (write_block(log)) start_block(log, log.number, log.block->sequence + 1);
}

bool append_clock(ThreadLog& log) {
  log.logged_clock = log.clock;
  append_record(log, wire::make_aside(wire::RawKind::kClock, log.clock));
  return log.count != wire::kRawRecordsPerBlock;
}

void append_new_access(ThreadLog& log, wire::RawKind kind, std::uint64_t address,
                       std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);  // the log may have no block
  Run& run = run_of(log, place);
  const bool follows = goes_on(log, run, kind, place);
  const std::uint64_t stride = address - run.last;
  const bool repeats = follows && !run.repeats && stride == run.stride && size == run.size &&
                       log.count + 3 < wire::kRawRecordsPerBlock;
  append_sized(log, kind, address, size, place);
  if (repeats) append_record(log, wire::make_repeat(stride));
  run = {place,
         address,
         follows ? stride : 0,
         log.block->records() + log.count - 1,
         log.run_epoch,
         0,
         static_cast<std::uint16_t>(size),
         kind,
         repeats};
}

namespace {

// The latest accesses came three times by the same instructions. If each has gone the same number
// of bytes further both times, they are a loop.
void begin_loop(ThreadLog& log) {
  Loop& loop = log.loop;
  const std::uint32_t length = loop.length;
  if (log.count + 1 >= wire::kRawRecordsPerBlock) return;  // its record must be in the same block
  const wire::RawRecord* const end = log.block->records() + log.count;
  for (std::uint32_t i = 0; i < length; ++i) {
    const wire::RawRecord& first = *(end - 3 * length + i);
    const wire::RawRecord& second = *(end - 2 * length + i);
    const wire::RawRecord& third = *(end - length + i);
    const std::uint64_t stride = wire::object_of(third) - wire::object_of(second);
    if (!wire::is_same_access(first, third) || !wire::is_same_access(second, third)) return;
    if (wire::object_of(second) - wire::object_of(first) != stride) return;
    loop.steps[i] = {wire::place_of(third), wire::object_of(third) + stride, stride,
                     third.what & 0xffff};
  }
  append_record(log, wire::make_loop(length));
  loop.record = log.block->records() + log.count - 1;
  loop.at = 0;
  loop.epoch = log.run_epoch;
}

}  // namespace

void append_next_access(ThreadLog& log, wire::RawKind kind, std::uint64_t address,
                        std::uint32_t size, std::uint64_t place) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return stopped(log);
  append_sized(log, kind, address, size, place);
  if (log.count == 0) return;  // the block was full: this access is in another one than the next
  Run& run = run_of(log, place);
  const std::uint32_t index = log.count - 1;
  const bool known = run.epoch == log.run_epoch && run.place == place;
  const std::uint32_t before = known ? index - run.index : 0;
  run.place = place;
  run.epoch = log.run_epoch;
  run.index = index;
  Loop& loop = log.loop;
  if (before == 0 || before > wire::kRawLongestLoop || before != loop.length) {
    loop.length = before <= wire::kRawLongestLoop ? before : 0;
    loop.matched = loop.length == 0 ? 0 : 1;
    return;
  }
  ++loop.matched;
  if (loop.matched >= 2 * before && loop.matched % before == 0) begin_loop(log);
}

void append_operand(ThreadLog& log, std::uint64_t value) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) return stopped(log);
  append_record(log, wire::make_aside(wire::RawKind::kOperand, value));
}

void append_text(ThreadLog& log, wire::RawKind kind, std::uint64_t object, const void* text,
                 std::size_t size) {
  size = std::min<std::size_t>(size, wire::kRawMaxSize);
  const auto records =
      static_cast<std::uint32_t>((size + sizeof(wire::RawRecord) - 1) / sizeof(wire::RawRecord));
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) return stopped(log);
  // A text must be in one block, together with its record.
  if (log.count + records + 3 > wire::kRawRecordsPerBlock) seal(log);
  ++log.run_epoch;
  append_sized(log, kind, object, static_cast<std::uint32_t>(size), 0);
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) return stopped(log);
  std::memcpy(log.block->records() + log.count, text, size);
  log.count += records;
  log.block->count.store(log.count, std::memory_order_release);
}

std::uint64_t highest_clock() {
  std::uint64_t highest = 0;
  const SpinGuard guard(slots_lock);
  for (std::uint32_t slot = 0; slot < slots_used; ++slot) {
    highest = std::max(highest, std::atomic_ref(logs[slot].clock).load(std::memory_order_relaxed));
  }
  return highest;
}

void begin_placed(ThreadLog& log) { set_clock(log, std::max(log.clock, highest_clock()) + 1); }

void end_placed(const ThreadLog& log) {
  std::uint64_t before = placed_clock.load();
  while (before < log.clock && !placed_clock.compare_exchange_weak(before, log.clock)) {
  }
}

void take_undeclared() { takes_undeclared = true; }

bool start(const char* path, std::uintptr_t shadow, wire::RawKeeps what) {
  keeps = what;
  thins_out = what == wire::RawKeeps::kForCheck;
  if (shadow != 0) {
    shadow_base = shadow;
  } else if (!map_own_shadow()) {
    say("recording is off: cannot map its shadow memory", errno);
    return false;
  }
  void* const memory =
      map_raw(nullptr, kLogSlots * sizeof(ThreadLog), PROT_READ | PROT_WRITE, kAnonymous, -1, 0);
  const int error = memory == MAP_FAILED ? errno : open_file(path, header);
  if (memory != MAP_FAILED) logs = static_cast<ThreadLog*>(memory);
  if (error == 0) {
    fill_header();
    return true;
  }
  header = nullptr;
  // Another program writes it, which has executed this one: as in the child of a fork.
  waits_for_thread = error == EEXIST;
  if (error != EEXIST) say("recording is off: cannot write its file", error);
  return false;
}

bool is_on() { return header != nullptr; }

void finish() {
  if (header == nullptr) return;
  header->ended.store(1);
  if (header->is_followed != 0 && !has_reader()) remove_file();
}

void abandon() {
  if (header != nullptr) waits_for_thread = true;
  header = nullptr;
}

void lock_logs() { slots_lock.lock(); }
void unlock_logs() { slots_lock.unlock(); }

ThreadLog* start_in_child(std::uint32_t number, Pc start) {
  if (!waits_for_thread) return nullptr;
  waits_for_thread = false;
  if (const int error = open_file_of_child(header); error != 0) {
    header = nullptr;
    say("a process is not recorded: cannot write its file", error);
    return nullptr;
  }
  // This log has nothing of what the threads of the parent did. No other thread runs here.
  std::memset(slot_in_use, 0, sizeof slot_in_use);
  slots_used = 0;
  emptied_clock.store(0);
  placed_clock.store(0);
  forget_labels();
  madvise(logs, kLogSlots * sizeof(ThreadLog), MADV_DONTNEED);
  for (auto& clock : first_known) clock.store(0, std::memory_order_relaxed);
  madvise(reinterpret_cast<void*>(shadow_base), kShadowBytes, MADV_DONTNEED);
  fill_header();
  ThreadLog& log = new_thread(number, nullptr, start, 0);
  modules_changed(log);
  return &log;
}

ThreadLog& new_thread(std::uint32_t number, ThreadLog* parent, Pc start, Pc pc) {
  if (header->stop_clock.load(std::memory_order_relaxed) != 0) return late_log;
  if (parent != nullptr) catch_up(*parent);
  const std::uint32_t slot = take_slot(parent);
  if (slot == kLogSlots) {
    stop(nullptr, EAGAIN);
    return late_log;
  }
  ThreadLog& log = logs[slot];
  const std::uint64_t last = log.clock;  // of the last thread in the slot
  if (log.block == nullptr) {
    int error = 0;
    log.block = static_cast<wire::RawBlock*>(map_piece(error));
    if (log.block == nullptr) {
      stop(nullptr, error);
      give_back_slot(slot);
      return late_log;
    }
  }
  const bool follows_last = follows(parent, slot);
  log.slot = slot;
  log.number = number;
  log.depth = log.least_depth = 0;
  log.begun = log.body_call = 0;
  log.stack_begin = log.stack_size = 0;
  std::memset(log.known, 0, sizeof log.known);
  if (parent != nullptr) {
    append(*parent, wire::RawKind::kFork, number, pc);
    std::memcpy(log.known, parent->known, sizeof log.known);
    log.known[parent->slot] = parent->clock;
  }
  set_clock(log, std::max(last, parent == nullptr ? 0 : parent->clock) + 1);
  log.first_clock = log.clock;
  log.first_word = identity_of(0, log.clock);
  if (!follows_last) first_known[slot].store(log.clock, std::memory_order_relaxed);
  log.logged_clock = log.clock;
  start_block(log, number, 0);
  append(log, wire::RawKind::kThreadStart, start, 0);
  return log;
}

void show_quick(ThreadLog& log, Quick& quick) {
  if (&log == &late_log || !thins_out) return;
  log.quick = &quick;
  quick = quick_words(log);
}

void thread_has_stack(ThreadLog& log, std::uintptr_t begin, std::uintptr_t end) {
  log.stack_begin = begin;
  log.stack_size = end - begin;
}

void thread_named(ThreadLog& log, const char* name) {
  append_text(log, wire::RawKind::kThreadName, 0, name, std::strlen(name));
}

void body_begins(ThreadLog& log) { log.body_call = 0; }

void body_calls(ThreadLog& log, Pc function) {
  log.body_call = log.begun + 1;
  log.body_callee = function;
  body_call_is(log, wire::RawBodyCallFact::kBegins);
}

void body_call_is(ThreadLog& log, wire::RawBodyCallFact fact) {
  if (log.body_call == 0) return;
  const wire::RawBodyCall call{log.body_call, fact};
  append_text(log, wire::RawKind::kBodyCall, log.body_callee, &call, sizeof call);
}

void thread_began(ThreadLog& log) {
  catch_up(log);
  begin_part(log);
  append(log, wire::RawKind::kThreadBegin, 0, 0);
}

ThreadEnd thread_ended(ThreadLog& log) {
  catch_up(log);
  begin_placed(log);
  append(log, wire::RawKind::kThreadEnd, 0, 0);
  end_placed(log);
  const ThreadEnd end{log.clock, log.slot, log.number};
  log.quick = nullptr;
  // A block that could not be written stays in the mapped piece, so its slot is not used again.
  if (header->stop_clock.load(std::memory_order_relaxed) != 0 || !write_block(log)) return end;
  start_block(log, wire::kRawNoThread, 0);
  give_back_slot(log.slot);
  return end;
}

void thread_joined(ThreadLog& log, const ThreadEnd& child, Pc pc) {
  catch_up(log);
  set_clock(log, std::max(log.clock, child.clock));
  begin_part(log);
  log.known[child.slot] = std::max(log.known[child.slot], child.clock);
  append(log, wire::RawKind::kJoin, child.number, pc);
}

}  // namespace omnium::runtime::record
