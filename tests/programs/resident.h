// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How much memory this process has in use, shadow memory and all.
#pragma once

#include <stdio.h>
#include <unistd.h>

static inline long resident_megabytes(void) {
  long total = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &total, &resident) != 2) return -1;
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}
