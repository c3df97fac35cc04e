// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/point.h"

#include <cerrno>

#include "runtime/schedule/freed.h"
#include "runtime/schedule/noise.h"
#include "runtime/schedule/pause.h"
#include "runtime/schedule/runners.h"
#include "runtime/schedule/serial.h"
#include "runtime/schedule/steer.h"
#include "runtime/state/modules.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

bool points_matter;
constinit thread_local std::uint32_t tls_no_points = 0;

void prepare_points() {
  const bool noisy = prepare_noise(options.perturb);
  const bool serial = prepare_serial(options.serial);
  // In a serial run, steps are a strategy.
  const bool steered = options.serial[0] == '\0' && prepare_steering(options.steer);
  const bool paused = prepare_pauses(options.pause);
  points_matter = noisy || steered || paused || serial;
  if (noisy || steered || paused) prepare_runners();
}

void stop_points() {
  stop_runners();
  stop_steering();
  stop_serial();
  stop_keeping_freed();
}

void at_point(const Point& point) {
  ThreadState& thread = *tls_thread;
  // Not while the runtime is at work, nor where the program asked to be left alone.
  constexpr std::uint32_t kNotNow = kInside | kMarking | kBlind;
  if ((thread.state.load(std::memory_order_relaxed) & kNotNow) != 0 || tls_no_points != 0) return;
  // A library may hold a lock of its own.
  if (point.kind == PointKind::kAcquire && !is_program_code(point.pc)) return;
  const int saved = errno;
  steer(thread, point);
  pause_where_suspicious(thread, point);
  make_noise(thread, point);
  serial_point(point);
  expect_not_freed(point);
  errno = saved;
}

void note_lock(const volatile void* lock, bool taken) {
  const auto address = reinterpret_cast<std::uintptr_t>(lock);
  taken ? pauses_note_taken(address) : pauses_note_given_back(address);
  serial_lock(taken);
}

void note_block() { pauses_note_block(); }

}  // namespace omnium::runtime
