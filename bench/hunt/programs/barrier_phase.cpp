// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: exit
// One thread writes the value of each round, another one reads it behind a barrier. Nothing but
// time makes the writer wait until it was read. It shows if the reader is slow.
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

std::barrier<> rounds(2);
std::atomic<int> value{0};
int sum;

void write_rounds() {
  for (int round = 1; round <= 2; ++round) {
    value.store(round);
    rounds.arrive_and_wait();
#ifdef FIXED
    rounds.arrive_and_wait();
#else
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
#endif
  }
}

void read_rounds() {
  for (int round = 1; round <= 2; ++round) {
    rounds.arrive_and_wait();
    sum += value.load();
#ifdef FIXED
    rounds.arrive_and_wait();
#endif
  }
}

int main() {
  std::thread writer(write_rounds);
  std::thread reader(read_rounds);
  writer.join();
  reader.join();
  return sum == 3 ? 0 : 1;
}
