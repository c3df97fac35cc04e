// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A pipeline: each thread is a stage and hands pages to the next through a bounded queue with
// condition variables. SIZE is the number of pages.
//
// expect: nothing
// arguments: 3 5
// predict: nothing certain
#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "kernel.h"

namespace {

struct Page {
  std::array<std::uint8_t, 512> bytes;
};

class Queue {
 public:
  void put(std::unique_ptr<Page> page) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return used_ < kRoom; });
    OMNIUM_ATOMIC("put");
    pages_[(first_ + used_) % kRoom] = std::move(page);
    used_ += 1;
    has_pages_.notify_one();
  }

  std::unique_ptr<Page> take() {
    std::unique_lock lock(mutex_);
    has_pages_.wait(lock, [this] { return used_ > 0; });
    OMNIUM_ATOMIC("take");
    std::unique_ptr<Page> page = std::move(pages_[first_]);
    first_ = (first_ + 1) % kRoom;
    used_ -= 1;
    has_room_.notify_one();
    return page;
  }

 private:
  static constexpr std::size_t kRoom = 64;
  std::mutex mutex_;
  std::condition_variable has_room_, has_pages_;
  std::unique_ptr<Page> pages_[kRoom];
  std::size_t first_ = 0, used_ = 0;
};

std::unique_ptr<Page> make_page(Random& random) {
  OMNIUM_ATOMIC("make page");
  auto page = std::make_unique<Page>();
  for (std::uint8_t& byte : page->bytes) byte = static_cast<std::uint8_t>(random.next() >> 56);
  return page;
}

// Each byte becomes a mix of itself and of what came before it.
void transform(Page& page, int stage) {
  OMNIUM_ATOMIC("transform");
  std::uint8_t before = static_cast<std::uint8_t>(stage);
  for (std::uint8_t& byte : page.bytes) {
    byte = static_cast<std::uint8_t>(byte * 167 + before);
    before = byte;
  }
}

std::uint64_t checksum_of(const Page& page, std::uint64_t sum) {
  OMNIUM_ATOMIC("checksum");
  for (const std::uint8_t byte : page.bytes) sum = mix(sum, byte);
  return sum;
}

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 40'000);
  std::vector<Queue> queues(static_cast<std::size_t>(threads));
  std::uint64_t sum = 0;
  run_threads(threads, [&, threads = threads, size = size](int stage) {
    Random random(1);
    const auto at = static_cast<std::size_t>(stage);
    for (long i = 0; i < size; ++i) {
      std::unique_ptr<Page> page = stage == 0 ? make_page(random) : queues[at - 1].take();
      transform(*page, stage);
      if (stage + 1 < threads) {
        queues[at].put(std::move(page));
      } else {
        sum = checksum_of(*page, sum);
      }
    }
  });
  return print_checksum(sum);
}
