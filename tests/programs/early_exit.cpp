// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that leaves by _exit right after a violation: what was seen is reported all the same.
//
// expect: slow_add (with add), lost update on counter.value
#include <unistd.h>

#include "lost_update.h"

int main() {
  lose_update();
  _exit(3);
}
