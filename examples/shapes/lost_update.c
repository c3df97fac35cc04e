// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lost update over two critical sections: sell() looks at the stock in one and writes it back in
// another. What arrives in between is never sold.
//
// expect: sell (with restock), lost update on stock.count
#include <pthread.h>
#include <stdio.h>

#include <omnium/atomic.h>

#include "turns.h"

static struct {
  pthread_mutex_t mutex;
  int count;
} stock = {PTHREAD_MUTEX_INITIALIZER, 5};

static int look(void) {
  pthread_mutex_lock(&stock.mutex);
  int count = stock.count;
  pthread_mutex_unlock(&stock.mutex);
  return count;
}

static void put(int count) {
  pthread_mutex_lock(&stock.mutex);
  stock.count = count;
  pthread_mutex_unlock(&stock.mutex);
}

static void* sell(void* unused) {
  omnium_begin("sell");
  int count = look();
  turn(1);
  turn(4);
  put(count - 1);
  omnium_end();
  return unused;
}

static void* restock(void* unused) {
  turn(2);
  omnium_begin("restock");
  pthread_mutex_lock(&stock.mutex);
  stock.count += 10;
  pthread_mutex_unlock(&stock.mutex);
  omnium_end();
  turn(3);
  return unused;
}

int main(void) {
  pthread_t shop, truck;
  pthread_create(&shop, NULL, sell, NULL);
  pthread_create(&truck, NULL, restock, NULL);
  pthread_join(shop, NULL);
  pthread_join(truck, NULL);
  printf("5 - 1 + 10 = %d\n", stock.count);
  return 0;
}
