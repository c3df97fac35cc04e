// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/followed_source.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace omnium::decode {

namespace {

constexpr auto kPause = std::chrono::milliseconds(1);
constexpr int kPausesBeforeAsking = 20;

}  // namespace

FollowedSource::FollowedSource(std::unique_ptr<FollowedLog> log, const std::atomic<bool>& over)
    : log_(std::move(log)), over_(over), lowering_({log_->keeps(), log_->takes_undeclared()}) {
  lowering_.prepare_live();
  lowering_.want_locations(true);
}

// Waits until more of the log is complete. False if the program has ended and all of it was read.
Result<bool> FollowedSource::wait_for_more() {
  for (int pauses = 1;; ++pauses) {
    const bool over = over_.load();
    auto more = log_->look(over);
    if (!more || *more || over) return more;
    if (pauses % kPausesBeforeAsking == 0) log_->ask();
    std::this_thread::sleep_for(kPause);
  }
}

std::size_t FollowedSource::hand_out(std::span<const Event> events, std::span<Event> out) {
  const std::size_t count = std::min(events.size(), out.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (kept_.size() < kKept) {
      kept_.push_back(events[i]);
    } else {
      kept_[end_ % kKept] = events[i];
    }
    out[i] = events[i];
    ++end_;
  }
  next_ = end_;
  return count;
}

Result<std::size_t> FollowedSource::read(std::span<Event> out) {
  if (next_ < end_) {
    const std::size_t count = std::min<std::size_t>(out.size(), end_ - next_);
    for (std::size_t i = 0; i < count; ++i) out[i] = kept_[next_++ % kKept];
    return count;
  }
  while (next_ready_ == ready_.size()) {
    ready_.clear();
    next_ready_ = 0;
    for (const Text& text : log_->take_texts()) lowering_.take_text(text);
    auto lowered = lowering_.too_many_threads()
                       ? log_->read([](const MergedRecord&) { return true; })
                       : lowering_.lower(*log_, out.size(), ready_);
    if (!lowered) return tl::unexpected(lowered.error());
    if (ready_.size() != 0) break;
    const auto more = wait_for_more();
    if (!more) return tl::unexpected(more.error());
    if (!*more) return 0;
  }
  const std::size_t count = hand_out(ready_.events().subspan(next_ready_), out);
  next_ready_ += count;
  return count;
}

Result<EventIndex> FollowedSource::seek(EventIndex target) {
  if (end_ - std::min(end_, target) > kept_.size()) {
    return fail({log_->name()}, "the event is not kept any more");
  }
  next_ = target;
  return target;
}

std::vector<std::string> FollowedSource::warnings() const {
  std::vector<std::string> out;
  if (!log_->why_cut().empty()) out.push_back(log_->why_cut());
  if (lowering_.too_many_threads()) {
    out.push_back(fmt::format("the end of the run was not checked: more than {} threads",
                              kMaxThreads));
  }
  if (lowering_.lost() != 0) {
    out.push_back(fmt::format(
        "{} dependencies are missing: bytes were read as a part of a larger variable, and written "
        "as a smaller one; record the program to check all of it",
        lowering_.lost()));
  }
  if (lowering_.left_out() != 0) {
    out.push_back(fmt::format("dropped {} operations on locks that were not held by their thread",
                              lowering_.left_out()));
  }
  return out;
}

}  // namespace omnium::decode
