// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// reference_count.cpp mended: the value that the decrement itself returns decides.
//
// expect: nothing
#include <atomic>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Buffer {
  std::atomic<int> references{4};
  int bytes[4] = {};
};

std::atomic<int> times_freed{0};

void release(Buffer* buffer) {
  OMNIUM_ATOMIC("release");
  if (buffer->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  times_freed.fetch_add(buffer->bytes[0] + buffer->bytes[1] + buffer->bytes[2] + buffer->bytes[3]);
  delete buffer;
}

int main() {
  for (int round = 0; round < 20; ++round) {
    auto* buffer = new Buffer;
    std::vector<std::thread> users;
    for (int user = 0; user < 4; ++user) {
      users.emplace_back([buffer, user] {
        buffer->bytes[user] = user == 2 ? 1 : 0;
        release(buffer);
      });
    }
    for (std::thread& user : users) user.join();
  }
  return times_freed == 20 ? 0 : 1;
}
