// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two results side by side: what is fixed, new, the same.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/findings.h"
#include "support/byte_sink.h"

namespace omnium::triage {

struct Difference {
  struct Pair {
    report::Finding before, after;
  };

  std::vector<report::Finding> fixed;  // only in the first
  std::vector<report::Finding> fresh;  // only in the second
  std::vector<Pair> same;
  // Reports of the second that are not serializable without a finding to compare.
  std::vector<const report::Report*> unclear;
};

// The reports must outlive the difference.
Difference difference(std::span<const report::Report> before,
                      std::span<const report::Report> after);

void render_text(const Difference& difference, support::ByteSink& out);
void render_json(const Difference& difference, support::ByteSink& out);

}  // namespace omnium::triage
