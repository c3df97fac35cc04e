// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/topics.h"

#include <regex>

#include <fmt/format.h>

#include "report/paint.h"
#include "support/text_file.h"

namespace omnium::cli {

extern const std::string_view kTutorialPage, kWhatIsAtomicPage, kFalseAlarmsPage, kPerformancePage,
    kCiPage, kCompilingPage;

namespace {

constexpr Topic kTopics[] = {
    {"tutorial", "from nothing to a fixed bug, in ten minutes", &kTutorialPage},
    {"compiling", "omnium cc and omnium c++ in any build system", &kCompilingPage},
    {"what-is-atomic", "choosing what ought to be atomic", &kWhatIsAtomicPage},
    {"false-alarms", "is this a false alarm?", &kFalseAlarmsPage},
    {"performance", "when it is too slow, or too much", &kPerformancePage},
    {"ci", "in CTest, GitHub Actions and GitLab", &kCiPage},
};

}  // namespace

std::span<const Topic> all_topics() { return kTopics; }

std::string page_for_terminal(std::string_view markdown, bool colour) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  static const std::regex strong(R"(\*\*([^*]*)\*\*)");
  const report::Paint paint(colour);
  std::string out;
  bool code = false;
  for (const std::string_view line : support::lines_of(markdown)) {
    if (line.starts_with("```")) {
      code = !code;
    } else if (code) {
      out += line.empty() ? "\n" : fmt::format("    {}\n", line);
    } else if (line.starts_with('#')) {
      out += paint.bold(line.substr(line.find_first_not_of("# "))) + "\n";
    } else {
      const std::string text = std::regex_replace(std::string(line), link, "$1");
      out += std::regex_replace(text, strong, paint.bold("$1")) + "\n";
    }
  }
  return out;
}

}  // namespace omnium::cli
