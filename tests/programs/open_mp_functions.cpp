// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Nothing is annotated, so functions are blocks: those that contain a parallel region, or wait for
// tasks, are not interrupted by what happens in it, which other tasks do. In the end one loses an
// update over two critical sections.
//
// expect: add_slowly (with add), lost update on counter
// flags: -fopenmp
#include <vector>

#include <omp.h>

#include "../../examples/shapes/turns.h"

int counter;

int total(const std::vector<int>& values) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i];
  return sum;
}

void count(const std::vector<int>& values) {
#pragma omp parallel for schedule(dynamic) num_threads(4)
  for (std::size_t i = 0; i < values.size(); ++i) {
#pragma omp critical(counter)
    counter += values[i];
  }
}

int largest(const std::vector<int>& values) {
  int largest = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static, 1)
    for (std::size_t i = 0; i < values.size(); ++i) {
#pragma omp critical(largest)
      if (values[i] > largest) largest = values[i];
    }
#pragma omp single
    largest += 1;
  }
  return largest - 1;
}

int fibonacci(int n) {
  if (n < 2) return n;
  int first = 0, second = 0;
#pragma omp task shared(first) firstprivate(n)
  {
#pragma omp critical(counter)
    counter += 1;
    first = fibonacci(n - 1);
#pragma omp critical(counter)
    counter -= 1;
  }
#pragma omp task shared(second) firstprivate(n)
  second = fibonacci(n - 2);
#pragma omp taskwait
  return first + second;
}

int fibonacci_of_all(int n) {
  int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  result = fibonacci(n);
  return result;
}

void add() {
#pragma omp critical(counter)
  counter += 1;
}

int look() {
  int seen = 0;
#pragma omp critical(counter)
  seen = counter;
  return seen;
}

void add_slowly() {
  const int seen = look();
  turn(1);
  turn(4);
#pragma omp critical(counter)
  counter = seen + 1;
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i * 7 % 13);
  for (int round = 0; round < 10; ++round) {
    counter = 0;
    count(values);
    if (counter != total(values) || largest(values) != 12) return 1;
  }
  if (fibonacci_of_all(12) != 144) return 1;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    add_slowly();
#pragma omp section
    {
      turn(2);
      add();
      turn(3);
    }
  }
}
