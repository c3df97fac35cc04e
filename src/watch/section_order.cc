// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/section_order.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace omnium::watch {

namespace {

struct Section {
  std::size_t first, last;                    // positions in the thread: what lies in between
  std::optional<ItemIndex> acquire, release;  // none: not known
};

// The critical sections of a thread as far as it remembers them, outer ones before inner ones.
std::vector<Section> sections_of(const std::vector<ItemIndex>& sequence,
                                 const std::vector<Item>& items) {
  std::vector<Section> out;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Item& item = items[sequence[i]];
    if (takes_lock(item.kind)) out.push_back({i, sequence.size(), sequence[i], std::nullopt});
    if (!gives_lock_back(item.kind)) continue;
    const auto open = std::find_if(out.rbegin(), out.rend(), [&](const Section& it) {
      return it.acquire && !it.release && items[*it.acquire].object == item.object;
    });
    if (open != out.rend()) {
      open->last = i;
      open->release = sequence[i];
    } else {
      out.insert(out.begin(), {0, i, std::nullopt, sequence[i]});
    }
  }
  return out;
}

class SectionOrder {
 public:
  explicit SectionOrder(const Histories& histories)
      : histories_(histories),
        position_(histories.items.size()),
        after_(histories.items.size()),
        earliest_(histories.items.size(), 0),
        latest_(histories.items.size(), std::numeric_limits<std::uint64_t>::max()) {
    for (const auto& sequence : histories.threads) {
      add_thread(sequence);
      sections_.push_back(sections_of(sequence, histories.items));
    }
    for (const auto& [source, sink] : histories.order) {
      after_[source].push_back(sink);
      if (histories.closing && sink != *histories.closing) {
        after_[sink].push_back(*histories.closing);
      }
    }
  }

  std::vector<std::pair<ItemIndex, ItemIndex>> found() {
    for (const auto& [source, sink] : histories_.order) {
      const Item& from = item(source);
      const Item& to = item(sink);
      if (from.thread == to.thread || from.matter != Matter::kMemory) continue;
      for (const Section& section : sections_[to.thread]) {
        const bool around = section.acquire && holds(section, sink);
        if (around && add(source, *section.acquire)) break;
      }
      for (const Section& section : sections_[from.thread]) {
        const bool around = section.release && holds(section, source);
        if (around && add(*section.release, sink)) break;
      }
    }
    return std::move(found_);
  }

 private:
  const Item& item(ItemIndex index) const { return histories_.items[index]; }

  // Each item comes after the stamps before it in its thread, and before those behind it.
  void add_thread(const std::vector<ItemIndex>& sequence) {
    std::uint64_t stamp = 0;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      position_[sequence[i]] = i;
      if (i > 0) after_[sequence[i - 1]].push_back(sequence[i]);
      stamp = std::max(stamp, item(sequence[i]).stamp);
      earliest_[sequence[i]] = stamp;
    }
    stamp = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = sequence.size(); i-- > 0;) {
      if (item(sequence[i]).stamp != 0) stamp = item(sequence[i]).stamp;
      latest_[sequence[i]] = stamp;
    }
  }

  bool holds(const Section& section, ItemIndex index) const {
    const std::size_t at = position_[index];
    return section.first <= at && at < section.last;
  }

  // Must `to` come after `from`?
  bool reaches(ItemIndex from, ItemIndex to) const {
    std::vector<bool> seen(histories_.items.size(), false);
    std::vector<ItemIndex> open = {from};
    while (!open.empty()) {
      const ItemIndex at = open.back();
      open.pop_back();
      if (at == to) return true;
      if (seen[at]) continue;
      seen[at] = true;
      open.insert(open.end(), after_[at].begin(), after_[at].end());
    }
    return false;
  }

  bool add(ItemIndex before, ItemIndex after) {
    if (tries_ == kMostTries || earliest_[before] > latest_[after]) return false;
    ++tries_;
    if (reaches(after, before)) return false;
    after_[before].push_back(after);
    found_.emplace_back(before, after);
    return true;
  }

  // A program may send anything, and each try may look at all items.
  static constexpr int kMostTries = 2000;

  const Histories& histories_;
  int tries_ = 0;
  std::vector<std::size_t> position_;
  std::vector<std::vector<ItemIndex>> after_;
  std::vector<std::uint64_t> earliest_, latest_;  // stamps
  std::vector<std::vector<Section>> sections_;    // by thread
  std::vector<std::pair<ItemIndex, ItemIndex>> found_;
};

}  // namespace

std::vector<std::pair<ItemIndex, ItemIndex>> section_order(const Histories& histories) {
  return SectionOrder(histories).found();
}

}  // namespace omnium::watch
