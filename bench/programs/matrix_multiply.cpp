// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication in tiles, which threads take from an atomic counter. SIZE is the width.
//
// expect: nothing
// arguments: 3 16
// predict: nothing
#include <algorithm>
#include <atomic>
#include <bit>

#include "kernel.h"

namespace {

constexpr long kTile = 32;

class Matrix {
 public:
  explicit Matrix(long width) : width_(width), cells_(static_cast<std::size_t>(width * width)) {}
  double* row(long at) { return &cells_[static_cast<std::size_t>(at * width_)]; }
  const double* row(long at) const { return &cells_[static_cast<std::size_t>(at * width_)]; }
  std::vector<double>& cells() { return cells_; }

 private:
  long width_;
  std::vector<double> cells_;
};

void multiply_tile(const Matrix& a, const Matrix& b, Matrix& product, long width, long top,
                   long left) {
  OMNIUM_ATOMIC("multiply tile");
  const long bottom = std::min(top + kTile, width), right = std::min(left + kTile, width);
  for (long middle = 0; middle < width; middle += kTile) {
    const long end = std::min(middle + kTile, width);
    for (long i = top; i < bottom; ++i) {
      for (long k = middle; k < end; ++k) {
        const double factor = a.row(i)[k];
        for (long j = left; j < right; ++j) product.row(i)[j] += factor * b.row(k)[j];
      }
    }
  }
}

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 576);
  Matrix a(size), b(size), product(size);
  Random random(1);
  for (double& cell : a.cells()) cell = static_cast<double>(random.below(1000)) / 1000;
  for (double& cell : b.cells()) cell = static_cast<double>(random.below(1000)) / 1000;
  const long across = (size + kTile - 1) / kTile;
  std::atomic<long> next{0};
  run_threads(threads, [&, size = size](int) {
    for (;;) {
      const long tile = next.fetch_add(1);
      if (tile >= across * across) return;
      multiply_tile(a, b, product, size, tile / across * kTile, tile % across * kTile);
    }
  });
  std::uint64_t sum = 0;
  for (const double cell : product.cells()) sum = mix(sum, std::bit_cast<std::uint64_t>(cell));
  return print_checksum(sum);
}
