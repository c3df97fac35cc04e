// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An engine behind the lowering of richer events (event/lowering.h): traces in, findings about the
// trace's own locks, signals and blocks out.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "event/lowering.h"
#include "event/thinning.h"
#include "finding/finding.h"

namespace omnium {

// Where and when an engine saw that the trace is not serializable.
struct Detection {
  EventIndex at;
  std::chrono::steady_clock::time_point when;
};

// Tells `to` what an engine finds, in the terms of the trace.
class LoweredFindings final : public FindingSink {
 public:
  LoweredFindings(Lowering& lowering, FindingSink& to) : lowering_(lowering), to_(to) {}

  void violation(Violation violation) override;
  void repeated_instance() override { to_.repeated_instance(); }
  void refuted(RefutedBlock refuted) override;
  void transaction_ended(const BlockRef& transaction, EventIndex end) override {
    const EventIndex part_end = lowering_.part_end();
    to_.transaction_ended(transaction, part_end == kNoEvent ? end : part_end);
  }
  void not_serializable(Cycle cycle) override;
  void start_again() override { to_.start_again(); }
  bool every_instance() const override { return to_.every_instance(); }
  bool wants_inner_block(const BlockRef& block) const override {
    return to_.wants_inner_block(block);
  }
  bool wants_block_witnesses() const override { return to_.wants_block_witnesses(); }

  // What is found from now on, the engine found when it knew all events up to this one.
  void trace_ends_at(EventIndex last) { last_ = last; }
  const std::optional<Detection>& detection() const { return detection_; }

 private:
  void translate(Dependency& dependency) const;
  void translate(std::vector<WitnessStep>& witness) const;

  Lowering& lowering_;
  FindingSink& to_;
  EventIndex last_ = kNoEvent;
  std::optional<Detection> detection_;
};

class LoweredEngine {
 public:
  LoweredEngine(const EngineEntry& entry, FindingSink& sink, CheckMode mode,
                bool track_attempts = false)
      : lowering_(mode, track_attempts),
        findings_(lowering_, sink),
        engine_(entry.make(findings_)) {}
  LoweredEngine(const LoweredEngine&) = delete;
  LoweredEngine& operator=(const LoweredEngine&) = delete;

  // As those of Engine.
  void consume(const Batch& batch) {
    engine_->consume(batch, lowering_);
    events_ = batch.end();
  }
  std::size_t consume_checked(std::span<Event> events, EventIndex first, const Extent& extent,
                              WellFormed& well_formed) {
    events_ = first + events.size();
    return engine_->consume_checked(events, first, extent, well_formed, lowering_);
  }
  void finish() {
    findings_.trace_ends_at(events_ == 0 ? 0 : events_ - 1);
    engine_->finish();
  }
  std::vector<Counter> counters() const { return engine_->counters(); }

  // None if every event counts.
  std::optional<Thinning> thinning() {
    if (!lowering_.can_be_thinned() || !engine_->takes_thinned()) return std::nullopt;
    return Thinning(lowering_.hand_over_lock_uses());
  }

  const Lowering& lowering() const { return lowering_; }
  // None as long as the trace is serializable, as far as the engine knows.
  const std::optional<Detection>& detection() const { return findings_.detection(); }

 private:
  Lowering lowering_;
  LoweredFindings findings_;
  std::unique_ptr<Engine> engine_;
  EventIndex events_ = 0;
};

}  // namespace omnium
