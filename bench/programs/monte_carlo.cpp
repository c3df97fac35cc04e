// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The price of an option by simulation: each thread follows paths of its own and adds its sums to
// the common result once per batch. SIZE is the number of paths.
//
// expect: nothing
// arguments: 3 300
// predict: nothing
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>

#include "kernel.h"

namespace {

constexpr int kSteps = 32;
constexpr int kPathsPerBatch = 64;

struct Market {
  double price = 100, strike = 102, drift = 0.0002, volatility = 0.012;
};

struct Result {
  std::mutex mutex;
  std::int64_t payoff = 0;  // in millionths, so that the order of additions does not matter
  std::int64_t paths = 0;
  std::array<std::int64_t, 64> histogram{};
};

Market market;
Result result;

void add_batch(std::int64_t payoff, const std::array<std::int64_t, 64>& histogram) {
  OMNIUM_ATOMIC("add batch");
  std::lock_guard lock(result.mutex);
  result.payoff += payoff;
  result.paths += kPathsPerBatch;
  for (std::size_t i = 0; i < histogram.size(); ++i) result.histogram[i] += histogram[i];
}

// What one thread has for itself.
class Simulator {
 public:
  explicit Simulator(std::uint64_t seed) : random_(seed), path_(kSteps) {}

  void run_batch() {
    payoff_ = 0;
    histogram_.fill(0);
    for (int i = 0; i < kPathsPerBatch; ++i) add_path();
    add_batch(payoff_, histogram_);
  }

 private:
  void add_path() {
    OMNIUM_ATOMIC("path");
    follow();
    double mean = 0;
    for (const double price : path_) mean += price / kSteps;
    const double value = std::max(0.0, mean - market.strike);
    payoff_ += static_cast<std::int64_t>(value * 1e6);
    histogram_[std::min<std::size_t>(63, static_cast<std::size_t>(value * 2))] += 1;
  }

  void follow() {
    double price = market.price;
    for (double& at : path_) {
      price *= 1 + market.drift + market.volatility * noise();
      at = price;
    }
  }

  // Nearly normal: the sum of four evenly distributed numbers.
  double noise() {
    double sum = -2;
    for (int i = 0; i < 4; ++i) sum += static_cast<double>(random_.next() >> 11) * 0x1p-53;
    return sum * std::sqrt(3.0);
  }

  Random random_;
  std::vector<double> path_;
  std::int64_t payoff_ = 0;
  std::array<std::int64_t, 64> histogram_{};
};

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 400'000);
  run_threads(threads, [threads = threads, size = size](int thread) {
    auto simulator = std::make_unique<Simulator>(static_cast<std::uint64_t>(thread) + 1);
    for (long i = 0; i < size / kPathsPerBatch / threads; ++i) simulator->run_batch();
  });
  std::uint64_t sum =
      mix(static_cast<std::uint64_t>(result.payoff), static_cast<std::uint64_t>(result.paths));
  for (const std::int64_t bar : result.histogram) sum = mix(sum, static_cast<std::uint64_t>(bar));
  return print_checksum(sum);
}
