// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/interleave.h"

#include <algorithm>
#include <utility>

#include "watch/section_order.h"

namespace omnium::watch {

namespace {

using Order = std::vector<std::pair<ItemIndex, ItemIndex>>;

class Interleaver {
 public:
  // `wanted`: what else should come in this order.
  Interleaver(const Histories& histories, const std::vector<wire::Thread>& threads,
              const Order& wanted)
      : histories_(histories),
        next_(threads.size(), 0),
        rank_(histories.items.size(), 0),
        waits_for_(histories.items.size()),
        done_(histories.items.size(), false) {
    for (const auto& [source, sink] : histories.order) {
      waits_for_[sink].push_back(source);
      // All other steps came before the one that closes the cycle.
      if (histories.closing && sink != *histories.closing) {
        waits_for_[*histories.closing].push_back(sink);
      }
    }
    for (const auto& sequence : histories.threads) {
      for (const ItemIndex index : sequence) add_thread_order(index, threads);
    }
    for (const auto& [before, after] : wanted) waits_for_[after].push_back(before);
    rank_all();
  }

  std::optional<std::vector<ItemIndex>> run() {
    std::vector<ItemIndex> out;
    std::uint64_t latest = 0;
    while (const auto thread = next_thread()) {
      const ItemIndex index = histories_.threads[*thread][next_[*thread]++];
      const std::uint64_t stamp = histories_.items[index].stamp;
      if (stamp != 0 && stamp < latest) return std::nullopt;
      latest = std::max(latest, stamp);
      done_[index] = true;
      out.push_back(index);
    }
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (next_[i] != histories_.threads[i].size()) return std::nullopt;
    }
    return out;
  }

 private:
  void add_thread_order(ItemIndex index, const std::vector<wire::Thread>& threads) {
    const Item& item = histories_.items[index];
    if (item.matter != Matter::kThread) return;
    const auto at = std::ranges::find(threads, item.object, &wire::Thread::number);
    if (at == threads.end()) return;
    const auto& other = histories_.threads[static_cast<std::size_t>(at - threads.begin())];
    if (other.empty()) return;
    if (item.kind == Kind::kFork) waits_for_[other.front()].push_back(index);
    if (item.kind == Kind::kJoin) waits_for_[index].push_back(other.back());
  }

  // An item without a stamp takes that of the item before it in its thread, and a begin that of the
  // next item. The source of a step that is the first of its thread's history comes late: with its
  // sink, or with what its thread did next.
  void rank_all() {
    for (const auto& sequence : histories_.threads) {
      std::uint64_t rank = 0;
      for (const ItemIndex index : sequence) {
        if (histories_.items[index].stamp != 0) rank = histories_.items[index].stamp;
        rank_[index] = rank;
      }
    }
    for (const auto& sequence : histories_.threads) {
      for (std::size_t i = sequence.size(); i-- > 1;) {
        const Item& before = histories_.items[sequence[i - 1]];
        if (before.kind == Kind::kBegin && before.stamp == 0) {
          rank_[sequence[i - 1]] = rank_[sequence[i]];
        }
      }
    }
    const std::vector<std::uint64_t> known = rank_;
    for (const auto& [source, sink] : histories_.order) {
      if (known[source] == 0) rank_[source] = std::max(rank_[source], known[sink]);
    }
    // Items before it that have no rank yet take its rank, so that nothing has to wait for them.
    for (const auto& sequence : histories_.threads) {
      std::uint64_t next = 0;
      for (std::size_t i = sequence.size(); i-- > 0;) {
        std::uint64_t& rank = rank_[sequence[i]];
        if (rank == 0 || (known[sequence[i]] == 0 && next != 0)) {
          rank = rank == 0 ? next : std::min(rank, next);
        }
        next = rank;
      }
    }
  }

  bool ready(ItemIndex index) const {
    return std::ranges::all_of(waits_for_[index], [&](ItemIndex it) { return done_[it]; });
  }

  // Of the threads whose next item may come now, the one whose item comes first.
  std::optional<std::size_t> next_thread() const {
    std::optional<std::size_t> best;
    std::uint64_t best_rank = 0;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const auto& sequence = histories_.threads[i];
      if (next_[i] == sequence.size() || !ready(sequence[next_[i]])) continue;
      const std::uint64_t rank = rank_[sequence[next_[i]]];
      if (best && best_rank <= rank) continue;
      best = i;
      best_rank = rank;
    }
    return best;
  }

  const Histories& histories_;
  std::vector<std::size_t> next_;  // per thread
  std::vector<std::uint64_t> rank_;
  std::vector<std::vector<ItemIndex>> waits_for_;
  std::vector<bool> done_;
};

}  // namespace

std::optional<std::vector<ItemIndex>> interleave(const Histories& histories,
                                                 const std::vector<wire::Thread>& threads) {
  if (auto order = Interleaver(histories, threads, section_order(histories)).run()) return order;
  return Interleaver(histories, threads, {}).run();
}

}  // namespace omnium::watch
