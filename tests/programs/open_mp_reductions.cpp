// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reductions by few and by many threads, with functions as blocks. The library combines the parts
// of many threads as these arrive: a part comes before it is combined with another one, and all of
// them before the result is read.
//
// expect: nothing
// flags: -fopenmp
// predict: nothing
#include <cstdlib>

namespace {

struct Sums {
  long first = 0, second = 0;
  void add(const Sums& other) {
    first += other.first;
    second += other.second;
  }
};
#pragma omp declare reduction(merge:Sums : omp_out.add(omp_in))

Sums sum_up(int threads) {
  Sums sums;
#pragma omp parallel for num_threads(threads) reduction(merge : sums)
  for (int i = 0; i < 80; ++i) sums.add({i, 1});
  return sums;
}

// The result is used by all threads, behind the barrier of the reduction.
long sum_up_and_use(int threads) {
  long product = 1, sum = 0, used = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for reduction(+ : sum) reduction(* : product)
    for (int i = 0; i < 40; ++i) {
      sum += i;
      product *= i % 7 == 0 ? 2 : 1;
    }
    const long seen = sum + product;
#pragma omp critical
    used += seen;
  }
  return used / threads;
}

void sum_up_by(int threads) {
  const Sums sums = sum_up(threads);
  if (sums.first != 3160 || sums.second != 80) std::abort();
  if (sum_up_and_use(threads) != 780 + 64) std::abort();
}

}  // namespace

int main() {
  sum_up_by(2);
  sum_up_by(7);
}
