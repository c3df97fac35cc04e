// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A descriptor of the runtime. The program does not know it, and may close it or put another file
// in its place, so it must be checked before each use. Nothing here waits or is a cancellation
// point.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace omnium::runtime {

class OwnDescriptor {
 public:
  // High, so that the descriptors of the program keep their usual numbers.
  static constexpr int kFirst = 900;

  // Moves an open file to a high number, if the limit of descriptors allows it. It is ours now.
  void take(int file) {
    const int moved = fcntl(file, F_DUPFD_CLOEXEC, kFirst);
    if (moved >= 0) syscall(SYS_close, file);
    adopt(moved >= 0 ? moved : file);
  }
  // The open file is ours from now on.
  void adopt(int file) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return;
    device_ = facts.st_dev;
    inode_ = facts.st_ino;
    file_.store(file, std::memory_order_release);
  }
  bool is_open() const {
    const int file = file_.load(std::memory_order_acquire);
    return file >= 0 && is_same_file(file);
  }
  // Does this descriptor lead to our file?
  bool is_same_file(int file) const {
    struct stat facts;
    return fstat(file, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
  }
  int get() const { return file_.load(std::memory_order_acquire); }
  // Closes it, unless the program has put another file in its place.
  void close() {
    if (is_open()) syscall(SYS_close, get());
    file_.store(-1, std::memory_order_release);
  }

 private:
  std::atomic<int> file_{-1};
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace omnium::runtime
