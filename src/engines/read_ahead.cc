// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/read_ahead.h"

#include <utility>

namespace omnium {

ReadAhead::ReadAhead(std::function<void(EventBlock&)> fill)
    : fill_(std::move(fill)), thread_([this] { fill_blocks(); }) {}

ReadAhead::~ReadAhead() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  freed_more_.notify_one();
}

// The block at taken_ - 1 is with who took it, so one block fewer can be filled ahead.
void ReadAhead::fill_blocks() {
  for (std::size_t number = 0;; ++number) {
    {
      std::unique_lock lock(mutex_);
      const auto ahead = [&] { return number - taken_; };
      if (ahead() + 1 >= kBlocks) {
        freed_more_.wait(lock, [&] { return stopped_ || ahead() <= kWake; });
      }
      if (stopped_) return;
    }
    EventBlock& block = blocks_[number % kBlocks];
    fill_(block);
    const std::scoped_lock lock(mutex_);
    filled_ = number + 1;
    ended_ = block.last;
    if (ended_ || filled_ - taken_ >= kWake) filled_more_.notify_one();
    if (ended_) return;
  }
}

EventBlock& ReadAhead::next() {
  std::unique_lock lock(mutex_);
  if (filled_ == taken_) {
    filled_more_.wait(lock, [&] { return ended_ || filled_ - taken_ >= kWake; });
  }
  EventBlock& block = blocks_[taken_ % kBlocks];
  ++taken_;
  if (filled_ - taken_ <= kWake) freed_more_.notify_one();
  return block;
}

}  // namespace omnium
