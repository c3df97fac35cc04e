// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/github.h"

#include <map>

#include <fmt/format.h>

#include "report/findings.h"
#include "report/location.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

// GitHub shows no more of each kind for a step.
constexpr std::size_t kMostOfAKind = 10;

// Values of properties also end at : and ,
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}
std::string in_message(std::string_view text) { return escaped(text, "%\r\n"); }
std::string in_property(std::string_view text) { return escaped(text, "%\r\n:,"); }

// What did not happen is no error, nor is what is probably harmless.
std::string_view command(const Cause& cause) {
  if (is_noise(cause) || follows(cause)) return "notice";
  switch (cause.status) {
    case Status::kSeen: return "error";
    case Status::kCertain: return "warning";
    case Status::kPossible: return "notice";
  }
  return "error";
}

std::string annotation(const Finding& finding, std::string_view source_root) {
  const Cause& cause = *finding.cause;
  const Location at =
      parse_location(cause.event_location.empty() ? cause.block_location : cause.event_location);
  std::string out = fmt::format("::{} ", command(cause));
  if (!at.file.empty()) {
    const std::string file = support::terminal_text(relative_to(source_root, at.file));
    out += fmt::format("file={},line={},", in_property(file), at.line);
    if (at.column != 0) out += fmt::format("col={},", at.column);
  }
  const std::string id = support::terminal_text(cause.id), what = headline(cause);
  const std::string could = is_predicted(cause.status) ? " could happen" : "";
  out += fmt::format("title={}", in_property(fmt::format("Omnium {}{}{}{}", id, could,
                                                         what.empty() ? "" : ": ", what)));
  std::string words = message(finding);
  for (const Sentence& sentence : cause.picture.sentences) {
    words +=
        fmt::format("\n{}: {}", claim(sentence, cause.status), evidence(sentence, cause.status));
  }
  if (is_failure(cause)) {
    for (const std::string& wait : lock_waits(*cause.failure)) words += "\n" + wait;
    for (const std::string& remark : remarks(cause)) words += "\n" + remark;
  }
  return fmt::format("{}::{}\n", out, in_message(words));
}

}  // namespace

void render_github(std::span<const Report> reports, std::string_view source_root,
                   support::ByteSink& out) {
  std::map<std::string_view, std::size_t> told;
  std::size_t left = 0;
  for (const Finding& finding : findings_of(reports)) {
    if (!finding.cause->marks.news()) continue;
    if (told[command(*finding.cause)]++ < kMostOfAKind) {
      out.write(annotation(finding, source_root));
    } else {
      ++left;
    }
  }
  if (left > 0) {
    out.write(
        fmt::format("::notice title=Omnium::{} not annotated; for all of them: -f markdown "
                    ">> \"$GITHUB_STEP_SUMMARY\"\n",
                    count_of(left, "further finding")));
  }
  for (const Report& report : reports) {
    if (!without_findings(report)) continue;
    out.write(fmt::format("::error title=Omnium::{}\n", in_message(message(report))));
  }
}

}  // namespace omnium::report
