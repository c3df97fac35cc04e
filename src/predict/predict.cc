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
#include "predict/grading.h"
#include "predict/reduction.h"
#include "predict/world.h"

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
        recording_(trace.events, trace.extent, trace.follows) {
    world(Atomicity::kConflict);
    building_ = watch_.seconds();
  }

  Prediction run() && {
    for (const Method method : options_.methods) {
      const Stopwatch watch;
      MethodResult result = run(method);
      result.method = method;
      result.seconds = building_ + watch.seconds();
      note_suspects(result);
      search(result);
      prediction_.methods.push_back(std::move(result));
    }
    World& all = world(Atomicity::kConflict);
    const Forest& forest = all.forest;
    if (options_.races) prediction_.races = find_races(forest, all.edges(), trace_.events);
    prediction_.deadlocks =
        find_deadlocks(trace_.events, trace_.extent, all.periods, trace_.tried_locks);
    prediction_.unnested = forest.unnested;
    prediction_.open_blocks = forest.open_blocks;
    find_differences();
    prediction_.recording_admissible = recording_.contradiction() == kNoEvent;
    prediction_.assumptions = {prediction_.deadlocks.absent(), forest.outside_lock_free,
                               forest.unnested.empty()};
    count("events", trace_.events.size());
    count("transactions", forest.transactions);
    count("distinct_units", forest.units.size());
    count("distinct_trees", forest.trees.size());
    count("lock_paths", forest.paths.size());
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

  // For view-atomicity atomic reads are not counted on: what is view-atomic without is so with.
  World& world(Atomicity atomicity) {
    auto& mine = worlds_[atomicity];
    if (!mine) {
      const bool view = atomicity == Atomicity::kView;
      mine = make_world(atomicity, view ? AtomicReads::kFree : AtomicReads::kOrder);
    }
    return *mine;
  }
  std::unique_ptr<World> make_world(Atomicity atomicity, AtomicReads reads) {
    TreeOptions trees = options_.trees;
    // A complete search tells copies apart.
    if (trace_.events.size() <= Exhaustive::kMostEvents && options_.search) {
      trees.merge_copies = false;
    }
    return std::make_unique<World>(recording_, shared_, atomicity, reads, options_.waits, trees);
  }
  Grading& grading() {
    if (!grading_) grading_.emplace(recording_, options_);
    return *grading_;
  }

  MethodResult commit_node();
  MethodResult block();
  MethodResult reduction();
  std::vector<Warning> warnings_of(World& world) const;
  static Warning warning_of(const Forest& forest, UnitId unit);
  static void add_partners(const Forest& forest, const SuspectUnit& suspect, Warning& warning);
  static VarId variable_at(const Forest& forest, const Unit& unit, NodeIndex token);
  void search(MethodResult& result);
  void note_suspects(MethodResult& result);
  void find_differences();

  const LoadedTrace& trace_;
  const PredictOptions& options_;
  Stopwatch watch_;
  double building_ = 0;
  SharedObjects shared_;
  Recording recording_;
  std::map<Atomicity, std::unique_ptr<World>> worlds_;
  std::optional<Grading> grading_;
  std::map<EventIndex, Difference> suspected_;  // by the begin of the transaction
  Prediction prediction_;
};

Warning Predictor::warning_of(const Forest& forest, UnitId id) {
  const Unit& unit = forest.units[id.v];
  Warning warning;
  warning.transaction = unit.block;
  warning.end = unit.end;
  warning.copies = unit.copies;
  return warning;
}

// The variable of the first access in a node.
VarId Predictor::variable_at(const Forest& forest, const Unit& unit, NodeIndex token) {
  const auto& accesses = forest.tree_of(unit).accesses;
  const auto access =
      std::lower_bound(accesses.begin(), accesses.end(), token,
                       [](const Access& each, NodeIndex at) { return each.token < at; });
  return access == accesses.end() ? VarId::none() : access->variable;
}

// Those on the way out and back first.
void Predictor::add_partners(const Forest& forest, const SuspectUnit& suspect, Warning& warning) {
  const auto add = [&](UnitId id) {
    if (id.is_none() || warning.partners.size() >= kPartnersListed) return;
    const BlockRef& block = forest.units[id.v].block;
    const auto known = std::find(warning.partners.begin(), warning.partners.end(), block);
    if (known == warning.partners.end()) warning.partners.push_back(block);
  };
  for (const std::size_t node : {suspect.exit, suspect.entry}) {
    for (const ThreadPartner& partner : suspect.nodes[node].partners) {
      if (partner.thread != suspect.partner_thread) continue;
      add(node == suspect.exit ? partner.first : partner.last);
    }
  }
  for (const std::size_t node : suspect.commits) {
    for (const ThreadPartner& partner : suspect.nodes[node].partners) {
      add(partner.can_leave() ? partner.first : partner.last);
    }
  }
}

std::vector<Warning> Predictor::warnings_of(World& world) const {
  std::vector<Warning> warnings;
  for (const SuspectUnit& suspect : world.suspects()) {
    const Unit& unit = world.forest.units[suspect.unit.v];
    Warning warning = warning_of(world.forest, suspect.unit);
    for (const std::size_t node : suspect.commits) {
      warning.commit_nodes.emplace_back(unit.events[suspect.nodes[node].token],
                                        unit.events[suspect.nodes[node].close]);
    }
    add_partners(world.forest, suspect, warning);
    warning.variable = variable_at(world.forest, unit, suspect.nodes[suspect.entry].token);
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

MethodResult Predictor::commit_node() {
  MethodResult result;
  result.atomicity = options_.atomicity;
  World& mine = world(options_.atomicity);
  result.undecided = warnings_of(mine);
  const CommitNodeStats& stats = mine.stats();
  result.space = mine.forest.nodes() + mine.edges().count();
  count("access_classes", mine.edges().classes().size());
  count("inter_edges", mine.edges().count());
  count("communication_nodes", stats.communication_nodes);
  count("commit_nodes", stats.commit_nodes);
  count("several_commit_nodes", stats.several_commit_nodes);
  return result;
}

MethodResult Predictor::block() {
  MethodResult result;
  result.atomicity = Atomicity::kView;
  World& mine = world(Atomicity::kView);
  const Forest& forest = mine.forest;
  const BlockResult found = find_block_violations(forest, mine.periods, options_.max_work);
  for (const BlockViolation& violation : found.violations) {
    const Unit& unit = forest.units[violation.unit.v];
    Warning warning = warning_of(forest, violation.unit);
    for (const NodeIndex token : {violation.first, violation.second}) {
      warning.commit_nodes.emplace_back(unit.events[token], unit.events[token]);
    }
    std::sort(warning.commit_nodes.begin(), warning.commit_nodes.end());
    warning.partners.push_back(forest.units[violation.partner.v].block);
    warning.variable = variable_at(forest, unit, violation.second);
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
  World& mine = world(Atomicity::kConflict);
  const Forest& forest = mine.forest;
  const Races races(forest, mine.periods, mine.edges());
  for (const IrreducibleUnit& each : find_irreducible(forest, races)) {
    const Unit& unit = forest.units[each.unit.v];
    const Token offends = forest.tree_of(unit).tokens[each.offends];
    Warning warning = warning_of(forest, each.unit);
    for (const NodeIndex token : {each.committed, each.offends}) {
      warning.commit_nodes.emplace_back(unit.events[token], unit.events[token]);
    }
    if (offends.kind == TokenKind::kBlock) {
      warning.lock = lock_of({offends.object});
    } else if (is_access(offends.kind)) {
      warning.variable = {offends.object};
    }
    result.undecided.push_back(std::move(warning));
  }
  result.space = races.lock_set_sizes();
  count("racy_variables", races.racy_variables());
  return result;
}

void Predictor::note_suspects(MethodResult& result) {
  result.suspected = result.undecided.size();
  for (const Warning& warning : result.undecided) {
    Difference& suspected = suspected_[warning.transaction.begin];
    suspected.transaction = warning.transaction;
    suspected.warned_by.push_back(result.method);
  }
}

void Predictor::find_differences() {
  for (auto& [begin, suspected] : suspected_) {
    if (suspected.warned_by.size() == prediction_.methods.size()) continue;
    prediction_.differences.push_back(std::move(suspected));
  }
}

// Whatever the method, the commit nodes guide the search. Interleavings that violate
// view-atomicity are not searched for.
void Predictor::search(MethodResult& result) {
  if (result.atomicity == Atomicity::kView) return;
  World& mine = world(result.atomicity);
  if (options_.search && !result.undecided.empty()) {
    grading().grade(result, mine);
    prediction_.recording_serializable = grading().recorded().serializable;
  }
  const bool atomics = std::ranges::any_of(trace_.events, [](const Event& event) {
    return is_read(event.kind) && event.kind != Kind::kRead;
  });
  if (!atomics) return;
  const auto free = make_world(Atomicity::kConflict, AtomicReads::kFree);
  auto warnings = warnings_of(*free);
  if (options_.search && !warnings.empty()) {
    grading().grade_speculative(std::move(warnings), *free, result);
  } else {
    result.perhaps_speculative = warnings.size();
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
