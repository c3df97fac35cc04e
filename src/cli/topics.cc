// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/topics.h"

#include <regex>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "report/paint.h"
#include "support/text_file.h"

namespace omnium::cli {

extern const std::string_view kTutorialPage, kWhatIsAtomicPage, kFalseAlarmsPage, kPerformancePage,
    kCiPage, kCompilingPage, kServicePage, kHuntingPage, kDebuggingPage;

namespace {

constexpr Topic kTopics[] = {
    {"tutorial", "find and fix a bug in ten minutes", &kTutorialPage},
    {"service", "a realistic program with nine bugs", &kServicePage},
    {"hunting", "when a run shows nothing", &kHuntingPage},
    {"debugging", "in gdb and in editors", &kDebuggingPage},
    {"compiling", "omnium cc and omnium c++ in any build system", &kCompilingPage},
    {"what-is-atomic", "choosing which blocks should be atomic", &kWhatIsAtomicPage},
    {"false-alarms", "is this a false alarm?", &kFalseAlarmsPage},
    {"performance", "too slow, or too many findings", &kPerformancePage},
    {"ci", "Omnium in CTest, GitHub Actions and GitLab", &kCiPage},
};

// Lays out Markdown for a terminal, one paragraph, list item or table row at a time.
class Layout {
 public:
  Layout(std::size_t columns, bool colour) : columns_(columns), paint_(colour) {}

  void add(std::string_view line) {
    static const std::regex item(R"(^( *)([*-]|\d+\.) +)");
    std::cmatch match;
    if (line.starts_with("```")) {
      flush();
      code_ = !code_;
    } else if (code_ || (line.starts_with("    ") && paragraph_.empty())) {
      out_ += line.empty() ? "\n" : fmt::format("{}{}\n", code_ ? "    " : "", line);
    } else if (line.starts_with('#')) {
      flush();
      out_ += paint_.bold(folded(line.substr(line.find_first_not_of("# ")), 0, columns_)) + "\n";
    } else if (line.starts_with('|')) {
      flush();
      row(line);
    } else if (line.empty()) {
      flush();
      headings_.clear();
      out_ += "\n";
    } else if (std::regex_search(line.begin(), line.end(), match, item)) {
      flush();
      indent_ = static_cast<std::size_t>(match.length(0));
      paragraph_ = line;
    } else {
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += paragraph_.empty() ? line : line.substr(line.find_first_not_of(' '));
    }
  }

  std::string take() {
    flush();
    return std::move(out_);
  }

 private:
  // Starts where the line does; later lines are indented.
  std::string laid_out(const std::string& text, std::size_t start, std::size_t indent) const {
    static const std::regex topic(R"(\[[^\]]*\]\(([a-z-]+)\.md[^)]*\))"),
        aside(R"( \(\[[^\]]*\]\([^)]*\)\))"), link(R"(\[([^\]]*)\]\([^)]*\))"),
        strong(R"(\*\*([^*]*)\*\*)");
    std::string plain = std::regex_replace(text.substr(start), topic, "`omnium help $1`");
    for (const auto& [from, to] : {std::pair{&aside, ""}, std::pair{&link, "$1"}}) {
      plain = std::regex_replace(plain, *from, to);
    }
    const std::string words = text.substr(0, start) + folded(plain, indent, columns_) + "\n";
    return std::regex_replace(words, strong, paint_.bold("$1"));
  }

  void flush() {
    if (!paragraph_.empty()) out_ += laid_out(paragraph_, indent_, indent_);
    paragraph_.clear();
    indent_ = 0;
  }

  // Each cell on lines of its own; in tables of more than two columns with its heading.
  void row(std::string_view line) {
    std::vector<std::string> cells;
    for (std::size_t at = 1, end; (end = line.find('|', at)) != std::string_view::npos;
         at = end + 1) {
      cells.emplace_back(support::trimmed(line.substr(at, end - at)));
    }
    if (line.starts_with("|---")) return;
    if (headings_.empty()) {
      headings_ = cells;
      return;
    }
    std::size_t indent = 2;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      const bool named = cells.size() > 2 && i < headings_.size();
      const std::string text = named ? fmt::format("{}: {}", headings_[i], cells[i]) : cells[i];
      out_ += laid_out(std::string(indent, ' ') + text, indent, indent);
      indent = 6;
    }
  }

  std::size_t columns_;
  report::Paint paint_;
  bool code_ = false;
  std::string out_, paragraph_;
  std::size_t indent_ = 0;
  std::vector<std::string> headings_;  // of the table that is being read
};

}  // namespace

std::span<const Topic> all_topics() { return kTopics; }

std::string page_for_terminal(std::string_view markdown, std::size_t columns, bool colour) {
  Layout layout(columns, colour);
  for (const std::string_view line : support::lines_of(markdown)) layout.add(line);
  return layout.take();
}

}  // namespace omnium::cli
