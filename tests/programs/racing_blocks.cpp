// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of three threads with data races, in no forced order: accesses of one to sixteen bytes and
// copies of several words. Every block has a name of its own. What they find differs from run to
// run; same_run.py compares what is found while it runs with what is found in its recording.
#include <atomic>
#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kThreads = 3, kBlocks = 60;

alignas(64) unsigned char shared[64];
std::vector<std::string> labels[kThreads];
std::atomic<int> ready{0};

struct Sixteen {
  long long low, high;
};

template <typename Word>
void touch(unsigned place, bool write) {
  auto* at = reinterpret_cast<volatile Word*>(shared + place * sizeof(Word));
  if (write) {
    *at = 1;
  } else {
    static_cast<void>(*at);
  }
}

// The compilers may make one access of sixteen bytes of it.
void touch_sixteen(unsigned place, bool write) {
  auto* at = reinterpret_cast<Sixteen*>(shared + place * sizeof(Sixteen));
  static thread_local volatile Sixteen copy;
  if (write) {
    *at = {1, 2};
  } else {
    copy.low = at->low + at->high;
  }
}

void copy_some(unsigned place, bool write) {
  unsigned char copy[40] = {};
  if (write) {
    std::memcpy(shared + place, copy, sizeof copy);
  } else {
    std::memcpy(copy, shared + place, sizeof copy);
  }
}

void access(std::mt19937& random) {
  const bool write = random() % 3 == 0;
  const unsigned place = random() % 4;
  switch (random() % 5) {
    case 0: return touch<unsigned char>(place * 7, write);
    case 1: return touch<unsigned short>(place * 3, write);
    case 2: return touch<unsigned>(place, write);
    case 3: return touch_sixteen(place, write);
    default: return copy_some(place, write);
  }
}

void work(int self) {
  std::mt19937 random(self);
  ready += 1;
  while (ready != kThreads) {
  }
  for (const std::string& label : labels[self]) {
    omnium_begin(label.c_str());
    for (int i = 0; i < 4; ++i) access(random);
    omnium_end();
  }
}

int main() {
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < kBlocks; ++i) {
      labels[thread].push_back(std::to_string(thread) + "." + std::to_string(i));
    }
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
}
