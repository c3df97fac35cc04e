// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Everything that was found in a run: each cause once, with how often it was seen.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "event/check_mode.h"
#include "report/report.h"
#include "watch/live_finding.h"
#include "wire/protocol.h"

namespace omnium::watch {

using Labels = std::set<std::optional<std::string_view>>;  // none: outside any block

class RunFindings {
 public:
  // True if the cause is new, and to be told now. A known cause is counted, and shown by the
  // shortest of its cycles. A cycle that blames nobody and has only accesses of a cause that was
  // found is one more way in which that cause was seen
  // (docs/runtime/watching.md#one-bug-one-finding).
  bool add(std::unique_ptr<LiveFinding> finding);

  // Refinement dropped the function, or will: it is not atomic, told or not.
  void note_not_atomic(std::string function) { not_atomic_.insert(std::move(function)); }
  const std::set<std::string, std::less<>>& not_atomic() const { return not_atomic_; }

  // What is told when the run is over, because only then it is known to be a finding: cycles of
  // functions that were not refuted. Each is given once; the names are valid as above.
  std::vector<const report::Report*> told_late();

  // With the current counts. The names in it are valid as long as these findings exist.
  report::Report report(const std::string& program, CheckMode mode,
                        const wire::Counters& counters) const;

 private:
  // Findings with the same cause, pattern and partners.
  struct Way {
    report::Variant variant;             // its count is not known yet
    std::vector<std::uint32_t> numbers;  // of the findings
  };
  struct Kept {
    std::string key;                       // the id of the cause or cycle
    std::unique_ptr<LiveFinding> finding;  // the one to show
    std::vector<Way> ways;                 // the one that is shown comes first
    Noise noise = Noise::kNone;            // what all its findings look like
    Labels functions;                      // the blocks that it was found in
    std::set<std::string> accesses;        // of all its findings: place and object
    bool waits = false;                    // it is a finding if none of its functions is refuted
  };

  // The same label, which stays when the finding has gone.
  std::optional<std::string_view> kept(std::optional<std::string_view> label);
  report::Variant variant_of(const report::Cause& cause);
  // The way of this kind; it is added if there is none.
  static std::vector<Way>::iterator way_of(report::Variant variant, std::vector<Way>& ways);
  // Adds the finding to those that are kept. True if the cause is new.
  bool keep(std::unique_ptr<LiveFinding> finding);
  // Makes the cycle at `at` a way of the cause that explains it. False if there is none.
  bool fold_cycle(std::size_t at);
  void add_as_way(Kept& cycle, Kept& cause);
  // Is it a finding, as far as is known now?
  bool stands(const Kept& kept) const;
  // How often the cause was seen, with its variants.
  static void add_counts(const Kept& kept, const wire::Counters& counters, report::Cause& cause);

  void note_calls(const report::Cause& cause);
  // By cause: the one that it follows from, or itself (finding/callers.h).
  std::vector<std::size_t> followed() const;

  static void add_counters(const wire::Counters& counters, report::Report& out);
  // How many violations were counted that no message is about: the process ended before, or had too
  // many findings.
  std::uint64_t undescribed(const wire::Counters& counters) const;

  std::vector<Kept> kept_;
  std::map<std::string, std::set<std::string>, std::less<>> callers_;  // of functions; on stacks
  std::set<std::string, std::less<>> not_atomic_;  // functions
  std::set<std::string, std::less<>> labels_;  // of blocks; findings that are not shown are gone
};

}  // namespace omnium::watch
