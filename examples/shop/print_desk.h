// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where receipts are printed: one printer, and a desk to put the next job on.
#pragma once

#include <condition_variable>
#include <mutex>

class PrintDesk {
 public:
  bool print(long receipt);
  bool print_and_wait(long receipt);

  void run_printer();  // until close()
  void close();

 private:
  bool print_next();  // false when the desk is closed and empty
  bool is_idle() const { return job_ == printed_; }

  std::mutex mutex_;
  std::condition_variable changed_;
  long job_ = 0;
  long printed_ = 0;
  bool closed_ = false;
};

extern PrintDesk print_desk;
