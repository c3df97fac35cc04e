// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// mlockall succeeds, although the runtime has mapped more than could ever be locked, and goes on to
// succeed for what is mapped later.
//
// expect: nothing
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <omnium/atomic.h>

int main(void) {
  omnium_begin("main");
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return 1;
  char* later = malloc(1 << 20);
  if (later == NULL) return 2;
  later[0] = 1;
  free(later);
  omnium_end();
  if (munlockall() != 0) return 3;
  return mlockall(0) == -1 && errno == EINVAL ? 0 : 4;
}
