// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/block_filter.h"

namespace omnium {

void BlockFilter::apply(std::span<Event> events, const Names& names) {
  if (open_.size() < names.threads.size()) open_.resize(names.threads.size());
  for (Event& event : events) {
    if (event.kind != Kind::kBegin && event.kind != Kind::kEnd) continue;
    std::vector<bool>& blocks = open_[event.thread_id];
    bool kept = false;
    if (event.kind == Kind::kBegin) {
      kept = keeps(event.label(), names);
      blocks.push_back(kept);
    } else if (!blocks.empty()) {
      kept = blocks.back();
      blocks.pop_back();
    }
    if (!kept) event.kind = Kind::kSkip;
  }
}

bool BlockFilter::keeps(LabelId label, const Names& names) {
  if (label.v >= labels_.size()) labels_.resize(names.labels.size(), Verdict::kUnknown);
  Verdict& verdict = labels_[label.v];
  if (verdict == Verdict::kUnknown) {
    verdict =
        specification_.atomic(names.labels.name(label.v)) ? Verdict::kKept : Verdict::kTakenOut;
  }
  return verdict == Verdict::kKept;
}

}  // namespace omnium
