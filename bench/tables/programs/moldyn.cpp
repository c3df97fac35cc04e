// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Particles: forces of each thread apart, then their sum by one thread, between barriers.
#include <pthread.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct World {
  std::vector<double> position, force;
  std::vector<std::vector<double>> partial;  // by thread
};

void compute_forces(World& world, int thread, int threads) {
  std::vector<double>& mine = world.partial[thread];
  const int count = static_cast<int>(world.position.size());
  for (int i = 0; i < count; ++i) mine[i] = 0;
  for (int i = thread; i < count; i += threads) {
    for (int j = 0; j < i; ++j) {
      const double way = world.position[i] - world.position[j] + 0.1;
      mine[i] += 1 / way;
      mine[j] -= 1 / way;
    }
  }
}

void sum_forces(World& world) {
  for (std::size_t i = 0; i < world.force.size(); ++i) {
    world.force[i] = 0;
    for (const auto& part : world.partial) world.force[i] += part[i];
    world.position[i] += world.force[i] * 1e-6;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 5;
  World world;
  for (int i = 0; i < 48; ++i) world.position.push_back(i);
  world.force.resize(48);
  world.partial.assign(threads, std::vector<double>(48));
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < steps; ++i) {
        compute_forces(world, t, threads);
        pthread_barrier_wait(&barrier);
        if (t == 0) sum_forces(world);
        pthread_barrier_wait(&barrier);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  pthread_barrier_destroy(&barrier);
}
