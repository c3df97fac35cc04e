// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// lost_update.c mended: one critical section from the look to the change.
//
// expect: nothing
#include <pthread.h>
#include <stdio.h>

#include <omnium/atomic.h>

static struct {
  pthread_mutex_t mutex;
  int count;
} stock = {PTHREAD_MUTEX_INITIALIZER, 500};

static void change(int by) {
  pthread_mutex_lock(&stock.mutex);
  int count = stock.count;
  stock.count = count + by;
  pthread_mutex_unlock(&stock.mutex);
}

static void* sell(void* unused) {
  for (int i = 0; i < 200; ++i) {
    omnium_begin("sell");
    change(-1);
    omnium_end();
  }
  return unused;
}

static void* restock(void* unused) {
  for (int i = 0; i < 100; ++i) {
    omnium_begin("restock");
    change(10);
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
  printf("500 - 200 + 1000 = %d\n", stock.count);
  return stock.count == 1300 ? 0 : 1;
}
