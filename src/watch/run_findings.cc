// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/run_findings.h"

#include <algorithm>
#include <utility>

#include "engines/registry.h"

namespace omnium::watch {

namespace {

std::string key_of(const report::Report& report) {
  return report.causes.empty() ? report.cycle_cause->id : report.causes.front().id;
}

}  // namespace

bool RunFindings::add(std::unique_ptr<LiveFinding> finding) {
  std::string key = key_of(finding->report);
  const std::uint32_t number = finding->number;
  const auto known = std::ranges::find(kept_, key, &Kept::key);
  if (known != kept_.end()) {
    // The parent and the child of a fork may both tell of a finding.
    auto& numbers = known->numbers;
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    return false;
  }
  kept_.push_back({std::move(key), std::move(finding), {number}});
  return true;
}

void RunFindings::add_counters(const wire::Counters& counters, report::Report& out) {
  report::RunCounts run;
  std::uint64_t live = 0;
  for (const wire::ThreadCounters& thread : counters.thread) {
    run.blocks += thread.blocks;
    run.lock_operations += thread.locks;
    run.atomic_operations += thread.atomics;
    live += thread.live_dependencies;
  }
  run.threads = counters.threads;
  out.run = run;
  out.stats = {{"live dependencies", live}, {"dependencies forgotten", counters.forgotten}};
}

std::uint64_t RunFindings::undescribed(const wire::Counters& counters) const {
  std::vector<bool> described(wire::kMaxFindings, false);
  for (const Kept& kept : kept_) {
    for (const std::uint32_t number : kept.numbers) described[number] = true;
  }
  std::uint64_t count = counters.more;
  for (std::uint32_t number = 0; number < wire::kMaxFindings; ++number) {
    if (!described[number]) count += counters.seen[number];
  }
  return count;
}

report::Report RunFindings::report(const std::string& program, CheckMode mode,
                                   const wire::Counters& counters) const {
  report::Report out;
  out.path = program;
  out.mode = mode;
  out.engine = &find_engine(kDefaultEngine)->info;
  out.undescribed = undescribed(counters);
  if (!kept_.empty() || out.undescribed > 0) {
    out.serializable = false;
  } else if (counters.forgotten == 0) {
    out.serializable = true;
  }
  add_counters(counters, out);
  // The longest cycles come last, as in all reports.
  std::vector<const Kept*> order;
  for (const Kept& kept : kept_) order.push_back(&kept);
  std::ranges::stable_sort(order, {}, [](const Kept* kept) {
    const auto& causes = kept->finding->report.causes;
    return causes.empty() ? 0 : causes.front().picture.sentences.size();
  });
  for (const Kept* kept : order) {
    const report::Report& one = kept->finding->report;
    std::uint64_t seen = 0;
    for (const std::uint32_t number : kept->numbers) {
      seen += std::max<std::uint64_t>(counters.seen[number], 1);
    }
    if (one.causes.empty() && !out.cycle_cause) {
      out.cycle = one.cycle;
      out.cycle_cause = one.cycle_cause;
      out.cycle_cause->count = seen;
      continue;
    }
    out.instances += seen;
    if (one.causes.empty()) {  // a report has one cycle: others are causes that blame no block
      out.causes.push_back(*one.cycle_cause);
      out.causes.back().count = seen;
      continue;
    }
    const auto index = static_cast<std::uint32_t>(out.causes.size());
    out.causes.push_back(one.causes.front());
    out.causes.back().count = seen;
    out.violations.push_back(one.violations.front());
    out.violations.back().cause = index;
    const auto& refuted = one.violations.front().refuted;
    out.refuted.insert(out.refuted.end(), refuted.begin(), refuted.end());
  }
  return out;
}

}  // namespace omnium::watch
