// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One model of a report, names resolved: what every renderer formats. Plain data; the names are
// views into the trace's own tables and live as long as its source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.h"
#include "event/well_formed.h"
#include "finding/finding.h"
#include "finding/noise.h"
#include "report/status.h"

namespace omnium::report {

// A block, or a unary event (no label).
struct Block {
  std::string_view thread;
  std::optional<std::string_view> label;
  EventIndex begin = kNoEvent;
};

struct EventView {
  EventIndex index = kNoEvent;
  Kind kind = Kind::kSkip;
  std::string_view thread;
  std::string_view object;
  std::string_view location;  // empty where not known
  // The innermost block around it inside its transaction; known for graphs only.
  std::optional<std::string_view> inner = std::nullopt;
};

struct Step {
  Block from, to;
  EventIndex source = kNoEvent, sink = kNoEvent;
  DependencyKind kind{};
  std::string_view object;
};

// One entry of the machine-readable list: a violating transaction, or one of its instances.
struct Violation {
  std::uint32_t cause = 0;  // index into Report::causes
  Block transaction;
  EventIndex end = kNoEvent;
  EventIndex source = kNoEvent, event = kNoEvent;
  DependencyKind kind{};
  std::string_view object;
  std::string_view begin_location, source_location, event_location;  // empty where not known
  std::vector<Block> refuted;                                        // innermost first
  bool blamed = true;
  std::vector<Step> witness;
};

// "FROM must come before TO: first, then second."
struct Sentence {
  Block from, to;
  EventView first, second;
  bool same_object = false;  // the second is the same kind of object under the same name
};

struct Row {
  std::size_t column = 0;
  EventView event;
  enum class Mark : std::uint8_t { kNone, kOpens, kCloses } mark = Mark::kNone;
  std::uint64_t skipped = 0;  // events of the trace between the row before and this one
};

struct Column {
  std::string_view thread;
  std::optional<std::string_view> label;  // of the one transaction it shows
};

// A cycle to draw.
struct Picture {
  std::vector<Sentence> sentences;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::optional<std::string_view> held;  // a lock that every access held
  // Of this lock, as in LongerSection: the places are empty where it is not known.
  bool in_order = true;
  std::string_view given_up_at, taken_again_at;
};

// What people said of a cause before.
struct Marks {
  std::optional<std::string> suppressed;  // the reason
  std::optional<bool> known;              // is it in the baseline? None: there is no baseline
  std::string told_in;                    // path of an earlier report that tells the same cause

  // Is this something to act on?
  bool news() const { return !suppressed && !known.value_or(false); }
};

// A call of the program's own code.
struct StackFrame {
  std::string function, location;
};

// A run in which something was seen: its place in Report::merged, and how often.
struct SeenIn {
  std::uint32_t run = 0;
  std::uint64_t count = 0;
};

// A thread of a deadlock.
struct LockWait {
  std::string thread, lock, held_by;
};

// How the program failed in a run of a hunt.
struct Failure {
  std::string what;                 // "killed by SIGSEGV"
  std::string freed;                // of freed memory: where that was; empty where not known
  std::vector<LockWait> waits;      // of a deadlock: who waits for whom; empty where not known
  std::vector<std::string> output;  // the last lines that the program wrote
};

// One of the ways in which a cause was seen.
struct Variant {
  std::string pattern;                                    // empty where not known
  std::vector<std::optional<std::string_view>> partners;  // labels; none: outside any block
  std::uint64_t count = 0;
  std::vector<SeenIn> seen_in;  // of a merged result, by run; empty if it is the only variant
};

// What a person reads: all violations that have one cause.
struct Cause {
  std::string id;
  std::string pattern;  // empty where not known
  std::vector<std::string_view> objects;
  Block block;  // the innermost refuted one
  std::string_view block_location, event_location;
  std::string_view waited_location;  // the refuted part of the block began here; empty: all of it
  std::vector<Block> outer;          // also refuted, innermost first
  std::vector<Block> partners;       // the other transactions of the cycle
  std::uint64_t count = 0;
  std::vector<Variant> variants;  // the one that is shown first, others if there are any
  bool blamed = true;
  // False: it was seen while the program ran, but not enough is left to show how it happened. Then
  // there is no picture, and `objects` is what the last event touched.
  bool explained = true;
  Status status = Status::kSeen;
  Noise noise = Noise::kNone;  // what it looks like: a guess, and a reason to come last
  bool stands_alone = false;   // as NotAtomic::stands_alone
  // The id of the cause that explains this one, which is a function that nobody declared atomic
  // (finding/callers.h). Empty: none.
  std::string follows_from;
  // Of functions that nobody declared atomic: the others that have this cause, by name.
  std::vector<std::string_view> other_functions;
  std::string_view own_lock;  // an object that the program uses as a lock; empty: none
  // How a hunt made it happen, and how to do so again: sentences; empty if it was seen otherwise.
  std::string found_by;
  // Set if it is no violation: the program failed. Then the pattern is the kind of failure, the
  // block is the function where it happened (no label: not known) and has no thread, and `count`
  // is in how many runs that was.
  std::optional<Failure> failure;
  std::optional<EventView> changed_read;  // why it is only possible, if that is known
  // Of a merged result: the runs that saw it, in order, and the one that is shown.
  std::vector<SeenIn> seen_in;
  std::uint32_t shown_in = 0;
  std::string seen_by;  // the same as a sentence; empty otherwise
  Picture picture;
  // Of the block's thread when the violation was noticed, innermost first; empty where not known.
  std::vector<StackFrame> stack;
  Marks marks;
};

// True, but probably harmless.
inline bool is_noise(const Cause& cause) { return cause.noise != Noise::kNone; }

inline bool is_failure(const Cause& cause) { return cause.failure.has_value(); }

// Is it explained by another cause of the report?
inline bool follows(const Cause& cause) { return !cause.follows_from.empty(); }

// How often a block ran, and how often it was refuted.
struct Runs {
  std::string_view label;
  std::uint64_t count = 0;
  std::uint64_t refuted = 0;
};

// What is counted while a program runs, where nobody counts events.
struct RunCounts {
  std::uint64_t threads = 0;
  std::uint64_t blocks = 0;
  std::uint64_t lock_operations = 0;
  std::uint64_t atomic_operations = 0;
  std::uint64_t passed_over = 0;  // blocks that were not judged, besides `blocks`
};

// Only a random share of the blocks is judged (docs/runtime/sampling.md).
struct Sample {
  std::uint32_t millionths = 0;
  std::uint64_t seed = 0;
};

// What is said of other interleavings as a whole.
struct Predicted {
  bool atomic = false;               // every block, in every interleaving
  std::vector<std::string> remarks;  // sentences: what else was found, what is missing for `atomic`
};

struct Report {
  std::string path;              // of the trace, or the program that ran
  std::string run_id;            // 32 hexadecimal digits; empty where nobody gave it one
  std::optional<RunCounts> run;  // of a running program: then `counts` and `extent` say nothing,
                                 // and event indices are those of each finding's own excerpt
  std::optional<Sample> sample;  // of a run
  TraceCounts counts;
  Extent extent;
  const EngineInfo* engine = nullptr;
  CheckMode mode = kDefaultMode;
  // Set if it is about other interleavings of the trace. Causes have a status then, and event
  // indices count the events of each cause's own excerpt of an interleaving.
  std::optional<Predicted> predicted;
  // None: a prediction, a failure, or nothing was found by an engine that does not decide it.
  std::optional<bool> serializable;
  std::optional<EventIndex> detected_at;  // of a trace, as in CheckOutcome
  bool only_first = false;                // what comes behind that was not read
  std::vector<Violation> violations;
  std::vector<Cause> causes;  // what looks like noise last, then shortest cycles first
  std::uint64_t instances = 0;
  std::uint64_t undescribed =
      0;  // violations of a run that were seen, but of which nothing is known
  std::vector<Block> refuted;
  std::vector<Runs> runs;    // by label; empty where the engine does not judge blocks
  std::vector<Block> cycle;  // of a trace without a violating transaction; empty where not known
  std::optional<Cause> cycle_cause;        // the same as a finding: nobody is blamed
  std::uint64_t through_silent_locks = 0;  // as in CheckOutcome
  std::vector<Counter> stats;
  bool with_stats = false;
  bool read_again = true;
  // The user stopped it: `counts` and what was found are about the part that was looked at.
  bool stopped = false;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::vector<std::string> warnings;  // of the trace's form; for whoever made the report
  // The runs that were merged into this report, by path and id, each without findings and with its
  // own counts; empty if it is about one run. Violations are one per cause then.
  std::vector<Report> merged;
};

}  // namespace omnium::report
