// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/markdown.h"

#include <fmt/format.h>

#include "report/findings.h"
#include "report/location.h"
#include "report/text.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

// A summary of GitHub may have a mebibyte; a table row is short, a text report is not.
constexpr std::size_t kMostRows = 500, kMostTexts = 50;

// Names are not trusted: nothing in them is Markdown or HTML.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#>@").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// A fence that nothing in the text closes.
std::string fence_of(std::string_view text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string_view word_of(const Cause& cause) {
  if (is_noise(cause)) return "probably harmless";
  if (is_failure(cause)) return "failed";
  switch (cause.status) {
    case Status::kSeen: return "seen";
    case Status::kCertain: return "could happen (certain)";
    case Status::kPossible: return "could happen (possible)";
  }
  return "";
}

std::string row(const Finding& finding, std::string_view source_root) {
  const Cause& cause = *finding.cause;
  const Location at =
      parse_location(cause.event_location.empty() ? cause.block_location : cause.event_location);
  const std::string where =
      at.file.empty()
          ? ""
          : fmt::format("{}:{}", support::terminal_text(relative_to(source_root, at.file)),
                        at.line);
  const bool seen = !is_predicted(cause.status) && finding.count > 0;
  return fmt::format("| {} | {} | {} | {}{} |\n", plain(support::terminal_text(cause.id)),
                     plain(message(finding)), plain(where), word_of(cause),
                     seen ? ", " + times(finding.count) : "");
}

std::string folded_text(const Finding& finding) {
  const Cause& cause = *finding.cause;
  support::StringSink words;
  render_cause(*finding.reports.front(), cause, {100, false}, words);
  const std::string fence = fence_of(words.text());
  const std::string what = headline(cause);
  return fmt::format("\n<details><summary>{}{}{}</summary>\n\n{}text\n{}{}\n\n</details>\n",
                     plain(support::terminal_text(cause.id)), what.empty() ? "" : " ", plain(what),
                     fence, words.text(), fence);
}

struct Counted {
  std::vector<Finding> news;
  std::size_t known = 0;
};

Counted counted(std::span<const Report> reports) {
  Counted out;
  for (Finding& finding : findings_of(reports)) {
    if (finding.cause->marks.news()) {
      out.news.push_back(std::move(finding));
    } else {
      ++out.known;
    }
  }
  return out;
}

// What was looked at, and what is not told in the table.
std::string notes(std::span<const Report> reports, const Counted& all) {
  std::string out;
  for (const Report& report : reports) {
    if (without_findings(report)) out += fmt::format("\n* {}\n", plain(message(report)));
    if (report.stopped) {
      out += fmt::format("\n* {}: stopped, the rest was not checked\n",
                         plain(support::terminal_text(report.path)));
    }
  }
  if (all.known > 0) {
    out += fmt::format("\n{} suppressed or in the baseline.\n", count_of(all.known, "finding"));
  }
  if (all.news.size() > kMostRows) {
    out +=
        fmt::format("\n{} not listed.\n", count_of(all.news.size() - kMostRows, "further finding"));
  }
  return out;
}

}  // namespace

void render_markdown(std::span<const Report> reports, std::string_view source_root,
                     support::ByteSink& out) {
  const Counted all = counted(reports);
  const std::string title =
      all.news.empty() ? "no new findings" : count_of(all.news.size(), "finding");
  const std::string_view noun = !reports.empty() && reports[0].run ? "run" : "trace";
  out.write(fmt::format("## Omnium: {}\n\n{} checked.\n", title, count_of(reports.size(), noun)));
  if (!all.news.empty()) out.write("\n| id | what | where | |\n|---|---|---|---|\n");
  for (std::size_t i = 0; i < all.news.size() && i < kMostRows; ++i) {
    out.write(row(all.news[i], source_root));
  }
  out.write(notes(reports, all));
  for (std::size_t i = 0; i < all.news.size() && i < kMostTexts; ++i) {
    out.write(folded_text(all.news[i]));
  }
}

}  // namespace omnium::report
