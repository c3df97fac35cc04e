// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: take_chunk
// Three threads add up an array in chunks; the next chunk is an atomic index that is loaded and
// stored. It shows if two threads load the same index: a chunk is added twice.
#include <atomic>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kChunks = 6;
std::atomic<int> next_chunk{0};
std::atomic<int> sum{0};

int take_chunk() {
  OMNIUM_ATOMIC("take_chunk");
#ifdef FIXED
  return next_chunk.fetch_add(1);
#else
  const int chunk = next_chunk.load();
  next_chunk.store(chunk + 1);
  return chunk;
#endif
}

void add_chunks() {
  for (int chunk = take_chunk(); chunk < kChunks; chunk = take_chunk()) sum.fetch_add(chunk);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(add_chunks);
  for (std::thread& thread : threads) thread.join();
  return sum.load() == kChunks * (kChunks - 1) / 2 ? 0 : 1;
}
