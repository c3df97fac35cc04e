// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Relaxation of a grid, in bands of rows with a barrier after each sweep. No locks.
#include <pthread.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kWidth = 24;

void relax_row(std::vector<double>& grid, int row) {
  for (int i = 1 + row % 2; i + 1 < kWidth; i += 2) {
    double* const at = &grid[row * kWidth + i];
    *at = (at[-1] + at[1] + at[-kWidth] + at[kWidth]) / 4;
  }
}

void relax_band(std::vector<double>& grid, int begin, int end, int parity) {
  for (int row = begin; row < end; ++row) {
    if (row % 2 == parity) relax_row(grid, row);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int sweeps = argc > 2 ? std::atoi(argv[2]) : 10;
  std::vector<double> grid((threads * 8 + 2) * kWidth, 1);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < 2 * sweeps; ++i) {
        relax_band(grid, 1 + t * 8, 1 + (t + 1) * 8, i % 2);
        pthread_barrier_wait(&barrier);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  pthread_barrier_destroy(&barrier);
}
