// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A toy software transactional memory whose commits forget to validate their reads: two withdrawals
// read the same balance, and one of them is lost. The monitor sees what the STM does and says
// which.
#include <cstdio>
#include <map>

#include "omnium/monitor.h"

namespace {

enum Label : std::uint64_t { kWithdraw = 1 };
enum Variable : std::uint64_t { kBalance = 100 };

class Stm {
 public:
  explicit Stm(omnium::Monitor& monitor) : monitor_(monitor) {}
  void begin(std::uint64_t thread) { monitor_.begin(thread, kWithdraw); }
  int load(std::uint64_t thread, std::uint64_t variable) {
    monitor_.read(thread, variable);
    return memory_[variable];
  }
  void commit(std::uint64_t thread, std::uint64_t variable, int value) {
    monitor_.write(thread, variable);
    memory_[variable] = value;
    monitor_.end(thread);
  }

 private:
  omnium::Monitor& monitor_;
  std::map<std::uint64_t, int> memory_;
};

}  // namespace

int main() {
  omnium::Monitor monitor([](const omnium::MonitoredViolation& v) {
    const auto& last = v.witness.back();
    std::printf("thread %llu: withdraw (event %llu) is not atomic: event %llu came in between\n",
                static_cast<unsigned long long>(v.transaction.thread),
                static_cast<unsigned long long>(v.transaction.begin),
                static_cast<unsigned long long>(last.source_event));
  });
  Stm stm(monitor);
  stm.begin(1);
  stm.begin(2);
  const int seen_by_1 = stm.load(1, kBalance);
  const int seen_by_2 = stm.load(2, kBalance);
  stm.commit(1, kBalance, seen_by_1 - 10);
  stm.commit(2, kBalance, seen_by_2 - 20);
  std::printf("serializable: %s\n", monitor.finish() ? "yes" : "no");
}
