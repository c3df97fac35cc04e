// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// OpenMP: loops, reductions, critical sections, barriers, tasks, locks: no finding; then a
// lost update over two critical sections.
//
// expect: slow_add (with add), lost update on counter
// flags: -fopenmp
#include <omp.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

int counter = 0;
int cells[64];

void add() {
  OMNIUM_ATOMIC("add");
#pragma omp critical(counter)
  counter += 1;
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  int seen = 0;
#pragma omp critical(counter)
  seen = counter;
  turn(1);
  turn(4);
#pragma omp critical(counter)
  counter = seen + 1;
}

bool phases() {
  long sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 50; ++i) add();
#pragma omp for
    for (int& cell : cells) {
      OMNIUM_ATOMIC("fill");
      cell = 1;
    }
    // The loop ends in a barrier: everybody may read what others filled.
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 64; ++i) sum += cells[63 - i];
    omp_set_lock(&lock);
    counter += 1;
    omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp single
    counter -= 4;
#pragma omp master
    for (int i = 0; i < 8; ++i) {
#pragma omp task firstprivate(i)
      cells[i] = 2;
    }
  }
  omp_destroy_lock(&lock);
  return sum == 64 && counter == 200 && cells[7] == 2;
}

int main() {
  if (!phases()) return 1;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    slow_add();
#pragma omp section
    {
      turn(2);
      add();
      turn(3);
    }
  }
}
