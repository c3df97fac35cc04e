// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Everything that was found in a run: each cause once, with how often it was seen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "event/check_mode.h"
#include "report/report.h"
#include "watch/live_finding.h"
#include "wire/protocol.h"

namespace omnium::watch {

class RunFindings {
 public:
  // True if the cause is new. A known cause is only counted.
  bool add(std::unique_ptr<LiveFinding> finding);

  // With the current counts. The names in it are valid as long as these findings exist.
  report::Report report(const std::string& program, CheckMode mode,
                        const wire::Counters& counters) const;

 private:
  struct Kept {
    std::string key;  // the id of the cause or cycle
    std::unique_ptr<LiveFinding> finding;
    std::vector<std::uint32_t> numbers;  // of all findings with this cause
  };

  static void add_counters(const wire::Counters& counters, report::Report& out);
  // How many violations were counted that no message is about: the process ended before, or had too
  // many findings.
  std::uint64_t undescribed(const wire::Counters& counters) const;

  std::vector<Kept> kept_;
};

}  // namespace omnium::watch
