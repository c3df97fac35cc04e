// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// log_append.c mended: each thread has a buffer of its own; they are put together when all is done.
//
// expect: nothing
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <omnium/atomic.h>

enum { kThreads = 4, kLines = 50 };

struct log_buffer {
  char text[4096];
  size_t bytes;
  size_t entries;
};

static struct log_buffer buffers[kThreads];

static void append(struct log_buffer* buffer, const char* line) {
  omnium_begin("append");
  size_t length = strlen(line);
  memcpy(buffer->text + buffer->bytes, line, length);
  buffer->bytes += length;
  buffer->entries += 1;
  omnium_end();
}

static void* request(void* buffer) {
  for (int i = 0; i < kLines; ++i) append(buffer, "GET /index.html 200\n");
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, request, &buffers[i]);
  size_t bytes = 0, entries = 0;
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    omnium_begin("flush");
    bytes += buffers[i].bytes;
    entries += buffers[i].entries;
    omnium_end();
  }
  printf("flushed %zu bytes in %zu entries\n", bytes, entries);
  return entries == kThreads * kLines && bytes == 20 * entries ? 0 : 1;
}
