// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Successive over-relaxation on a square grid: red points, a barrier, black points, a barrier. SIZE
// is the number of sweeps.
//
// expect: nothing
// arguments: 3 3
// predict: nothing
#include <pthread.h>

#include <bit>

#include "kernel.h"

namespace {

constexpr int kWidth = 514;

using Grid = std::vector<double>;

void relax_row(Grid& grid, int row, int colour) {
  OMNIUM_ATOMIC("relax row");
  constexpr double kOmega = 1.25;
  double* const here = &grid[static_cast<std::size_t>(row) * kWidth];
  const double* const above = here - kWidth;
  const double* const below = here + kWidth;
  for (int column = 1 + (row + colour) % 2; column < kWidth - 1; column += 2) {
    const double mean = (above[column] + below[column] + here[column - 1] + here[column + 1]) / 4;
    here[column] += kOmega * (mean - here[column]);
  }
}

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 400);
  Grid grid(static_cast<std::size_t>(kWidth) * kWidth);
  Random random(1);
  for (double& point : grid) point = static_cast<double>(random.below(1000));
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(threads));
  run_threads(threads, [&, threads = threads, size = size](int thread) {
    const int rows = kWidth - 2;
    const int first = 1 + rows * thread / threads;
    const int last = 1 + rows * (thread + 1) / threads;
    for (long sweep = 0; sweep < 2 * size; ++sweep) {
      for (int row = first; row < last; ++row) relax_row(grid, row, static_cast<int>(sweep % 2));
      pthread_barrier_wait(&barrier);
    }
  });
  pthread_barrier_destroy(&barrier);
  std::uint64_t sum = 0;
  for (const double point : grid) sum = mix(sum, std::bit_cast<std::uint64_t>(point));
  return print_checksum(sum);
}
