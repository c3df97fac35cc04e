// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The lock of a stream, which a program may hold for longer than one call. What the C library's own
// calls lock is its own affair.
#include <errno.h>
#include <stdio.h>

#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(flockfile);
OMNIUM_REAL(ftrylockfile);
OMNIUM_REAL(funlockfile);

// glibc's lock of a stream, which a thread may take several times.
struct StreamLock {
  int word, count;
  void* owner;
};

bool is_outermost(const FILE* stream) {
  return reinterpret_cast<const StreamLock*>(stream->_lock)->count == 1;
}

int try_lock(FILE* stream) { return real_ftrylockfile(stream) == 0 ? 0 : EBUSY; }

}  // namespace

OMNIUM_INTERPOSE void flockfile(FILE* stream) noexcept {
  OMNIUM_BEFORE_ACQUIRE(stream);
  take_serially(
      stream, [&] { return try_lock(stream); },
      [&] {
        real_flockfile(stream);
        return 0;
      });
  if (is_outermost(stream)) acquire(stream, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int ftrylockfile(FILE* stream) noexcept {
  OMNIUM_BEFORE_ACQUIRE(stream);
  const int result = real_ftrylockfile(stream);
  if (points_matter && result != 0) nothing_changed();
  if (result != 0) {
    busy(stream, OMNIUM_USER_PC());
  } else if (is_outermost(stream)) {
    tried(stream, OMNIUM_USER_PC());
    acquire(stream, OMNIUM_USER_PC());
  }
  return result;
}

OMNIUM_INTERPOSE void funlockfile(FILE* stream) noexcept {
  if (is_outermost(stream)) release(stream, OMNIUM_USER_PC());
  real_funlockfile(stream);
  released_serially(stream);
}

}  // namespace omnium::runtime
