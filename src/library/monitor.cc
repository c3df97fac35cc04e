// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The caller's 64-bit ids <-> our dense ones, and an engine fed one event at a time.
#include "omnium/monitor.h"

#include <utility>

#include <fmt/format.h>

#include "engines/lowered_engine.h"
#include "event/well_formed.h"
#include "support/id_map.h"

namespace omnium {

namespace {

// One name space: dense ids in order of first use. The names are the ids in decimal, for messages.
class DenseIds {
 public:
  std::uint32_t dense(std::uint64_t id, support::Interner& names) {
    return dense_.find(id, [&] {
      ids_.push_back(id);
      names.append(fmt::format("{}", id));
      return static_cast<std::uint32_t>(ids_.size() - 1);
    });
  }
  std::uint64_t id(std::uint32_t dense) const { return ids_[dense]; }

 private:
  support::IdMap dense_;
  std::vector<std::uint64_t> ids_;
};

constexpr MonitoredKind to_public(DependencyKind kind) { return static_cast<MonitoredKind>(kind); }
static_assert(to_public(DependencyKind::kWriteRead) == MonitoredKind::kWriteRead);
static_assert(to_public(DependencyKind::kReleaseAcquire) == MonitoredKind::kReleaseAcquire);
static_assert(to_public(DependencyKind::kSignalAwait) == MonitoredKind::kSignalAwait);

}  // namespace

std::string_view to_string(MonitoredKind kind) {
  return to_string(static_cast<DependencyKind>(kind));
}

class Monitor::State final : public FindingSink {
 public:
  State(OnViolation on_violation, MonitorOptions options)
      : on_violation_(std::move(on_violation)), options_(std::move(options)) {
    const EngineEntry* engine = find_engine(options_.engine);
    if (engine == nullptr) {
      error_ = fmt::format("unknown engine '{}'", options_.engine);
    } else {
      const CheckMode mode{
          options_.conflicts == MonitorConflicts::kAll ? Conflicts::kAll : Conflicts::kData,
          options_.waits == MonitorWaits::kKeep ? Waits::kKeep : Waits::kSplit};
      engine_ = std::make_unique<LoweredEngine>(*engine, *this, mode, options_.retries);
    }
  }

  bool feed(Kind kind, std::uint64_t thread, std::uint64_t object) {
    if (!engine_) return false;
    if (kind == Kind::kRetry && !options_.retries) {
      error_ = "retry() needs MonitorOptions::retries";
      return false;
    }
    const std::uint32_t t = threads_.dense(thread, names_.threads);
    if (t >= kMaxThreads) {
      error_ = fmt::format("more than {} threads", kMaxThreads);
      return false;
    }
    Event event{kind, static_cast<std::uint16_t>(t), dense_object(kind, object)};
    if (auto wrong = well_formed_.check(std::span(&event, 1), names_)) {
      error_ = std::move(wrong->what);
      return false;
    }
    engine_->consume({std::span(&event, 1), events_, names_.extent()});
    ++events_;
    return true;
  }

  bool finish() {
    if (engine_) engine_->finish();
    engine_.reset();
    if (error_.empty()) error_ = "the monitor is finished";
    return serializable_;
  }

  bool serializable() const { return serializable_; }
  std::uint64_t events() const { return events_; }
  const std::string& error() const { return error_; }

  void violation(Violation violation) override {
    if (!on_violation_) return;
    MonitoredViolation found{to_public(violation.transaction), {}, {}};
    for (const BlockRef& block : violation.refuted) found.refuted.push_back(to_public(block));
    for (const WitnessStep& step : violation.witness) {
      const Dependency& d = step.dependency;
      found.witness.push_back({to_public(step.from), to_public(step.to), d.source, d.sink,
                               omnium::to_public(d.kind), object_of(d)});
    }
    on_violation_(found);
  }
  void repeated_instance() override {}
  void refuted(RefutedBlock) override {}
  void transaction_ended(const BlockRef&, EventIndex) override {}
  void not_serializable(Cycle cycle) override {
    serializable_ = false;
    if (options_.on_not_serializable) options_.on_not_serializable(cycle.closed_at);
  }
  void start_again() override {}  // events come once
  bool every_instance() const override { return options_.every_instance; }

 private:
  std::uint32_t dense_object(Kind kind, std::uint64_t object) {
    switch (kind) {
      case Kind::kFork:
      case Kind::kJoin: return threads_.dense(object, names_.threads);
      case Kind::kBegin: return labels_.dense(object, names_.labels);
      case Kind::kEnd: return 0;
      case Kind::kSignal:
      case Kind::kAwait: return signals_.dense(object, names_.signals);
      default:
        return is_access(kind) ? variables_.dense(object, names_.variables)
                               : locks_.dense(object, names_.locks);
    }
  }

  std::uint64_t object_of(const Dependency& dependency) const {
    switch (dependency.kind) {
      case DependencyKind::kReleaseAcquire: return locks_.id(dependency.object);
      case DependencyKind::kFork:
      case DependencyKind::kJoin: return threads_.id(dependency.object);
      case DependencyKind::kSignalAwait: return signals_.id(dependency.object);
      default: return variables_.id(dependency.object);
    }
  }

  MonitoredBlock to_public(const BlockRef& block) const {
    MonitoredBlock found{threads_.id(block.thread.v), std::nullopt, block.begin};
    if (!block.label.is_none()) found.label = labels_.id(block.label.v);
    return found;
  }

  OnViolation on_violation_;
  MonitorOptions options_;
  std::unique_ptr<LoweredEngine> engine_;
  WellFormed well_formed_;
  Names names_;
  DenseIds threads_, variables_, locks_, labels_, signals_;
  std::uint64_t events_ = 0;
  bool serializable_ = true;
  std::string error_;
};

Monitor::Monitor(OnViolation on_violation, MonitorOptions options)
    : state_(std::make_unique<State>(std::move(on_violation), std::move(options))) {}
Monitor::~Monitor() = default;
Monitor::Monitor(Monitor&&) noexcept = default;
Monitor& Monitor::operator=(Monitor&&) noexcept = default;

bool Monitor::begin(std::uint64_t thread, std::uint64_t label) {
  return state_->feed(Kind::kBegin, thread, label);
}
bool Monitor::end(std::uint64_t thread) { return state_->feed(Kind::kEnd, thread, 0); }
bool Monitor::read(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kRead, thread, variable);
}
bool Monitor::write(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kWrite, thread, variable);
}
bool Monitor::acquire(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kAcquire, thread, lock);
}
bool Monitor::release(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kRelease, thread, lock);
}
bool Monitor::fork(std::uint64_t thread, std::uint64_t child) {
  return state_->feed(Kind::kFork, thread, child);
}
bool Monitor::join(std::uint64_t thread, std::uint64_t other) {
  return state_->feed(Kind::kJoin, thread, other);
}
bool Monitor::atomic_read(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kAtomicRead, thread, variable);
}
bool Monitor::atomic_write(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kAtomicWrite, thread, variable);
}
bool Monitor::update(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kUpdate, thread, variable);
}
bool Monitor::retry(std::uint64_t thread, std::uint64_t variable) {
  return state_->feed(Kind::kRetry, thread, variable);
}
bool Monitor::acquire_shared(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kSharedAcquire, thread, lock);
}
bool Monitor::release_shared(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kSharedRelease, thread, lock);
}
bool Monitor::wait(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kWait, thread, lock);
}
bool Monitor::resume(std::uint64_t thread, std::uint64_t lock) {
  return state_->feed(Kind::kResume, thread, lock);
}
bool Monitor::signal(std::uint64_t thread, std::uint64_t signal) {
  return state_->feed(Kind::kSignal, thread, signal);
}
bool Monitor::await(std::uint64_t thread, std::uint64_t signal) {
  return state_->feed(Kind::kAwait, thread, signal);
}
bool Monitor::finish() { return state_->finish(); }
bool Monitor::serializable() const { return state_->serializable(); }
std::uint64_t Monitor::events() const { return state_->events(); }
const std::string& Monitor::error() const { return state_->error(); }

}  // namespace omnium
