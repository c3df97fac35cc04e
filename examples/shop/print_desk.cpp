// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "print_desk.h"

#include <chrono>
#include <thread>

#include "annotations.h"

PrintDesk print_desk;

// Puts the receipt on the desk; is it printed?
bool PrintDesk::print(long receipt) {
#ifdef SHOP_FIXED
  return print_and_wait(receipt);
#else
  OMNIUM_ATOMIC("PrintDesk::print");
  {
    std::lock_guard lock(mutex_);
    job_ = receipt;
    changed_.notify_all();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // This is usually enough.
  std::lock_guard lock(mutex_);
  return printed_ == receipt;  // Bug: the printer may be late, or at another receipt already.
#endif
}

// Correct: waits until the desk is free, and then for its own receipt, and looks again whenever it
// has waited. Waiting gives way on purpose.
bool PrintDesk::print_and_wait(long receipt) {
  OMNIUM_ATOMIC("PrintDesk::print_and_wait");
  std::unique_lock lock(mutex_);
  while (printed_ < receipt) {
    if (is_idle()) {
      job_ = receipt;
      changed_.notify_all();
    }
    changed_.wait(lock);
  }
  return true;
}

bool PrintDesk::print_next() {
  OMNIUM_ATOMIC("PrintDesk::print_next");
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_idle() || closed_; });
  if (is_idle()) return false;
  printed_ = job_;
  changed_.notify_all();
  return true;
}

void PrintDesk::run_printer() {
  while (print_next()) {
  }
}

void PrintDesk::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}
