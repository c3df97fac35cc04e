// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/serial.h"

#include <cerrno>

#include "runtime/schedule/board.h"
#include "runtime/schedule/follow.h"
#include "runtime/schedule/sharing.h"
#include "runtime/schedule/steps.h"
#include "runtime/schedule/strategy.h"
#include "runtime/schedule/token.h"
#include "runtime/schedule/virtual_clock.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

namespace {

// So many accesses that are no points.
constexpr std::uint32_t kLongQuiet = 5'000;

bool is_on() { return serial_is_on.load(std::memory_order_relaxed); }

class KeptErrno {
 public:
  KeptErrno() = default;
  ~KeptErrno() { errno = saved_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int saved_ = errno;
};

bool is_point(const Point& point) {
  if (point.kind == PointKind::kAcquire || point.kind == PointKind::kStart) return true;
  return point.atomic || is_shared_place(point.pc);
}

// Has this thread the token, and may it wait? Not in signal handlers, nor inside the runtime.
SerialThread* who_may_wait() {
  SerialThread* const self = tls_serial;
  if (!is_on() || self == nullptr || tls_no_points != 0) return nullptr;
  return has_token(*self) ? self : nullptr;
}

}  // namespace

bool prepare_serial(const char* path) {
  if (path[0] == '\0') return false;
  if (!open_board(path)) refuse_value("serial: no board", path);
  // A program that this one has started is not meant.
  if (board().started.exchange(1) != 0) return false;
  prepare_sharing(board());
  if (board().strategy == wire::SerialStrategy::kSteps) prepare_steps(options.steer);
  prepare_switches(board());
  prepare_strategy(board());
  prepare_virtual_clock(board().clock_start);
  SerialThread& main = serial_thread(0);
  add_thread(main, nullptr);
  tls_serial = &main;
  serial_is_on = true;
  return true;
}

void stop_serial() {
  serial_is_on = false;
  tls_serial = nullptr;
  virtual_time_passes();
}

void serial_process_ends() { keep_token_for_end(); }

void serial_modules_changed() {
  if (!is_on()) return;
  find_serial_modules();
  steps_modules_changed();
}

void serial_point(const Point& point) {
  SerialThread* const self = tls_serial;
  if (!is_on() || self == nullptr || point.kind == PointKind::kStart) return;
  if (!has_token(*self)) come_back(*self);
  if (live_threads() > 1) {
    if (is_point(point)) {
      self->quiet = 0;
      let_others_go(*self, point);
      note_step(*self, point);
    } else if (++self->quiet == kLongQuiet) {
      // It may wait for another thread, in a way that nobody has learned yet.
      self->quiet = 0;
      yield_token(*self, point);
    }
    note_access(*self, point, serial_time());
  }
}

void serial_yield(Pc pc) {
  const KeptErrno kept;
  SerialThread* const self = who_may_wait();
  if (self == nullptr || live_threads() < 2) return;
  yield_token(*self, {PointKind::kRead, 0, 0, pc, true});
}

void serial_lock(bool taken) {
  SerialThread* const self = tls_serial;
  if (!is_on() || self == nullptr) return;
  if (taken) {
    ++self->held;
  } else {
    if (self->held > 0) --self->held;
    self->gives_back = true;
  }
}

void nothing_changed() {
  if (SerialThread* const self = who_may_wait()) changed_nothing(*self);
}

void serial_created(const ThreadState* child) {
  if (!is_on() || child == nullptr || tls_serial == nullptr) return;
  if (child->index >= wire::SerialBoard::kMostThreads) {
    return switch_serial_off(wire::SerialOff::kThreads);
  }
  add_thread(serial_thread(child->index), tls_serial);
}

void serial_not_created(const ThreadState* child) {
  if (is_on() && child != nullptr && tls_serial != nullptr) {
    drop_thread(serial_thread(child->index));
  }
}

void serial_begins() {
  if (!is_on() || tls_thread->index >= wire::SerialBoard::kMostThreads) return;
  SerialThread& self = serial_thread(tls_thread->index);
  if (self.standing != Standing::kStarting) return;  // it appeared without being created
  const KeptErrno kept;
  tls_serial = &self;
  begin_thread(self);
}

void serial_ends() {
  SerialThread* const self = tls_serial;
  tls_serial = nullptr;
  if (!is_on() || self == nullptr) return;
  end_thread(*self);
}

bool is_serial_here() { return who_may_wait() != nullptr && live_threads() > 1; }

SerialWait serial_wait(const void* object, std::uint64_t micros) {
  const KeptErrno kept;
  // A point takes as long as a microsecond, and nobody waits for too many.
  constexpr std::uint64_t kMost = 20'000;
  if (micros != 0) board().timed.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t some = time_is_virtual() ? kNoTime / 2 : kMost;
  // By a virtual clock the time would have passed for all others, too.
  const std::uint64_t at_once = time_is_virtual() ? 1 : 0;
  const std::uint64_t longest = board().hasty != 0 ? at_once : some;
  const std::uint64_t until =
      micros == 0 ? kNoTime : serial_clock() + (micros < longest ? micros : longest);
  const std::uint64_t begin = serial_clock();
  switch (wait_for(*tls_serial, reinterpret_cast<std::uintptr_t>(object), until)) {
    case Wake::kReleased: return SerialWait::kAgain;
    case Wake::kTime:
      // Whoever was hasty finds that the time has really passed.
      if (const std::uint64_t now = serial_clock(); time_is_virtual() && now < begin + micros) {
        pass_time(begin + micros - now);
      }
      return SerialWait::kTimeout;
    case Wake::kNotYet:
    case Wake::kReal: break;
  }
  return SerialWait::kReal;
}

bool serial_wait_for_end(const ThreadState* thread) {
  if (thread == nullptr) {
    serial_away();
    return false;
  }
  const KeptErrno kept;
  return wait_for_end(*tls_serial, serial_thread(thread->index)) != Wake::kReal;
}

bool pass_time_alone(std::uint64_t micros) {
  const SerialThread* const self = tls_serial;
  if (!time_is_virtual() || !is_on() || self == nullptr || tls_no_points != 0) return false;
  if (!has_token(*self) || live_threads() > 1) return false;
  board().timed.fetch_add(1, std::memory_order_relaxed);
  pass_time(micros);
  return true;
}

void serial_sleeps(bool sleeps) {
  if (SerialThread* const self = tls_serial) self->sleeps = sleeps;
}

void serial_released(const void* object, bool all) {
  if (is_on()) release(reinterpret_cast<std::uintptr_t>(object), all);
}

void serial_away() {
  const KeptErrno kept;
  if (SerialThread* const self = who_may_wait()) go_away(*self);
}

void serial_back() {
  const KeptErrno kept;
  SerialThread* const self = tls_serial;
  if (is_on() && self != nullptr && tls_no_points == 0) come_back(*self);
}

}  // namespace omnium::runtime
