// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A process that was started without our descriptors, and with other files in their place, reports
// all the same.
//
// expect: slow_add (with add), lost update on counter.value
// record: no
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lost_update.h"

int main(int, char** arguments) {
  if (arguments[1] != nullptr) {
    lose_update();
    return 0;
  }
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 3; i < 1024; ++i) close(i);
    for (int i = 0; i < 1000; ++i) open("/dev/null", O_RDWR);
    execl("/proc/self/exe", arguments[0], "again", nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}
