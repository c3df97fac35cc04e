// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: write_line
// A line is written to the file that was open a critical section ago. It shows if the log is
// rotated in between: the line goes to a file that is closed.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct File {
  std::mutex mutex;
  bool open = true;
  int lines = 0;
};

std::mutex log_mutex;
File files[2];
int current;

void append(File& file) {
  std::lock_guard lock(file.mutex);
  assert(file.open);
  ++file.lines;
}

void write_line() {
  OMNIUM_ATOMIC("write_line");
  std::unique_lock lock(log_mutex);
  File& file = files[current];
#ifndef FIXED
  lock.unlock();
#endif
  append(file);
}

void rotate() {
  OMNIUM_ATOMIC("rotate");
  std::lock_guard lock(log_mutex);
  File& old = files[current];
  current = 1;
  std::lock_guard file_lock(old.mutex);
  old.open = false;
}

int main() {
  std::thread writer(write_line);
  std::thread rotator(rotate);
  writer.join();
  rotator.join();
}
