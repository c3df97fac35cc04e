// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "finding/witness_signature.h"

namespace omnium {

namespace {

// The transactions of the cycle, each once; where it goes on from a later transaction of a thread,
// both.
std::vector<BlockRef> transactions_of(const std::vector<WitnessStep>& witness) {
  std::vector<BlockRef> all;
  for (const WitnessStep& step : witness) {
    if (all.empty() || all.back() != step.from) all.push_back(step.from);
    all.push_back(step.to);
  }
  all.pop_back();
  return all;
}

}  // namespace

EngineAnswer answer_of(const EngineInfo& engine, const CheckOutcome& outcome, const Names& names) {
  EngineAnswer answer;
  if (!outcome.serializable || engine.serializable == Promise::kExact) {
    answer.serializable = outcome.serializable;
  }
  std::set<std::string> signatures;
  std::set<std::vector<BlockRef>> sequences;
  for (const Violation& violation : outcome.violations) {
    answer.transactions.emplace(violation.transaction.thread.v, violation.transaction.begin);
    answer.instances.emplace(violation.closing.source, violation.closing.sink);
    if (violation.witness.empty()) continue;
    ++answer.witnesses;
    signatures.insert(witness_signature(violation.witness, names));
    sequences.insert(transactions_of(violation.witness));
  }
  answer.distinct_witnesses = signatures.size();
  answer.distinct_transactions = sequences.size();
  for (const BlockRef& block : outcome.refuted) answer.refuted.emplace(block.thread.v, block.begin);
  for (const Counter& counter : outcome.counters) {
    if (counter.measure == Measure::kOther) continue;
    answer.measures[static_cast<std::size_t>(counter.measure)] = counter.value;
  }
  answer.events = outcome.counts.events;
  answer.seconds = outcome.seconds;
  answer.detected_at = outcome.detected_at;
  answer.seconds_to_first = outcome.seconds_to_first;
  return answer;
}

namespace {

template <class Set>
bool contains(const Set& all, const Set& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// What `exact` said holds `other` to its promise.
template <class Set>
bool kept(Promise promise, const Set& exact, const Set& other) {
  switch (promise) {
    case Promise::kExact: return exact == other;
    case Promise::kNoFalse: return contains(exact, other);
    case Promise::kNothing: break;
  }
  return true;
}

class Judge {
 public:
  explicit Judge(const std::vector<ComparedEngine>& engines) : engines_(engines) {}

  // Compares the first engine that is exact in this respect with all others.
  template <class Set>
  void compare(std::string_view what, Promise EngineInfo::*promise, Set EngineAnswer::*said) {
    const ComparedEngine* exact = first_exact(promise);
    if (exact == nullptr) return;
    for (const ComparedEngine& other : engines_) {
      if (!other.answer || kept(other.info->*promise, *exact->answer.*said, *other.answer.*said)) {
        continue;
      }
      add(*exact, other, what);
    }
  }

  void compare_verdicts() {
    const ComparedEngine* exact = first_exact(&EngineInfo::serializable);
    if (exact == nullptr) return;
    for (const ComparedEngine& other : engines_) {
      const bool same = !other.answer || !other.answer->serializable ||
                        other.answer->serializable == exact->answer->serializable;
      if (!same) add(*exact, other, "whether the trace is serializable");
    }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  const ComparedEngine* first_exact(Promise EngineInfo::*promise) const {
    const auto at = std::ranges::find_if(engines_, [&](const ComparedEngine& engine) {
      return engine.answer && engine.info->*promise == Promise::kExact;
    });
    return at == engines_.end() ? nullptr : &*at;
  }

  void add(const ComparedEngine& a, const ComparedEngine& b, std::string_view what) {
    found_.push_back(fmt::format("{} and {} disagree about {}", a.info->name, b.info->name, what));
  }

  const std::vector<ComparedEngine>& engines_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> disagreements(const std::vector<ComparedEngine>& engines) {
  Judge judge(engines);
  judge.compare_verdicts();
  judge.compare("transactions with a violation", &EngineInfo::transactions,
                &EngineAnswer::transactions);
  judge.compare("instances", &EngineInfo::instances, &EngineAnswer::instances);
  judge.compare("refuted blocks", &EngineInfo::blocks, &EngineAnswer::refuted);
  return judge.take();
}

}  // namespace omnium
