// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/follow.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/record/file.h"
#include "runtime/shadow/ownership.h"
#include "runtime/state/thread.h"
#include "runtime/system/signal_gate.h"

namespace omnium::runtime::record {

std::atomic<std::uint64_t> floor_clock{0};
std::atomic<std::uint32_t> answered{0};

namespace {

constexpr std::uint64_t kMostSealed = 256;  // blocks that the reader has not done with: 16 MB
constexpr int kLooksBeforeAsking = 64;      // whether the reader is still there

bool reader_expected = false;
std::atomic<std::uint64_t> sealed_blocks{0};
std::atomic<bool> telling{false};

bool has_room() {
  return sealed_blocks.load(std::memory_order_relaxed) <
         header->blocks_taken.load(std::memory_order_acquire) + kMostSealed;
}

bool is_stopped() { return header->stop_clock.load(std::memory_order_relaxed) != 0; }

void sleep_for_a_millisecond() {
  const timespec time{0, 1'000'000};
  syscall(SYS_nanosleep, &time, nullptr);  // the function is interposed
}

// Runs outside of the runtime, like a signal handler. Threads that wait here tell again and again
// how far the log is complete: others may have been in the middle of an event the last time.
void wait_for_room() {
  const int saved = errno;
  for (int looks = 1; header != nullptr && !is_stopped() && !has_room(); ++looks) {
    tell_complete_clock();
    sleep_for_a_millisecond();
    if (looks % kLooksBeforeAsking == 0 && !has_reader()) reader_is_gone();
  }
  errno = saved;
}

}  // namespace

void expect_reader() { reader_expected = true; }

void start_following() {
  if (!reader_expected) return;
  header->is_followed = 1;
  sealed_blocks.store(0);
  answered.store(0);
  telling.store(false);  // a thread of the parent may have been at it
  floor_clock.store(1);
  wait_outside.store(wait_for_room);
}

void block_was_sealed() {
  if (floor_clock.load(std::memory_order_relaxed) == 0) return;
  sealed_blocks.fetch_add(1, std::memory_order_relaxed);
  tell_complete_clock();
  if (!has_room() && tls_thread->life == Life::kRunning) tls_thread->set_state(kSignalled, true);
}

// Whoever enters the runtime from now on sees the new floor. A thread that is inside may not have
// seen it; its clock is at most that of any event that it has not written yet.
void tell_complete_clock() {
  close_gate();
  if (telling.exchange(true, std::memory_order_acquire)) return open_gate();
  std::uint64_t complete = highest_clock() + 1;
  if (complete > floor_clock.load(std::memory_order_relaxed)) floor_clock.store(complete);
  const bool ordered = order_all_threads();
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    ThreadState& thread = thread_at(i);
    const std::uint32_t state = thread.state.load(std::memory_order_acquire);
    const ThreadLog* const log = std::atomic_ref(thread.log).load(std::memory_order_acquire);
    const bool exists = thread.life == Life::kForked || thread.life == Life::kRunning;
    if (!exists || log == nullptr || (state & (kInside | kMarking)) == 0) continue;
    complete = std::min(
        complete,
        std::atomic_ref(const_cast<std::uint64_t&>(log->clock)).load(std::memory_order_relaxed));
  }
  if (ordered && complete > header->complete_clock.load(std::memory_order_relaxed)) {
    header->complete_clock.store(complete, std::memory_order_release);
  }
  telling.store(false, std::memory_order_release);
  open_gate();
}

}  // namespace omnium::runtime::record
