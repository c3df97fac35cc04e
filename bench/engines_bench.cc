// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events per second of every engine on every family of generated traces, the check for
// well-formedness included; that check alone; and generating alone. An engine is timed only after
// it gave the right verdict on the trace with and without a planted violation.
//
//   build/release/bench-engines --benchmark_filter=reach/locks
//   OMNIUM_BENCH_EVENTS=10000000 build/release/bench-engines
#include <benchmark/benchmark.h>

#include <optional>

#include "bench/prepared.h"

namespace omnium::bench {
namespace {

WorkloadOptions options_of(std::string_view family, std::uint32_t threads) {
  WorkloadOptions options;
  options.events = events_from_environment(1'000'000);
  options.threads = threads;
  options.variables = family == "private" || family == "readshared" ? 100'000 : 1'000;
  options.locks = 2 * threads;  // fewer, and most threads find no free lock and only read
  return options;
}

// The last trace asked for, as a benchmark is entered several times.
const Prepared& prepared(std::string_view family, std::uint32_t threads) {
  static std::optional<Prepared> kept;
  static std::string kept_key;
  const std::string key = std::string(family) + "/" + std::to_string(threads);
  if (key != kept_key) {
    kept.reset();
    kept = prepare(family, options_of(family, threads));
    kept_key = key;
  }
  return *kept;
}

struct Checked {
  bool right = false;
  std::uint64_t peak_bytes = 0;  // on the heap, of the engine and the checker
};

Checked check(const EngineEntry& engine, const Prepared& trace, bool violate) {
  const std::uint64_t before = heap_bytes();
  Checked checked;
  Collector findings(Collector::Wants::kFirstInstances);
  LoweredEngine instance(engine, findings, kDefaultMode, trace.has_attempts());
  run(trace, instance, [&](std::size_t at) {
    if (at % (64 * kBatch) != 0) return;
    checked.peak_bytes = std::max(checked.peak_bytes, heap_bytes() - before);
  });
  checked.peak_bytes = std::max(checked.peak_bytes, heap_bytes() - before);
  checked.right = right_verdict(engine, findings, violate);
  return checked;
}

// Both verdicts; remembered, as a benchmark is entered several times.
Checked check_once(const EngineEntry& engine, std::string_view family, std::uint32_t threads) {
  static std::string last_key;
  static Checked last;
  const std::string key =
      std::string(engine.info.name) + "/" + std::string(family) + "/" + std::to_string(threads);
  if (key == last_key) return last;
  last_key = key;
  last = check(engine, prepared(family, threads), false);
  WorkloadOptions violating = options_of(family, threads);
  violating.violate = true;
  violating.events = std::min<std::uint64_t>(violating.events, 200'000);
  last.right = last.right && check(engine, prepare(family, violating), true).right;
  return last;
}

void count_events(benchmark::State& state, std::uint64_t events) {
  const auto total = static_cast<double>(events) * static_cast<double>(state.iterations());
  state.counters["events/s"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
}

void time_engine(benchmark::State& state, const EngineEntry& engine, std::string_view family,
                 std::uint32_t threads) {
  const Checked checked = check_once(engine, family, threads);
  if (!checked.right) return state.SkipWithError("wrong verdict");
  const Prepared& trace = prepared(family, threads);
  const bool attempts = trace.has_attempts();
  for (auto _ : state) {
    Collector findings(Collector::Wants::kFirstInstances);
    LoweredEngine instance(engine, findings, kDefaultMode, attempts);
    run(trace, instance, [](std::size_t) {});
  }
  count_events(state, trace.events.size());
  state.counters["heap"] =
      benchmark::Counter(static_cast<double>(checked.peak_bytes), benchmark::Counter::kDefaults,
                         benchmark::Counter::kIs1024);
}

// An engine that looks at nothing: copying and the check for well-formedness alone.
class Nothing final : public Engine {
 public:
  static constexpr EngineInfo kInfo{.name = "well-formed",
                                    .serializable = Promise::kNothing,
                                    .transactions = Promise::kNothing,
                                    .instances = Promise::kNothing,
                                    .blocks = Promise::kNothing,
                                    .gives_cycle = false,
                                    .gives_window = false,
                                    .summary = "the check for well-formedness alone",
                                    .reference = ""};
  void consume(const Batch& batch, Lowering&) override {
    benchmark::DoNotOptimize(batch.events.data());
  }
  std::size_t consume_checked(std::span<Event> events, EventIndex, const Extent& extent,
                              WellFormed& well_formed, Lowering&) override {
    well_formed.grow_to(extent);
    const auto wrong =
        std::ranges::find_if_not(events, [&](Event& event) { return well_formed.accept(event); });
    return static_cast<std::size_t>(wrong - events.begin());
  }
  void finish() override {}
  std::vector<Counter> counters() const override { return {}; }
};
constexpr EngineEntry kNothing{Nothing::kInfo, [](FindingSink&) -> std::unique_ptr<Engine> {
                                 return std::make_unique<Nothing>();
                               }};

void time_generating(benchmark::State& state, std::string_view family, std::uint32_t threads) {
  const WorkloadOptions options = options_of(family, threads);
  std::vector<Event> buffer(kBatch);
  auto source = make_workload(family, options);
  CHECK(source.has_value());
  for (auto _ : state) {
    CHECK((*source)->seek(0).has_value());
    for (std::uint64_t left = options.events; left > 0;) {
      const auto count = (*source)->read(buffer);
      CHECK(count.has_value() && *count > 0);
      left -= *count;
      benchmark::DoNotOptimize(buffer.data());
    }
  }
  count_events(state, options.events);
}

template <class Run, class... Arguments>
void add(std::string_view what, std::string_view family, std::uint32_t threads, Run run_it,
         Arguments... arguments) {
  const std::string name =
      std::string(what) + "/" + std::string(family) + "/" + std::to_string(threads) + "-threads";
  benchmark::RegisterBenchmark(name.c_str(), run_it, arguments..., family, threads)
      ->Unit(benchmark::kMillisecond);
}

void add_all() {
  for (const WorkloadFamily& family : workload_families()) {
    for (const std::uint32_t threads : {8u, 64u}) {
      add("generate", family.name, threads, time_generating);
      add(kNothing.info.name, family.name, threads, time_engine, kNothing);
      for (const EngineEntry& engine : all_engines()) {
        add(engine.info.name, family.name, threads, time_engine, engine);
      }
    }
  }
}

}  // namespace
}  // namespace omnium::bench

int main(int argc, char** argv) {
  omnium::bench::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
