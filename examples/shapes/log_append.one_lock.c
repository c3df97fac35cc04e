// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// log_append.c mended: both counters move in one critical section.
//
// expect: nothing
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include <omnium/atomic.h>

static struct {
  pthread_mutex_t mutex;
  char text[4096];
  size_t bytes;
  size_t entries;
} log_buffer = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void append(const char* line) {
  omnium_begin("append");
  pthread_mutex_lock(&log_buffer.mutex);
  size_t length = strlen(line);
  memcpy(log_buffer.text + log_buffer.bytes, line, length);
  log_buffer.bytes += length;
  log_buffer.entries += 1;
  pthread_mutex_unlock(&log_buffer.mutex);
  omnium_end();
}

static bool flush(void) {
  omnium_begin("flush");
  pthread_mutex_lock(&log_buffer.mutex);
  bool whole = log_buffer.bytes == 20 * log_buffer.entries;
  pthread_mutex_unlock(&log_buffer.mutex);
  omnium_end();
  return whole;
}

static void* request(void* unused) {
  for (int i = 0; i < 100; ++i) append("GET /index.html 200\n");
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, request, NULL);
  pthread_create(&second, NULL, request, NULL);
  bool whole = true;
  for (int i = 0; i < 100; ++i) whole &= flush();
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return whole ? 0 : 1;
}
