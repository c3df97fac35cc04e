// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// lost_update.c mended: an atomic read-modify-write looks and changes at once.
//
// expect: nothing
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <omnium/atomic.h>

static atomic_int stock = 500;

static void* sell(void* unused) {
  for (int i = 0; i < 200; ++i) {
    omnium_begin("sell");
    atomic_fetch_sub(&stock, 1);
    omnium_end();
  }
  return unused;
}

static void* restock(void* unused) {
  for (int i = 0; i < 100; ++i) {
    omnium_begin("restock");
    atomic_fetch_add_explicit(&stock, 10, memory_order_relaxed);
    omnium_end();
  }
  return unused;
}

int main(void) {
  pthread_t shop, truck;
  pthread_create(&shop, NULL, sell, NULL);
  pthread_create(&truck, NULL, restock, NULL);
  pthread_join(shop, NULL);
  pthread_join(truck, NULL);
  printf("500 - 200 + 1000 = %d\n", atomic_load(&stock));
  return atomic_load(&stock) == 1300 ? 0 : 1;
}
