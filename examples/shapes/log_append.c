// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A log buffer with two counters that belong together: append() moves them in two critical
// sections, and whoever flushes in between sees bytes without an entry.
//
// expect: append (with flush), torn update on log_buffer.bytes and log_buffer.entries
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <omnium/atomic.h>

#include "turns.h"

static struct {
  pthread_mutex_t mutex;
  char text[256];
  size_t bytes;
  size_t entries;
} log_buffer = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void append(const char* line) {
  omnium_begin("append");
  pthread_mutex_lock(&log_buffer.mutex);
  size_t length = strlen(line);
  memcpy(log_buffer.text + log_buffer.bytes, line, length);
  log_buffer.bytes += length;
  pthread_mutex_unlock(&log_buffer.mutex);
  turn(1);
  turn(4);
  pthread_mutex_lock(&log_buffer.mutex);
  log_buffer.entries += 1;
  pthread_mutex_unlock(&log_buffer.mutex);
  omnium_end();
}

static void flush(void) {
  omnium_begin("flush");
  pthread_mutex_lock(&log_buffer.mutex);
  size_t bytes = log_buffer.bytes;
  size_t entries = log_buffer.entries;
  pthread_mutex_unlock(&log_buffer.mutex);
  omnium_end();
  printf("flushed %zu bytes in %zu entries\n", bytes, entries);
}

static void* request(void* unused) {
  append("GET /index.html 200\n");
  return unused;
}

static void* housekeeping(void* unused) {
  turn(2);
  flush();
  turn(3);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, request, NULL);
  pthread_create(&second, NULL, housekeeping, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
