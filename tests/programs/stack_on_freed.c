// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block frees memory that the C library unmaps, and then a thread gets its stack there. What the
// thread does on its stack has nothing to do with what was freed.
// expect: nothing
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omnium/atomic.h>

enum { kBlocks = 8, kBlock = 200000, kStack = 196608, kUsed = 60000 };

char* volatile blocks[kBlocks];  // volatile: otherwise the compiler leaves them out
long result;

void* use_stack(void* unused) {
  (void)unused;
  volatile char here[kUsed];
  for (int i = 0; i < kUsed; i += 64) here[i] = 1;
  result = here[64];
  return NULL;
}

void* create(void* unused) {
  (void)unused;
  usleep(30000);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_t thread;
  pthread_create(&thread, &attributes, use_stack, NULL);
  pthread_join(thread, NULL);
  return NULL;
}

void* free_and_read(void* unused) {
  (void)unused;
  omnium_begin("free and read");
  for (int i = 0; i < kBlocks; ++i) blocks[i] = memset(malloc(kBlock), 1, kBlock);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  usleep(100000);
  const long seen = result;
  omnium_end();
  return (void*)seen;
}

int main(void) {
  pthread_t creates, frees;
  pthread_create(&creates, NULL, create, NULL);
  pthread_create(&frees, NULL, free_and_read, NULL);
  pthread_join(creates, NULL);
  pthread_join(frees, NULL);
}
