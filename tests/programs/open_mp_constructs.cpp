// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// All that OpenMP has to order threads, used correctly, with functions as blocks: what comes after
// a region, a barrier, a taskwait or the end of a group sees what came before.
//
// expect: nothing
// flags: -fopenmp
// predict: nothing
#include <cstdlib>

#include <omp.h>

namespace {

long ordered_sum, chain;
int cells[100];

void require(bool holds) {
  if (!holds) std::abort();
}

int nested_regions() {
  int total = 0;
#pragma omp parallel num_threads(2) reduction(+ : total)
  {
    int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
    mine += 1;
    total += mine;
  }
  return total;
}

void add_in_order() {
  ordered_sum = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
  for (int i = 0; i < 30; ++i) {
#pragma omp ordered
    ordered_sum = ordered_sum * 3 % 1009 + i;
  }
}

void depend_on_each_other() {
  chain = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 10; ++i) {
#pragma omp task depend(inout : chain) firstprivate(i)
    chain = chain * 2 + i;
  }
}

void loop_of_tasks() {
#pragma omp taskloop num_tasks(5)
  for (int i = 0; i < 100; ++i) cells[i] = i;
  int sum = 0;
  for (const int cell : cells) sum += cell;
  require(sum == 4950);
}

void group_of_tasks() {
#pragma omp taskgroup
  for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
    {
      cells[i] = 7;
#pragma omp task firstprivate(i)
      cells[i + 10] = 8;
    }
  }
  for (int i = 0; i < 10; ++i) require(cells[i] == 7 && cells[i + 10] == 8);
}

int nested_locks() {
  int count = 0;
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 20; ++i) {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    count += 1;
    omp_unset_nest_lock(&lock);
    count += 1;
    omp_unset_nest_lock(&lock);
    if (omp_test_nest_lock(&lock) != 0) {
      count += 1;
      count -= 1;
      omp_unset_nest_lock(&lock);
    }
  }
  omp_destroy_nest_lock(&lock);
  return count;
}

int sections_and_singles() {
  int first = 0, second = 0, both = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp sections
    {
#pragma omp section
      first = 1;
#pragma omp section
      second = 2;
    }
#pragma omp single
    both = first + second;
    int copied = 0;
#pragma omp single copyprivate(copied)
    copied = 42;
    require(copied == 42);
#pragma omp master
    both += 1;
  }
  return both;
}

int largest_plus_average(const int* values, int count) {
  int sum = 0, largest = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : largest) num_threads(4)
  for (int i = 0; i < count; ++i) {
    sum += values[i];
    if (values[i] > largest) largest = values[i];
  }
  return sum / count + largest;
}

// Regions of one thread, and tasks outside of regions.
int alone(int size) {
  int runs = 0;
#pragma omp parallel if (size > 100) reduction(+ : runs)
  runs += 1;
#pragma omp parallel num_threads(1)
  runs += 1;
#pragma omp task shared(runs)
  runs += 1;
#pragma omp taskwait
  return runs;
}

}  // namespace

int main() {
  omp_set_max_active_levels(2);
  int values[1000];
  for (int i = 0; i < 1000; ++i) values[i] = i % 10;
  for (int round = 0; round < 10; ++round) {
    require(nested_regions() == 4);
    add_in_order();
    depend_on_each_other();
    require(ordered_sum == 909 && chain == 1013);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
      loop_of_tasks();
      group_of_tasks();
    }
    require(nested_locks() == 160);
    require(sections_and_singles() == 4);
    require(largest_plus_average(values, 1000) == 13);
    require(alone(1) == 3);
  }
}
