// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/registry.h"

#include "engines/aerodrome.h"
#include "engines/aerodrome_basic.h"
#include "engines/conflict_graph.h"
#include "engines/davida.h"
#include "engines/reach.h"
#include "engines/summary_graph.h"
#include "engines/velodrome.h"

namespace omnium {

namespace {

template <class E, auto... kOptions>
constexpr EngineEntry entry(const EngineInfo& info = E::kInfo) {
  return {info, [](FindingSink& sink) -> std::unique_ptr<Engine> {
            return std::make_unique<E>(sink, kOptions...);
          }};
}

constexpr EngineEntry kEngines[] = {
    entry<Reach>(),  entry<Velodrome>(),     entry<Aerodrome>(),    entry<AerodromeBasic>(),
    entry<Davida>(), entry<ConflictGraph>(), entry<SummaryGraph>(),
    // Variants, to compare with.
    entry<Velodrome, Velodrome::Outside::kNode>(Velodrome::kNoMergeInfo),
    entry<ConflictGraph, TransactionGraph::Edges::kAll>(ConflictGraph::kAllEdgesInfo),
};
constexpr std::size_t kVariants = 2;

}  // namespace

std::span<const EngineEntry> all_engines() {
  return std::span(kEngines).first(std::size(kEngines) - kVariants);
}
std::span<const EngineEntry> engines_and_variants() { return kEngines; }

const EngineEntry* find_engine(std::string_view name) {
  for (const EngineEntry& engine : kEngines) {
    if (engine.info.name == name) return &engine;
  }
  return nullptr;
}

}  // namespace omnium
