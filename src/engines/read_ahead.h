// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of events that a thread of its own fills while another one works on those before them.
//
// There are always the same few blocks, so memory does not grow with the trace. Whoever has to wait
// waits until several blocks are ready (or free): one of the two stages is the slower one, and the
// other one would be woken up for each block otherwise.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "event/event.h"
#include "support/error.h"

namespace omnium {

struct EventBlock {
  std::vector<Event> room;
  std::span<Event> events;  // in it
  EventIndex first = 0;
  std::size_t count = 0;       // of events that were read; some may be thinned out
  Extent extent;               // of the names up to here
  std::optional<Error> error;  // behind the events
  bool last = false;           // nothing follows
};

class ReadAhead {
 public:
  // `fill` is called on another thread, for one block after the other, until it sets `last`. What
  // it uses belongs to that thread as long as this object lives.
  explicit ReadAhead(std::function<void(EventBlock&)> fill);
  // Waits for the block that is being filled; later ones are not.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  // The next block, valid until the next call. Not after the last one.
  EventBlock& next();

 private:
  static constexpr std::size_t kBlocks = 16, kWake = kBlocks / 2;

  void fill_blocks();

  std::function<void(EventBlock&)> fill_;
  std::vector<EventBlock> blocks_ = std::vector<EventBlock>(kBlocks);
  std::mutex mutex_;
  std::condition_variable filled_more_, freed_more_;
  std::size_t filled_ = 0;  // so many blocks, in all
  std::size_t taken_ = 0;
  bool ended_ = false;    // nothing will be filled any more
  bool stopped_ = false;  // nobody wants more
  std::jthread thread_;   // the last member: it begins at once
};

}  // namespace omnium
