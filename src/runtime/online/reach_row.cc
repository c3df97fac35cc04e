// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/reach_row.h"

#include <cstring>

namespace omnium::runtime {

namespace {

// Of each link of a row that is part of TR: how many links a shortest path to it has, and the one
// before it on that path.
std::uint32_t distance[kMaxLinks], before[kMaxLinks];

bool leads_to(const ReachLink& link, ThreadRef thread, std::uint64_t time) {
  return link.in_txn && link.thread == thread && link.txn.start <= time;
}

}  // namespace

void ReachRow::start(ThreadState& thread, std::uint32_t block_depth, std::uint64_t begin_time) {
  owner = &thread;
  depth = block_depth;
  begin = begin_time;
  std::memset(event_set_, 0, sizeof(event_set_));
  std::memset(txn_set_, 0, sizeof(txn_set_));
  link_count_ = 1;
  full_ = false;
  ReachLink& root = links_[0];
  root.time = begin_time;
  root.thread = ref(thread);
  root.txn.start = begin_time;
  root.parent = kNoLink;
  root.in_event = true;
  root.in_txn = depth == 0;
  put(event_set_, thread.index);
  event_[thread.index] = {begin_time, 0};
  if (depth != 0) return;
  put(txn_set_, thread.index);
  txn_[thread.index] = {begin_time, 0};
}

void ReachRow::reach(ReachLink link, bool in_event, bool in_txn) {
  const std::uint32_t index = link.thread.index;
  const bool kept = make_room();
  link.in_event = in_event;
  link.in_txn = in_txn;
  link.parent = in_event ? event_[link.from.index].link : kNoLink;
  const std::uint32_t number = kept ? add(link) : kNoLink;
  if (in_event) {
    put(event_set_, index);
    event_[index] = {link.time, number};
  }
  if (in_txn) {
    put(txn_set_, index);
    txn_[index] = {link.txn.start, number};
  }
}

void ReachRow::merge_txns(const ReachRow& other) {
  // In the order of arrival, also what was reached anew afterwards: then the links that a link
  // depends on are here before it.
  for (std::uint32_t i = 1; i < other.link_count_; ++i) {
    const ReachLink& link = other.links_[i];
    const std::uint32_t index = link.thread.index;
    if (!link.in_txn) continue;
    const bool exists = is_current(link.thread);
    if (exists && link.txn.start >= txn_reached(index)) continue;
    if (exists) {
      reach(link, false, true);
    } else if (make_room()) {  // a thread that has ended may be on the way to others
      ReachLink& copy = links_[add(link)];
      copy.in_event = false;
      copy.parent = kNoLink;
    }
  }
  if (!other.full_) return;
  other.for_each_txn([&](std::uint32_t index) {  // links are missing, but not what is reached
    if (other.txn_[index].time >= txn_reached(index)) return;
    put(txn_set_, index);
    txn_[index] = {other.txn_[index].time, kNoLink};
  });
}

void ReachRow::forget(std::uint32_t index) {
  const std::uint64_t others = ~(std::uint64_t{1} << index % 64);
  event_set_[index / 64] &= others;
  txn_set_[index / 64] &= others;
}

std::uint32_t ReachRow::add(const ReachLink& link) {
  links_[link_count_] = link;
  return link_count_++;
}

bool ReachRow::make_room() {
  if (link_count_ < kMaxLinks) return true;
  if (!full_) remove_unused();
  full_ |= link_count_ > kMaxLinks / 2;  // otherwise it would be searched again and again
  return !full_;
}

void ReachRow::find_ways() const {
  distance[0] = 0;
  for (std::uint32_t i = 1; i < link_count_; ++i) {
    distance[i] = before[i] = kNoLink;
    const ReachLink& link = links_[i];
    for (std::uint32_t j = 0; link.in_txn && j < i; ++j) {
      if (distance[j] >= distance[i] - 1 || !leads_to(links_[j], link.from, link.from_time))
        continue;
      distance[i] = distance[j] + 1;
      before[i] = j;
    }
  }
}

// Keeps the links that are on the way to what is reached. Threads that have ended leave the others.
void ReachRow::remove_unused() {
  static bool used[kMaxLinks];
  static std::uint32_t moved[kMaxLinks];
  std::memset(used, 0, sizeof(used));
  const auto use = [&](std::uint32_t link) {
    if (link != kNoLink) used[link] = true;
  };
  use(0);
  for (std::uint32_t index = 0; index < kMaxThreads; ++index) {
    if (has_event(index)) use(event_[index].link);
    if (is_set(txn_set_, index)) use(txn_[index].link);
  }
  find_ways();
  for (std::uint32_t i = link_count_; i-- > 1;) {
    if (!used[i]) continue;
    if (links_[i].in_event) use(links_[i].parent);
    if (links_[i].in_txn) use(before[i]);
  }
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < link_count_; ++i) {
    moved[i] = kept;
    if (!used[i]) continue;
    links_[kept] = links_[i];
    if (links_[kept].parent != kNoLink) links_[kept].parent = moved[links_[kept].parent];
    ++kept;
  }
  link_count_ = kept;
  for (std::uint32_t index = 0; index < kMaxThreads; ++index) {
    if (has_event(index) && event_[index].link != kNoLink) {
      event_[index].link = moved[event_[index].link];
    }
    if (is_set(txn_set_, index) && txn_[index].link != kNoLink) {
      txn_[index].link = moved[txn_[index].link];
    }
  }
}

void ReachRow::find_event_path(const ThreadState& thread, ReachPath& path) const {
  path.count = 0;
  std::uint32_t number = event_[thread.index].link;
  for (; number != 0 && number != kNoLink; number = links_[number].parent) ++path.count;
  path.complete = number == 0;
  number = event_[thread.index].link;
  for (std::uint32_t i = path.complete ? path.count : 0; i-- > 0;) {
    path.links[i] = number;
    number = links_[number].parent;
  }
}

void ReachRow::find_txn_path(const ThreadState& thread, std::uint64_t time, ReachPath& path) const {
  find_ways();
  std::uint32_t last = kNoLink;
  for (std::uint32_t i = 1; i < link_count_; ++i) {
    if (!leads_to(links_[i], ref(thread), time) || distance[i] == kNoLink) continue;
    if (last == kNoLink || distance[i] < distance[last]) last = i;
  }
  path.complete = last != kNoLink;
  path.count = path.complete ? distance[last] : 0;
  for (std::uint32_t i = path.count; i-- > 0; last = before[last]) path.links[i] = last;
}

}  // namespace omnium::runtime
