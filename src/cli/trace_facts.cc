// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_facts.h"

#include <algorithm>

#include "finding/excerpt.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

// Depth and length of the open blocks of each thread.
class BlockFacts {
 public:
  BlockFacts(TraceFacts& facts, std::size_t threads) : facts_(facts), threads_(threads) {}

  void grow_to(std::size_t threads) { threads_.resize(std::max(threads, threads_.size())); }

  void see(const Event& event, EventIndex index) {
    Thread& thread = threads_[event.thread_id];
    if (event.kind == Kind::kBegin && thread.depth++ == 0) {
      thread.block = {event.thread(), event.label(), index};
      thread.events = 0;
    }
    facts_.depth = std::max(facts_.depth, thread.depth);
    if (thread.depth > 0) ++thread.events;
    if (event.kind == Kind::kEnd && --thread.depth == 0) close(thread);
  }

  void finish() {
    for (Thread& thread : threads_) {
      facts_.open_blocks += thread.depth;
      if (thread.depth > 0) close(thread);
    }
  }

 private:
  struct Thread {
    std::uint64_t depth = 0, events = 0;
    BlockRef block;
  };

  void close(const Thread& thread) {
    if (thread.events > facts_.longest.events) facts_.longest = {thread.block, thread.events, {}};
  }

  TraceFacts& facts_;
  std::vector<Thread> threads_;
};

}  // namespace

Result<TraceFacts> facts_of(EventSource& source, const std::string& path, const Meter& meter) {
  TraceFacts facts;
  facts.format = source.format();
  WellFormed checker;
  BlockFacts blocks(facts, 0);
  ProgressLine line(path);
  std::array<Event, 2048> buffer;
  EventIndex index = 0;
  for (;;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto events = std::span(buffer).first(*count);
    for (const Event& event : events) {
      if (event.kind != Kind::kSkip) ++facts.kinds[static_cast<std::size_t>(event.kind)];
    }
    if (auto wrong = checker.check(events, source.names())) {
      return fail(source.position_of(wrong->offset), std::move(wrong->what));
    }
    blocks.grow_to(source.names().threads.size());
    for (const Event& event : events) blocks.see(event, index++);
    if (index % (1 << 20) < *count) line.show_events(index, meter);
  }
  blocks.finish();
  facts.counts = checker.counts();
  facts.warnings = source.warnings();
  if (facts.longest.events != 0) {
    source.want_locations(true);
    const EventIndex begin = facts.longest.block.begin;
    const auto excerpt = Excerpt::read(source, {{begin, begin + 1}});
    const Event* event = excerpt ? excerpt->find(begin) : nullptr;
    if (event != nullptr) facts.longest.location = event->loc();
  }
  return facts;
}

}  // namespace omnium::cli
