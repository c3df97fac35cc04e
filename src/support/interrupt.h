// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: no temporary file stays behind, and who can tell a part of the result does so.
#pragma once

#include <array>
#include <atomic>
#include <string>

namespace omnium::support {

// A file that SIGINT, SIGTERM and SIGHUP remove before they end the process, while this lives.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::string& path);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  std::string path_;
  std::atomic<const char*>* slot_ = nullptr;  // null: too many at once
};

// While this lives the first SIGINT ends nothing: is_interrupted() becomes true. A second one ends
// the process as usual.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
};

bool is_interrupted();

// Waits until something can be read (or the file has ended). False if the user does not want that
// any more; no signal is missed between a look and the wait.
bool wait_for_input(int descriptor);

}  // namespace omnium::support
