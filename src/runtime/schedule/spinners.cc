// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/spinners.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/schedule/spinning.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

constinit SpinLock lock;
constexpr std::uint32_t kMost = 256;
pid_t spinners[kMost];
std::uint32_t count;

struct Spinner {
  Spinning spinning;
  bool looks;   // its last point was a read
  bool listed;  // it is in the list, under this number
  pid_t number;
};
constinit thread_local Spinner self __attribute__((tls_model("initial-exec"))) = {};

void add() {
  if (self.number == 0) self.number = static_cast<pid_t>(syscall(SYS_gettid));
  const SpinGuard guard(lock);
  if (count == kMost) return;
  spinners[count++] = self.number;
  self.listed = true;
}

void remove() {
  const SpinGuard guard(lock);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (spinners[i] == self.number) spinners[i--] = spinners[--count];
  }
  self.listed = false;
}

}  // namespace

void note_spinning(const Point& point) {
  self.spinning.at(point, self.looks);
  self.looks = point.kind == PointKind::kRead;
  const bool spins = self.spinning.is_spinning();
  if (spins && !self.listed) add();
  if (!spins && self.listed) remove();
}

std::uint32_t threads_that_spin(pid_t* to, std::uint32_t most) {
  const SpinGuard guard(lock);
  std::uint32_t written = 0;
  while (written < count && written < most) {
    to[written] = spinners[written];
    ++written;
  }
  return written;
}

}  // namespace omnium::runtime
