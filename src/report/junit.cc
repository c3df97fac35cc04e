// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/junit.h"

#include <unordered_map>

#include <fmt/format.h>

#include "report/findings.h"
#include "report/text.h"
#include "report/words.h"
#include "report/xml.h"
#include "support/display.h"

namespace omnium::report {

namespace {

struct Case {
  std::string text;
  bool failed = false, skipped = false;
};

Case skipped(const std::string& name, std::string_view why, const std::string& words = "") {
  const std::string printed =
      words.empty() ? "" : fmt::format("   <system-out>{}</system-out>\n", xml(words));
  return {fmt::format("  <testcase {}>\n   <skipped message=\"{}\"/>\n{}  </testcase>\n", name,
                      xml(support::terminal_text(why)), printed),
          false, true};
}

Case failed(const std::string& name, std::string_view type, const std::string& what,
            const std::string& words) {
  return {fmt::format("  <testcase {}>\n   <failure type=\"{}\" message=\"{}\">{}"
                      "</failure>\n  </testcase>\n",
                      name, xml(type), xml(what), xml(words)),
          true, false};
}

constexpr std::string_view kViolation = "atomicity violation";

std::string type_of(const Cause& cause) {
  if (is_failure(cause)) return support::terminal_text(cause.pattern);
  return fmt::format("{}{}", is_predicted(cause.status) ? "predicted " : "", kViolation);
}

// A failure may be nowhere in particular.
std::string class_of(const Cause& cause, const Report& report) {
  const bool nowhere = is_failure(cause) && !label_of(cause.block);
  return nowhere ? support::terminal_text(report.path) : short_name(cause.block);
}

Case case_of(const Finding& finding, const Report& report) {
  const Cause& cause = *finding.cause;
  const std::string what = headline(cause);
  const std::string name =
      fmt::format("classname=\"{}\" name=\"{}{}{}\"", xml(class_of(cause, report)),
                  xml(support::terminal_text(cause.id)), what.empty() ? "" : " ", xml(what));
  if (cause.marks.suppressed) return skipped(name, "suppressed: " + *cause.marks.suppressed);
  if (cause.marks.known.value_or(false)) return skipped(name, "known: in the baseline");
  if (finding.reports.front() != &report) {
    return skipped(name, "same cause as in " + finding.reports.front()->path);
  }
  support::StringSink words;
  render_cause(report, cause, {100, false}, words);
  // What is only possible fails nothing.
  if (cause.status == Status::kPossible) return skipped(name, message(finding), words.text());
  return failed(name, type_of(cause), message(finding), words.text());
}

void suite(const Report& report, const std::vector<Case>& cases, support::ByteSink& out) {
  std::size_t failures = 0, skips = 0;
  for (const Case& it : cases) {
    failures += it.failed;
    skips += it.skipped;
  }
  out.write(fmt::format(
      " <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "skipped=\"{}\" time=\"{:.3f}\">\n",
      xml(support::terminal_text(report.path)), cases.size(), failures, skips, report.seconds));
  for (const Case& it : cases) out.write(it.text);
  out.write(" </testsuite>\n");
}

}  // namespace

void render_junit(std::span<const Report> reports, support::ByteSink& out) {
  std::unordered_map<const Report*, std::vector<Case>> cases;
  for (const Finding& finding : findings_of(reports)) {
    for (const Report* report : finding.reports) {
      cases[report].push_back(case_of(finding, *report));
    }
  }
  out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Omnium\">\n");
  for (const Report& report : reports) {
    std::vector<Case>& own = cases[&report];
    const bool sampled = report.run && report.run->passed_over > 0;
    const std::string name =
        fmt::format("classname=\"omnium\" name=\"{}\"",
                    report.predicted ? "no violation predicted"
                    : sampled        ? "no violation in the blocks that were judged"
                                     : "serializable");
    if (without_findings(report)) {
      own.push_back(failed(name, kViolation, message(report), ""));
    }
    if (own.empty()) own.push_back({fmt::format("  <testcase {}/>\n", name)});
    suite(report, own, out);
  }
  out.write("</testsuites>\n");
}

}  // namespace omnium::report
