// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// closed_and_open.cpp mended: writers share the lock of the journal, rotate() has it for itself as
// long as the state is wrong.
//
// expect: nothing
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <omnium/atomic.h>

enum State { kOpen, kClosed };

struct Journal {
  std::shared_mutex mutex;
  State state = kOpen;
  int file = 1;
};

Journal journal;

void rotate() {
  OMNIUM_ATOMIC("rotate");
  std::unique_lock lock(journal.mutex);
  journal.state = kClosed;
  journal.file += 1;
  journal.state = kOpen;
}

bool record() {
  OMNIUM_ATOMIC("record");
  std::shared_lock lock(journal.mutex);
  return journal.state == kOpen;
}

std::atomic<int> dropped{0};

void write_records() {
  for (int i = 0; i < 100; ++i) {
    if (!record()) dropped.fetch_add(1);
  }
}

int main() {
  std::thread first(write_records), second(write_records);
  for (int i = 0; i < 50; ++i) rotate();
  first.join();
  second.join();
  return dropped == 0 && journal.file == 51 ? 0 : 1;
}
