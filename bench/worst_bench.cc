// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// For each engine the shape of trace that hurts it, ten times longer and with four times as many
// threads: how the cost grows. docs/algorithms/<engine>.md has the figures. Every shape is
// serializable, and each engine's verdict is checked before it is timed.
//
//   build/release/bench-worst
#include <benchmark/benchmark.h>

#include <functional>

#include "bench/prepared.h"

namespace omnium::bench {
namespace {

using Events = std::vector<Event>;

struct Size {
  std::size_t events;
  std::uint32_t threads;
};

void add(Events& events, Kind kind, std::uint32_t thread, std::uint32_t object) {
  events.push_back({kind, static_cast<std::uint16_t>(thread), object});
}

// Thread 0's transaction never ends and everybody reads what it wrote: every transaction stays
// live.
Events never_ending(const Size& size) {
  Events events;
  add(events, Kind::kBegin, 0, 0);
  add(events, Kind::kWrite, 0, 0);
  for (std::uint32_t turn = 0; events.size() < size.events; ++turn) {
    const std::uint32_t t = 1 + turn % (size.threads - 1);
    add(events, Kind::kBegin, t, 0);
    add(events, Kind::kRead, t, 0);
    add(events, Kind::kRead, t, t == 1 ? size.threads - 1 : t - 1);
    add(events, Kind::kWrite, t, t);
    add(events, Kind::kEnd, t, 0);
  }
  return events;
}

// Tiny transactions over many variables: what is done per variable at each end is done for nothing.
Events many_variables(const Size& size) {
  constexpr std::uint32_t kVariables = 2'000;
  Events events;
  for (std::uint32_t turn = 0; events.size() < size.events; ++turn) {
    const std::uint32_t t = turn % size.threads;
    add(events, Kind::kBegin, t, 0);
    add(events, Kind::kWrite, t, t + turn / size.threads * size.threads % kVariables);
    add(events, Kind::kEnd, t, 0);
  }
  return events;
}

// All transactions are open and each precedes the next; the last one writes a thousand variables,
// whose clocks then know all of them, and every end visits all these clocks.
Events known_by_all(const Size& size) {
  constexpr std::uint32_t kVariables = 1'000;
  Events events;
  while (events.size() < size.events) {
    for (std::uint32_t t = 0; t < size.threads; ++t) {
      add(events, Kind::kBegin, t, 0);
      if (t > 0) add(events, Kind::kRead, t, kVariables + t - 1);
      add(events, Kind::kWrite, t, kVariables + t);
    }
    for (std::uint32_t x = 0; x < kVariables; ++x) add(events, Kind::kWrite, size.threads - 1, x);
    for (std::uint32_t t = 0; t < size.threads; ++t) add(events, Kind::kEnd, t, 0);
  }
  return events;
}

// Transactions that each read thousands of variables while another one that precedes them is open:
// their read sets are handed over at each end.
Events huge_read_sets(const Size& size) {
  constexpr std::uint32_t kVariables = 5'000;
  Events events;
  add(events, Kind::kBegin, 0, 0);
  add(events, Kind::kWrite, 0, kVariables);
  for (std::uint32_t turn = 0; events.size() < size.events; ++turn) {
    const std::uint32_t t = 1 + turn % (size.threads - 1);
    add(events, Kind::kBegin, t, 0);
    add(events, Kind::kRead, t, kVariables);
    for (std::uint32_t x = 0; x < kVariables; ++x) add(events, Kind::kRead, t, x);
    add(events, Kind::kEnd, t, 0);
  }
  return events;
}

// Rounds in which all threads have a transaction open and each one reads what its neighbour wrote,
// the last neighbours first: every dependency joins a row with one that is longer by one.
Events joined_rows(const Size& size) {
  Events events;
  while (events.size() < size.events) {
    for (std::uint32_t t = 0; t < size.threads; ++t) {
      add(events, Kind::kBegin, t, 0);
      add(events, Kind::kWrite, t, t);
    }
    for (std::uint32_t t = size.threads - 1; t > 0; --t) add(events, Kind::kRead, t, t - 1);
    for (std::uint32_t t = 0; t < size.threads; ++t) add(events, Kind::kEnd, t, 0);
  }
  return events;
}

// As above, but the first neighbours first: the tree of every open transaction grows with each
// dependency.
Events tall_trees(const Size& size) {
  Events events;
  while (events.size() < size.events) {
    for (std::uint32_t t = 0; t < size.threads; ++t) add(events, Kind::kBegin, t, 0);
    for (std::uint32_t t = 0; t < size.threads; ++t) {
      if (t > 0) add(events, Kind::kRead, t, t - 1);
      add(events, Kind::kWrite, t, t);
    }
    for (std::uint32_t t = 0; t < size.threads; ++t) add(events, Kind::kEnd, t, 0);
  }
  return events;
}

Extent extent_of(const Events& events, std::uint32_t threads) {
  std::uint32_t variables = 0;
  for (const Event& event : events) variables = std::max(variables, event.object + 1);
  return {threads, variables, 0, 1};
}

bool run_all(const EngineEntry& engine, const Events& events, const Extent& extent) {
  Collector findings(Collector::Wants::kFirstInstances);
  LoweredEngine instance(engine, findings, kDefaultMode);
  for (std::size_t at = 0; at < events.size(); at += kBatch) {
    const std::size_t count = std::min(kBatch, events.size() - at);
    instance.consume({std::span(events).subspan(at, count), at, extent});
  }
  instance.finish();
  return findings.serializable();
}

void measure(benchmark::State& state, const EngineEntry& engine,
             const std::function<Events(const Size&)>& shape, const Size& size) {
  const Events events = shape(size);
  const Extent extent = extent_of(events, size.threads);
  for (auto _ : state) {
    if (!run_all(engine, events, extent)) state.SkipWithError("wrong verdict");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * events.size()));
}

struct Worst {
  const char* engine;
  const char* name;
  Events (*shape)(const Size&);
  std::size_t events;  // the smaller size
};

constexpr Worst kWorst[] = {
    {"reach", "joined-rows", joined_rows, 100'000},
    {"velodrome", "never-ending", never_ending, 100'000},
    {"aerodrome", "many-variables", many_variables, 100'000},
    {"aerodrome", "known-by-all", known_by_all, 100'000},
    {"aerodrome-basic", "many-variables", many_variables, 10'000},
    {"davida", "tall-trees", tall_trees, 100'000},
    {"summary-graph", "huge-read-sets", huge_read_sets, 100'000},
    {"conflict-graph", "never-ending", never_ending, 100'000},
};

void register_all() {
  for (const Worst& worst : kWorst) {
    const std::size_t events = events_from_environment(worst.events);
    for (const Size& size : {Size{events, 16}, {events * 10, 16}, {events, 64}}) {
      const std::string name = std::string(worst.engine) + "/" + worst.name + "/" +
                               std::to_string(size.events) +
                               "/threads:" + std::to_string(size.threads);
      benchmark::RegisterBenchmark(name.c_str(), [worst, size](benchmark::State& state) {
        measure(state, *find_engine(worst.engine), worst.shape, size);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace omnium::bench

int main(int argc, char** argv) {
  omnium::bench::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
