// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/inner_blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace omnium::report {

namespace {

constexpr std::size_t kBatchEvents = 2048;

class Search {
 public:
  // An event of a transaction that begins at `begin`.
  void want(EventIndex begin, EventView& event) {
    first_ = std::min(first_, begin);
    wanted_.emplace(event.index, &event);
  }

  void run(EventSource& source) {
    if (wanted_.empty()) return;
    const auto at = source.seek(first_);
    if (!at) return;
    std::array<Event, kBatchEvents> buffer;
    const EventIndex last = wanted_.rbegin()->first;
    for (EventIndex index = *at; index <= last;) {
      const auto count = source.read(buffer);
      if (!count || *count == 0) return;
      for (std::size_t i = 0; i < *count; ++i, ++index) {
        if (index >= first_) look_at(buffer[i], index, source.names());
      }
    }
  }

 private:
  void look_at(const Event& event, EventIndex index, const Names& names) {
    if (open_.size() <= event.thread_id) open_.resize(event.thread_id + std::size_t{1});
    std::vector<LabelId>& open = open_[event.thread_id];
    if (event.kind == Kind::kBegin) open.push_back(event.label());
    const auto [begin, end] = wanted_.equal_range(index);
    for (auto it = begin; it != end && open.size() > 1; ++it) {
      it->second->inner = names.labels.name(open.back().v);
    }
    if (event.kind == Kind::kEnd && !open.empty()) open.pop_back();
  }

  EventIndex first_ = kNoEvent;
  std::multimap<EventIndex, EventView*> wanted_;
  std::vector<std::vector<LabelId>> open_;  // by thread, since first_
};

}  // namespace

void name_inner_blocks(Report& report, EventSource& source) {
  Search search;
  const auto want = [&](Cause& cause) {
    for (Sentence& sentence : cause.picture.sentences) {
      if (sentence.from.label) search.want(sentence.from.begin, sentence.first);
      if (sentence.to.label) search.want(sentence.to.begin, sentence.second);
    }
  };
  for (Cause& cause : report.causes) want(cause);
  if (report.cycle_cause) want(*report.cycle_cause);
  search.run(source);
}

}  // namespace omnium::report
