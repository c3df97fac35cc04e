// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/checker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <set>

#include "engines/read_ahead.h"
#include "event/for_check.h"
#include "finding/collector.h"
#include "order/transaction_graph.h"
#include "spec/block_filter.h"

namespace omnium {

namespace {

// Small enough to stay in the first-level cache between the stages.
constexpr std::size_t kBatchEvents = 2048;
constexpr EventIndex kProgressEvents = EventIndex{1} << 20;

using Buffer = std::array<Event, kBatchEvents>;

// A thread pays off from here on. Until then it shows which of the two would have more to do.
constexpr EventIndex kEventsBeforeReadingAhead = 1 << 18;
constexpr std::size_t kBlockEvents = 8192;

Error malformed(const EventSource& source, Malformed&& wrong) {
  return {source.position_of(wrong.offset), std::move(wrong.what)};
}

// What is fed before the window of a cycle.
struct Nowhere {
  void at(EventIndex) {}
  void grow(const Extent&) {}
  void on_read(ThreadId, VarId) {}
  void on_write(ThreadId, VarId) {}
  void on_acquire(ThreadId, LockId) {}
  void on_release(ThreadId, LockId) {}
  void on_begin(ThreadId, LabelId) {}
  void on_end(ThreadId) {}
  void on_fork(ThreadId, ThreadId) {}
  void on_join(ThreadId, ThreadId) {}
};

// The cycle again, from the part of the trace that contains it: the transactions of some cycle
// through the one of `closed_at` all begin at or after `window_begin`. Re-entrant lock operations
// need no care here: inner ones repeat dependencies that the outer ones have. Where the meaning of
// events depends on earlier ones, those are lowered too, though nobody looks at them.
Result<std::vector<BlockRef>> find_cycle(EventSource& source, const Cycle& cycle,
                                         const CheckOptions& options, bool needs_start) {
  auto at = source.seek(needs_start ? 0 : cycle.window_begin);
  if (!at) return tl::unexpected(at.error());
  std::optional<BlockFilter> filter;
  if (options.specification != nullptr) filter.emplace(*options.specification);
  Lowering lowering(options.mode, needs_start);
  Nowhere nowhere;
  TransactionGraph graph;
  lowering.grow(source.names().extent(), nowhere);
  Buffer buffer;
  ThreadId closing_thread;
  for (EventIndex index = *at; index <= cycle.closed_at;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    const auto events = std::span(buffer).first(*count);
    if (filter) filter->apply(events, source.names());
    for (const Event& event : events) {
      if (index > cycle.closed_at) break;
      closing_thread = event.thread();
      if (index == cycle.window_begin) lowering.grow(source.names().extent(), graph);
      if (index >= cycle.window_begin) {
        lowering.feed(event, index++, graph);
      } else if (needs_start) {
        lowering.feed(event, index++, nowhere);
      } else {
        ++index;
      }
    }
  }
  return graph.cycle_through(closing_thread, cycle.closed_at);
}

// Operations of all other locks mean no more than a try that failed.
void keep_locks(std::span<Event> events, const std::vector<bool>& locks) {
  for (Event& event : events) {
    const bool is_lock = takes_lock(event.kind) || gives_lock_back(event.kind);
    if (!is_lock || locks[event.object]) continue;
    // It cuts its block all the same.
    if (event.kind != Kind::kResume) event.kind = Kind::kBusy;
  }
}

// One pass over the trace, of locks with those in `locks` only, if there are any.
class Pass {
 public:
  Pass(EventSource& source, const EngineEntry& engine, FindingSink& sink,
       const CheckOptions& options, bool track_attempts, const std::vector<bool>& locks)
      : source_(source),
        options_(options),
        locks_(locks),
        checker_(engine, sink, options.mode, track_attempts) {
    if (options.specification != nullptr) filter_.emplace(*options.specification);
  }

  // Feeds what follows `next` events of the trace. With options.first one event after the other, so
  // that nothing is read behind the first violation.
  std::optional<Malformed> feed(std::span<Event> events, EventIndex next) {
    if (!options_.first) return feed_at_once(events, next);
    for (std::size_t i = 0; i < events.size() && !is_over(); ++i) {
      auto wrong = feed_at_once(events.subspan(i, 1), next + i);
      if (wrong) wrong->offset = i;
      if (wrong) return wrong;
    }
    return std::nullopt;
  }

  // What feed() does before the engine comes; for a thread of its own, with feed_ready() behind it.
  std::optional<Malformed> make_ready(std::span<Event> events) {
    auto wrong = well_formed_.check(events, source_.names());
    if (filter_) filter_->apply(events, source_.names());
    if (!locks_.empty()) keep_locks(events, locks_);
    return wrong;
  }
  void feed_ready(std::span<const Event> events, EventIndex next, const Extent& extent,
                  std::size_t thinned = 0) {
    checker_.consume({events, next, extent, thinned});
  }
  // From now on make_thin() may be called instead of make_ready(). False if it cannot be.
  bool start_thinning() {
    thinning_ = checker_.thinning();
    return thinning_.has_value();
  }
  // Sets `left` to those of the events that the engine needs.
  std::optional<Malformed> make_thin(std::span<Event> events, std::span<Event>& left) {
    const auto add = [&](const Event& event) { thinning_->add(event); };
    thinning_->begin(events, source_.names().extent());
    std::optional<Malformed> wrong;
    if (changes_events()) {
      wrong = make_ready(events);
      std::ranges::for_each(events, add);
    } else {
      wrong = well_formed_.check(events, source_.names(), add);
    }
    left = events.first(thinning_->finish());
    return wrong;
  }
  // False if one of them is malformed. Does not look at names, which others may be reading.
  bool feed_unready(std::span<Event> events, EventIndex next, const Extent& extent) {
    return checker_.consume_checked(events, next, extent, well_formed_) == events.size();
  }
  bool changes_events() const { return filter_.has_value() || !locks_.empty(); }

  // Failed attempts have to be tracked and were not.
  bool needs_attempts() const { return checker_.lowering().needs_attempts(); }
  bool is_over() const {
    return needs_attempts() || (options_.first && checker_.detection().has_value());
  }
  bool has_filter() const { return filter_.has_value(); }
  bool detected() const { return checker_.detection().has_value(); }

  TraceRun finish() {
    checker_.finish();
    TraceRun run{well_formed_.counts(),
                 well_formed_.runs(),
                 checker_.counters(),
                 well_formed_.warnings(source_.names()),
                 checker_.lowering().remembers(),
                 checker_.lowering().locks_without_access(),
                 checker_.detection()};
    run.counts.transactions += checker_.lowering().cuts();
    for (std::uint32_t label = 0; label < run.runs.size() && filter_; ++label) {
      if (!options_.specification->atomic(source_.names().labels.name(label))) run.runs[label] = 0;
    }
    return run;
  }

 private:
  std::optional<Malformed> feed_at_once(std::span<Event> events, EventIndex next) {
    const Extent extent = source_.names().extent();
    if (changes_events()) {
      auto wrong = make_ready(events);
      if (!wrong) feed_ready(events, next, extent);
      return wrong;
    }
    const std::size_t fine = checker_.consume_checked(events, next, extent, well_formed_);
    if (fine == events.size()) return std::nullopt;
    return Malformed{fine, well_formed_.what_is_wrong(events[fine], source_.names())};
  }

  EventSource& source_;
  const CheckOptions& options_;
  const std::vector<bool>& locks_;
  LoweredEngine checker_;
  WellFormed well_formed_;
  std::optional<BlockFilter> filter_;
  std::optional<Thinning> thinning_;
};

// What came of a pass.
enum class Ended {
  kAll,        // as far as it goes
  kMalformed,  // somewhere: the place is lost
};

// Reads and feeds a trace, one batch after the other.
class Feeding {
 public:
  Feeding(EventSource& source, Pass& pass, FindingSink& sink, const CheckOptions& options)
      : source_(source), pass_(pass), sink_(sink), options_(options) {}

  Result<Ended> run() {
    static thread_local Buffer buffer;  // thousands of small traces would feel a new one each
    while (!pass_.is_over()) {
      if (options_.reads_ahead && !options_.first && next_ >= kEventsBeforeReadingAhead) {
        return run_ahead();
      }
      const auto started = time_of_this_thread();
      const auto count = source_.read(buffer);
      if (!count) return tl::unexpected(count.error());
      if (*count == 0) break;
      const auto was_read = time_of_this_thread();
      const auto events = std::span(buffer).first(*count);
      look_at_remarks(events);
      if (auto wrong = pass_.feed(events, next_)) {
        return tl::unexpected(malformed(source_, std::move(*wrong)));
      }
      reading_ += was_read - started;
      feeding_ += time_of_this_thread() - was_read;
      advance(*count);
    }
    return Ended::kAll;
  }

 private:
  // What it has worked, whatever else the machine did meanwhile. Asked for only shortly before
  // somebody wants to know: each time is a system call, and most traces are small.
  std::chrono::nanoseconds time_of_this_thread() const {
    timespec time{};
    if (options_.reads_ahead && next_ >= kEventsBeforeReadingAhead / 2) {
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    }
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  void look_at_remarks(std::span<const Event> events) {
    if (next_ == 0 && !pass_.has_filter() &&
        has_remark(events, source_.names(), kUndeclaredSignal)) {
      sink_.functions_are_blocks();
    }
  }

  void advance(std::size_t count) {
    next_ += count;
    if (options_.progress && next_ / kProgressEvents != (next_ - count) / kProgressEvents) {
      options_.progress(next_);
    }
  }

  // On two threads. Whether events are well-formed is looked at by the one that has less to do; if
  // that is the reading one, it also takes out what the engine does not need. Engines never look at
  // names, so these belong to the thread that reads.
  Result<Ended> run_ahead() {
    const bool readies = pass_.changes_events() || reading_ * 2 < feeding_;
    const bool thins = readies && pass_.start_thinning();
    EventIndex first = next_;
    ReadAhead ahead([&, readies, thins](EventBlock& block) {
      block.room.resize(kBlockEvents);
      const auto count = source_.read(block.room);
      block.events = std::span(block.room).first(count.value_or(0));
      block.count = block.events.size();
      block.first = first;
      first += block.count;
      block.extent = source_.names().extent();
      if (!count) block.error = count.error();
      auto wrong = thins     ? pass_.make_thin(block.events, block.events)
                   : readies ? pass_.make_ready(block.events)
                             : std::nullopt;
      if (wrong) block.error = malformed(source_, std::move(*wrong));
      block.last = block.error.has_value() || block.count == 0;
    });
    while (true) {
      EventBlock& block = ahead.next();
      if (block.error) return tl::unexpected(std::move(*block.error));
      if (block.count == 0) return Ended::kAll;
      if (readies) {
        pass_.feed_ready(block.events, block.first, block.extent, thins ? block.count : 0);
      } else if (!pass_.feed_unready(block.events, block.first, block.extent)) {
        return Ended::kMalformed;
      }
      if (pass_.is_over()) return Ended::kAll;
      advance(block.count);
    }
  }

  EventSource& source_;
  Pass& pass_;
  FindingSink& sink_;
  const CheckOptions& options_;
  EventIndex next_ = 0;
  std::chrono::nanoseconds reading_{}, feeding_{};
};

// Nothing if failed attempts have to be tracked and were not.
Result<std::optional<TraceRun>> run_once(EventSource& source, const EngineEntry& engine,
                                         FindingSink& sink, const CheckOptions& options,
                                         bool track_attempts, const std::vector<bool>& locks = {}) {
  Pass pass(source, engine, sink, options, track_attempts, locks);
  const auto ended = Feeding(source, pass, sink, options).run();
  if (!ended) return tl::unexpected(ended.error());
  if (*ended == Ended::kMalformed) {
    // Whoever reads only what it works on can tell the place.
    sink.start_again();
    if (const auto at = source.seek(0); !at) return tl::unexpected(at.error());
    CheckOptions slower = options;
    slower.reads_ahead = false;
    return run_once(source, engine, sink, slower, track_attempts, locks);
  }
  if (pass.needs_attempts()) return std::nullopt;
  return pass.finish();
}

}  // namespace

// Whether failed attempts have to be tracked shows at the first one: most traces have none, and
// starting again costs at most what was read until then.
Result<TraceRun> run_trace(EventSource& source, const EngineEntry& engine, FindingSink& sink,
                           const CheckOptions& options) {
  auto run = run_once(source, engine, sink, options, false);
  if (run && !*run) {
    sink.start_again();
    const auto at = source.seek(0);
    if (!at) return tl::unexpected(at.error());
    run = run_once(source, engine, sink, options, true);
  }
  if (!run) return tl::unexpected(run.error());
  return std::move(**run);
}

Result<std::optional<Cycle>> cycle_closed_at(EventSource& source, EventIndex closing,
                                             const CheckOptions& options) {
  Cycle cycle{closing, 0, {}};
  auto transactions = find_cycle(source, cycle, options, false);
  if (!transactions) return tl::unexpected(transactions.error());
  if (transactions->empty()) return std::nullopt;
  cycle.transactions = std::move(*transactions);
  return cycle;
}

namespace {

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// A second look with the order of locks under which nothing was recorded. Nothing is added if the
// trace cannot be read again: what was found stays right.
std::uint64_t count_through(EventSource& source, const EngineEntry& engine, CheckOptions options,
                            const TraceRun& run, const std::vector<Violation>& known) {
  if (run.silent_locks.empty() || engine.info.transactions != Promise::kExact) return 0;
  if (!source.seek(0)) return 0;
  options.mode.conflicts = Conflicts::kAll;
  Collector findings(Collector::Wants::kFirstInstances);
  const auto again = run_once(source, engine, findings, options, true, run.silent_locks);
  if (!again) return 0;
  std::set<decltype(Violation::transaction)> seen;
  for (const Violation& violation : known) seen.insert(violation.transaction);
  const auto is_new = [&](const Violation& violation) {
    return !seen.contains(violation.transaction);
  };
  return static_cast<std::uint64_t>(std::ranges::count_if(findings.violations(), is_new));
}

Collector::Wants wants_of(const CheckOptions& options) {
  if (options.every_instance) return Collector::Wants::kEveryInstance;
  return options.refines ? Collector::Wants::kRefined : Collector::Wants::kFirstInstances;
}

// Without what a second look tells.
CheckOutcome outcome_of(TraceRun run, Collector findings, const CheckOptions& options,
                        std::chrono::steady_clock::time_point started) {
  CheckOutcome outcome;
  outcome.mode = options.mode;
  outcome.counts = run.counts;
  outcome.runs = std::move(run.runs);
  outcome.counters = std::move(run.counters);
  outcome.warnings = std::move(run.warnings);
  outcome.serializable = findings.serializable();
  if (run.detection) {
    outcome.detected_at = run.detection->at;
    outcome.stopped = options.first;
    outcome.seconds_to_first = seconds_between(started, run.detection->when);
  }
  outcome.instances = findings.instances();
  outcome.by_function = findings.refines();
  outcome.callers = std::move(findings).callers();
  outcome.violations = std::move(findings).violations();
  outcome.refuted = std::move(findings).refuted();
  outcome.cycle = std::move(findings).cycle();
  return outcome;
}

}  // namespace

struct StreamCheck::State {
  State(EventSource& source, const EngineEntry& engine, const CheckOptions& wanted)
      : options(wanted),
        findings(wants_of(wanted)),
        pass(source, engine, findings, options, true, no_locks),
        names(source.names()) {}

  CheckOptions options;
  std::vector<bool> no_locks;
  Collector findings;
  Pass pass;
  const Names& names;
  EventIndex next = 0;
  std::vector<Event> events;  // a copy: what is not for the engine is taken out of it
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration busy{};
};

StreamCheck::StreamCheck(EventSource& source, const EngineEntry& engine,
                         const CheckOptions& options)
    : engine_(engine), state_(std::make_unique<State>(source, engine, options)) {}
StreamCheck::~StreamCheck() = default;

std::optional<Malformed> StreamCheck::feed(std::span<const Event> events) {
  const auto began = std::chrono::steady_clock::now();
  State& state = *state_;
  state.events.assign(events.begin(), events.end());
  if (state.next == 0 && has_remark(state.events, state.names, kUndeclaredSignal)) {
    state.findings.functions_are_blocks();
  }
  auto wrong = state.pass.feed(state.events, state.next);
  state.next += events.size();
  state.busy += std::chrono::steady_clock::now() - began;
  return wrong;
}

bool StreamCheck::has_detected() const { return state_->pass.detected(); }

CheckOutcome StreamCheck::finish() {
  const auto began = std::chrono::steady_clock::now();
  TraceRun run = state_->pass.finish();
  state_->busy += std::chrono::steady_clock::now() - began;
  CheckOutcome outcome =
      outcome_of(std::move(run), std::move(state_->findings), state_->options, state_->started);
  outcome.seconds = std::chrono::duration<double>(state_->busy).count();
  return outcome;
}

Result<CheckOutcome> check_trace(EventSource& source, const EngineEntry& engine,
                                 const CheckOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Collector findings(wants_of(options));
  auto run = run_trace(source, engine, findings, options);
  if (!run) return tl::unexpected(run.error());
  const bool needs_start = run->needs_start;
  CheckOutcome outcome = outcome_of(*run, std::move(findings), options, started);
  if (!outcome.serializable || !outcome.violations.empty()) {
    if (auto names = source.want_variable_names(true); !names) return tl::unexpected(names.error());
  }
  if (outcome.cycle && outcome.violations.empty() && engine.info.gives_window) {
    auto transactions = find_cycle(source, *outcome.cycle, options, needs_start);
    if (!transactions) return tl::unexpected(transactions.error());
    outcome.cycle->transactions = std::move(*transactions);
  }
  if (options.look_through_silent_locks && !options.first) {
    outcome.through_silent_locks = count_through(source, engine, options, *run, outcome.violations);
  }
  outcome.seconds = seconds_between(started, std::chrono::steady_clock::now());
  return outcome;
}

}  // namespace omnium
