// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Objects of C whose type is not that of their allocation: a structure that only a typedef names,
// what lies in an arena of bytes, what memcpy copies, an element that a macro accesses, one of
// what a local pointer leads to, and one of several members in a statement.
//
// expect: resize (with resize), lost update on cache_t::size
// expect: link (with link), lost update on node::next
// expect: mark (with mark), lost update on info::marks[]
// expect: save (with save), unrepeatable read on header
// expect: look (with lock), unrepeatable read on locks[] in look
// expect: sum (with change), unrepeatable read on sums::out
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

typedef struct {
  long capacity, size;
} cache_t;

struct node {
  long key;
  long next;
};
struct info {
  int backfill;
  int marks[5];
};
struct header {
  long change;
};
struct sums {
  long in, out;
  long each[3];
};

#define LOAD(pointer) (*(pointer))
#define ALWAYS(condition) (condition)
#define STORE(pointer, value) (*(pointer) = (value))

static cache_t* cache;
static char *arena, *used;

// The bytes are taken from one block, as in the arenas of databases.
static void* from_arena(unsigned size) {
  if (arena == NULL) {
    char* block = malloc(4096);
    arena = block;
    used = block;
  }
  char* const taken = used;
  used += (size + 15) & ~15u;
  return taken;
}

__attribute__((noinline)) static void* memory(unsigned size) { return calloc(1, size); }

static struct node* first;
static struct info* shared;
static struct header* saved;
static char* lock_table;

__attribute__((noinline)) static void resize(int before, int after) {
  omnium_begin("resize");
  const long size = cache->size;
  if (before != 0) turn(before);
  if (after != 0) turn(after);
  cache->size = size + 1;
  omnium_end();
}

__attribute__((noinline)) static void link(int before, int after) {
  omnium_begin("link");
  const long next = first->next;
  if (before != 0) turn(before);
  if (after != 0) turn(after);
  first->next = next + 1;
  omnium_end();
}

__attribute__((noinline)) static void mark(int i, int before, int after) {
  omnium_begin("mark");
  const int value = LOAD(shared->marks + i);
  if (before != 0) turn(before);
  if (after != 0) turn(after);
  STORE(shared->marks + i, value + 1);
  omnium_end();
}

__attribute__((noinline)) static void copy(struct header* from, struct header* to) {
  memcpy((void*)to, (const void*)&from[0], sizeof(struct header));
}

__attribute__((noinline)) static void save(int before, int after) {
  struct header one, two;
  omnium_begin("save");
  copy(saved, &one);
  if (before != 0) turn(before);
  if (after != 0) turn(after);
  copy(saved, &two);
  two.change += one.change;
  if (before == 0) memcpy(saved, &two, sizeof two);
  omnium_end();
}

// The index and the mask have the size of an element, too.
__attribute__((noinline)) static int look(int i) {
  omnium_begin("look");
  int* locks = (int*)lock_table;
  const int before = ALWAYS((i & 8) == 0) && locks[i];
  turn(17);
  turn(20);
  const int after = ALWAYS((i & 8) == 0) && locks[i];
  omnium_end();
  return before + after;
}

__attribute__((noinline)) static void lock(int i) {
  omnium_begin("lock");
  memset(lock_table + i * (int)sizeof(int), 1, sizeof(int));
  omnium_end();
}

// All members have the same size: only the column tells which one is meant.
__attribute__((noinline)) static long sum(struct sums* it, int i) {
  omnium_begin("sum");
  const long before = it->in * it->out + it->each[i];
  turn(21);
  turn(24);
  const long after = it->in * it->out + it->each[i];
  omnium_end();
  return before + after;
}

__attribute__((noinline)) static void change(struct sums* it) {
  omnium_begin("change");
  it->out = it->in * it->out + it->each[2] + 1;
  omnium_end();
}

static struct sums* counted;

static void* other(void* unused) {
  (void)unused;
  turn(2);
  resize(0, 0);
  turn(3);
  turn(6);
  link(0, 0);
  turn(7);
  turn(10);
  mark(3, 0, 0);
  turn(11);
  turn(14);
  save(0, 0);
  turn(15);
  turn(18);
  lock(2);
  turn(19);
  turn(22);
  change(counted);
  turn(23);
  return NULL;
}

int main(void) {
  pthread_t thread;
  cache = calloc(1, sizeof(cache_t));
  first = from_arena(sizeof(struct node));
  shared = from_arena(sizeof(struct info));
  saved = from_arena(sizeof(struct header));
  counted = from_arena(sizeof(struct sums));
  lock_table = memory(8 * sizeof(int));
  memset(arena, 0, 4096);
  pthread_create(&thread, NULL, other, NULL);
  resize(1, 4);
  link(5, 8);
  mark(3, 9, 12);
  save(13, 16);
  if (look(2) != 1) return 1;
  if (sum(counted, 1) != 0) return 1;
  pthread_join(thread, NULL);
  free(cache);
  free(arena);
  free(lock_table);
  return 0;
}
