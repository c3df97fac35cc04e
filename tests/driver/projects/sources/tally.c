// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tally.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

int tally_add(int amount) {
  pthread_mutex_lock(&lock);
  const int now = total += amount;
  pthread_mutex_unlock(&lock);
  return now;
}
