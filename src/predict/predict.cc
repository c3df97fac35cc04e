// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/predict.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "predict/block_based.h"
#include "predict/commit_node.h"
#include "predict/confirm.h"
#include "predict/reduction.h"

namespace omnium::predict {

namespace {

constexpr std::size_t kPartnersListed = 8;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

class Predictor {
 public:
  Predictor(const LoadedTrace& trace, const PredictOptions& options)
      : trace_(trace),
        options_(options),
        shared_(trace.events, trace.extent),
        forest_(build_forest(trace.events, trace.extent, shared_, options.trees)),
        periods_(trace.events, trace.extent.threads) {
    building_ = watch_.seconds();
  }

  Prediction run() && {
    for (const Method method : options_.methods) {
      const Stopwatch watch;
      MethodResult result = run(method);
      result.method = method;
      result.seconds = building_ + watch.seconds();
      if (options_.search) search(result);
      prediction_.methods.push_back(std::move(result));
    }
    prediction_.deadlocks = find_deadlocks(trace_.events, trace_.extent, periods_);
    prediction_.unnested = forest_.unnested;
    find_differences();
    prediction_.assumptions = {prediction_.deadlocks.absent(), forest_.outside_lock_free,
                               forest_.unnested.empty()};
    count("events", trace_.events.size());
    count("transactions", forest_.transactions);
    count("distinct_units", forest_.units.size());
    count("distinct_trees", forest_.trees.size());
    count("lock_paths", forest_.paths.size());
    return std::move(prediction_);
  }

 private:
  MethodResult run(Method method) {
    switch (method) {
      case Method::kCommitNode: return commit_node();
      case Method::kBlock: return block();
      case Method::kReduction: return reduction();
    }
    return {};
  }

  void count(std::string_view name, std::uint64_t value) {
    prediction_.stats.emplace_back(name, value);
  }

  const InterEdges& edges(Atomicity atomicity) {
    auto& mine = edges_[atomicity];
    if (!mine) mine = std::make_unique<InterEdges>(forest_, periods_, atomicity);
    return *mine;
  }

  MethodResult commit_node();
  MethodResult block();
  MethodResult reduction();
  Warning warning_of(UnitId unit) const;
  void add_partners(const SuspectUnit& suspect, Warning& warning) const;
  VarId variable_at(const Unit& unit, NodeIndex token) const;
  void search(MethodResult& result);
  void find_differences();
  const std::vector<SuspectUnit>& suspects(Atomicity atomicity);

  const LoadedTrace& trace_;
  const PredictOptions& options_;
  Stopwatch watch_;
  double building_ = 0;
  SharedObjects shared_;
  Forest forest_;
  ThreadPeriods periods_;
  std::map<Atomicity, std::unique_ptr<InterEdges>> edges_;
  std::map<Atomicity, std::vector<SuspectUnit>> suspects_;
  std::map<Atomicity, CommitNodeStats> node_stats_;
  Prediction prediction_;
};

const std::vector<SuspectUnit>& Predictor::suspects(Atomicity atomicity) {
  const auto known = suspects_.find(atomicity);
  if (known != suspects_.end()) return known->second;
  return suspects_[atomicity] = find_suspects(forest_, edges(atomicity), node_stats_[atomicity]);
}

Warning Predictor::warning_of(UnitId id) const {
  const Unit& unit = forest_.units[id.v];
  Warning warning;
  warning.transaction = unit.block;
  warning.end = unit.end;
  warning.copies = unit.copies;
  return warning;
}

// The variable of the first access in a node.
VarId Predictor::variable_at(const Unit& unit, NodeIndex token) const {
  const auto& accesses = forest_.tree_of(unit).accesses;
  const auto access =
      std::lower_bound(accesses.begin(), accesses.end(), token,
                       [](const Access& each, NodeIndex at) { return each.token < at; });
  return access == accesses.end() ? VarId::none() : access->variable;
}

// Those on the way out and back first.
void Predictor::add_partners(const SuspectUnit& suspect, Warning& warning) const {
  const auto add = [&](UnitId id) {
    if (id.is_none() || warning.partners.size() >= kPartnersListed) return;
    const BlockRef& block = forest_.units[id.v].block;
    const auto known = std::find(warning.partners.begin(), warning.partners.end(), block);
    if (known == warning.partners.end()) warning.partners.push_back(block);
  };
  for (const std::size_t node : {suspect.exit, suspect.entry}) {
    for (const ThreadPartners& partner : suspect.nodes[node].partners) {
      if (partner.thread == suspect.partner_thread) {
        add(node == suspect.exit ? partner.first : partner.last);
      }
    }
  }
  for (const std::size_t node : suspect.commits) {
    for (const ThreadPartners& partner : suspect.nodes[node].partners) add(partner.first);
  }
}

MethodResult Predictor::commit_node() {
  MethodResult result;
  result.atomicity = options_.atomicity;
  for (const SuspectUnit& suspect : suspects(options_.atomicity)) {
    const Unit& unit = forest_.units[suspect.unit.v];
    Warning warning = warning_of(suspect.unit);
    for (const std::size_t node : suspect.commits) {
      warning.commit_nodes.emplace_back(unit.events[suspect.nodes[node].token],
                                        unit.events[suspect.nodes[node].close]);
    }
    add_partners(suspect, warning);
    warning.variable = variable_at(unit, suspect.nodes[suspect.entry].token);
    result.undecided.push_back(std::move(warning));
  }
  const CommitNodeStats& stats = node_stats_[options_.atomicity];
  result.space = forest_.nodes() + edges(options_.atomicity).count();
  count("access_classes", edges(options_.atomicity).classes().size());
  count("inter_edges", edges(options_.atomicity).count());
  count("communication_nodes", stats.communication_nodes);
  count("commit_nodes", stats.commit_nodes);
  count("several_commit_nodes", stats.several_commit_nodes);
  return result;
}

MethodResult Predictor::block() {
  MethodResult result;
  result.atomicity = Atomicity::kView;
  const BlockResult found = find_block_violations(forest_, periods_, options_.max_work);
  for (const BlockViolation& violation : found.violations) {
    const Unit& unit = forest_.units[violation.unit.v];
    Warning warning = warning_of(violation.unit);
    for (const NodeIndex token : {violation.first, violation.second}) {
      warning.commit_nodes.emplace_back(unit.events[token], unit.events[token]);
    }
    std::sort(warning.commit_nodes.begin(), warning.commit_nodes.end());
    warning.partners.push_back(forest_.units[violation.partner.v].block);
    warning.variable = variable_at(unit, violation.second);
    result.undecided.push_back(std::move(warning));
  }
  result.complete = found.complete;
  result.space = found.blocks;
  count("blocks_compared", found.blocks);
  return result;
}

MethodResult Predictor::reduction() {
  MethodResult result;
  result.atomicity = Atomicity::kConflict;
  const Races races(forest_, periods_, edges(Atomicity::kConflict));
  for (const IrreducibleUnit& each : find_irreducible(forest_, races)) {
    const Unit& unit = forest_.units[each.unit.v];
    const Token offends = forest_.tree_of(unit).tokens[each.offends];
    Warning warning = warning_of(each.unit);
    for (const NodeIndex token : {each.committed, each.offends}) {
      warning.commit_nodes.emplace_back(unit.events[token], unit.events[token]);
    }
    if (offends.kind == TokenKind::kBlock) {
      warning.lock = {offends.object};
    } else if (offends.kind != TokenKind::kJoin) {
      warning.variable = {offends.object};
    }
    result.undecided.push_back(std::move(warning));
  }
  result.space = races.lock_set_sizes();
  count("racy_variables", races.racy_variables());
  return result;
}

void Predictor::find_differences() {
  std::map<EventIndex, Difference> by_begin;
  for (const MethodResult& result : prediction_.methods) {
    for (const auto* warnings : {&result.warnings, &result.undecided, &result.speculative}) {
      for (const Warning& warning : *warnings) {
        Difference& difference = by_begin[warning.transaction.begin];
        difference.transaction = warning.transaction;
        difference.warned_by.push_back(result.method);
      }
    }
  }
  for (auto& [begin, difference] : by_begin) {
    if (difference.warned_by.size() == prediction_.methods.size()) continue;
    prediction_.differences.push_back(std::move(difference));
  }
}

// Whatever the method, the commit nodes guide the search.
void Predictor::search(MethodResult& result) {
  if (result.undecided.empty()) return;
  std::map<BlockRef, const SuspectUnit*> by_block;
  for (const SuspectUnit& suspect : suspects(result.atomicity)) {
    by_block[forest_.units[suspect.unit.v].block] = &suspect;
  }
  Confirmer confirmer(trace_.events, trace_.extent, forest_, edges(result.atomicity));
  std::uint64_t left = options_.budget;
  std::vector<Warning> all = std::exchange(result.undecided, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    Warning& warning = all[i];
    const auto suspect = by_block.find(warning.transaction);
    // An equal share for each of the rest, but enough for one try.
    const std::uint64_t share = std::min<std::uint64_t>(
        left, std::max<std::uint64_t>(left / (all.size() - i), 2 * trace_.events.size() + 1000));
    std::uint64_t budget = share;
    const auto* order =
        suspect == by_block.end() ? nullptr : confirmer.confirm(*suspect->second, budget);
    left -= share - budget;
    if (order == nullptr) {
      result.undecided.push_back(std::move(warning));
      continue;
    }
    warning.grade = Grade::kPossible;
    warning.interleaving = Interleaving{0, *order};
    const BlockRef& through = confirmer.partner();
    std::erase(warning.partners, through);
    warning.partners.insert(warning.partners.begin(), through);
    result.warnings.push_back(std::move(warning));
  }
}

}  // namespace

std::string_view to_string(Method method) {
  switch (method) {
    case Method::kCommitNode: return "commit-node";
    case Method::kBlock: return "block";
    case Method::kReduction: return "reduction";
  }
  return "";
}

std::string_view to_string(Grade grade) {
  switch (grade) {
    case Grade::kUndecided: return "undecided";
    case Grade::kSpeculative: return "speculative";
    case Grade::kPossible: return "possible";
    case Grade::kCertain: return "certain";
  }
  return "";
}

std::vector<EventIndex> Interleaving::order() const {
  std::vector<EventIndex> all(recorded);
  std::iota(all.begin(), all.end(), EventIndex{0});
  all.insert(all.end(), then.begin(), then.end());
  return all;
}

std::string_view to_string(Atomicity atomicity) {
  return atomicity == Atomicity::kConflict ? "conflict" : "view";
}

std::optional<Method> find_method(std::string_view name) {
  for (const Method method : kAllMethods) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}

std::optional<Atomicity> find_atomicity(std::string_view name) {
  for (const Atomicity atomicity : {Atomicity::kConflict, Atomicity::kView}) {
    if (to_string(atomicity) == name) return atomicity;
  }
  return std::nullopt;
}

Prediction predict(const LoadedTrace& trace, const PredictOptions& options) {
  return Predictor(trace, options).run();
}

}  // namespace omnium::predict
