// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// mlockall would lock the shadow memory, terabytes that are mapped and hardly touched: it would
// fail, or take all memory of the machine. So it only seems to succeed. Locking single ranges
// (mlock) is as usual.
#include <errno.h>
#include <sys/mman.h>

#include "runtime/interpose/real.h"

namespace omnium::runtime {

OMNIUM_INTERPOSE int mlockall(int flags) noexcept {
  const bool known = (flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0;
  if (known && (flags & (MCL_CURRENT | MCL_FUTURE)) != 0) return 0;
  errno = EINVAL;
  return -1;
}

OMNIUM_INTERPOSE int munlockall() noexcept { return 0; }

}  // namespace omnium::runtime
