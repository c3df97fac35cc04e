// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Tasks with data of their own, which OpenMP's library keeps in memory that it uses again and
// again; that of one task is another one than that of the task before. A task starts after its data
// was copied.
//
// expect: nothing
// flags: -fopenmp
// predict: nothing
#include <cstdlib>
#include <string>

#include <omp.h>

namespace {

struct Large {
  long numbers[10];
  Large() {
    for (long& number : numbers) number = 1;
  }
  Large(const Large& other) {
    for (int i = 0; i < 10; ++i) numbers[i] = other.numbers[i];
  }
  ~Large() {}
};

long results[300];

void require(bool holds) {
  if (!holds) std::abort();
}

void loop_with_copies() {
  Large large;
  int last = 0;
#pragma omp taskloop num_tasks(30) firstprivate(large) lastprivate(last)
  for (int i = 0; i < 60; ++i) {
    large.numbers[i % 10] += i;
    results[i] = large.numbers[i % 10];
    last = i;
  }
  require(last == 59 && results[59] == 60);
}

void tasks_of_tasks() {
  std::string name = "a name that is longer than the small buffer";
  for (int i = 0; i < 12; ++i) {
#pragma omp task firstprivate(name, i)
    {
      name[3] = 'x';
      results[i] = static_cast<long>(name.size()) + i;
#pragma omp task untied firstprivate(name)
      {
        name += "y";
#pragma omp taskyield
        name += "z";
        results[100 + i] = static_cast<long>(name.size());
      }
    }
  }
#pragma omp taskwait
}

long fibonacci(int n) {
  if (n < 2) return n;
  long before, other;
#pragma omp task shared(before) firstprivate(n)
  before = fibonacci(n - 1);
#pragma omp task shared(other) firstprivate(n)
  other = fibonacci(n - 2);
#pragma omp taskwait
  return before + other;
}

void fulfilled_by_another() {
  int value = 5;
  omp_event_handle_t event{};
#pragma omp task detach(event) firstprivate(value)
  results[value] = 6;
#pragma omp task firstprivate(event)
  omp_fulfill_event(event);
#pragma omp taskwait
}

}  // namespace

int main() {
  for (int round = 0; round < 2; ++round) {
#pragma omp parallel num_threads(4)
#pragma omp single
    {
      loop_with_copies();
      tasks_of_tasks();
      require(fibonacci(6) == 8);
      fulfilled_by_another();
    }
  }
}
