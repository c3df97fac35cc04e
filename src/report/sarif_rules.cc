// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sarif_rules.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace omnium::report {

namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  std::string_view id;
  std::string_view section;  // of docs/formats/patterns.md
  std::string_view sentence;
};

constexpr std::string_view kOne = "one-variable-x", kTwo = "two-variables-x-and-y",
                           kNone = "no-variables";
constexpr std::string_view kFailed = "failures-of-the-program";
constexpr Rule kRules[] = {
    {"crash", kFailed, "A signal ended the program in one of its interleavings."},
    {"failed-assertion", kFailed, "An assertion failed in one of the program's interleavings."},
    {"exit-status", kFailed,
     "The program ended with an exit status that not all of its interleavings have."},
    {"deadlock", kFailed, "All threads of the program wait for each other, and none can go on."},
    {"hang", kFailed, "The program did not end, although other runs of it do."},
    {"use-after-free", kFailed, "A thread used memory that had been freed."},
    {"double-free", kFailed, "A thread freed memory that had been freed before."},
    {"lost-update", kOne,
     "A block reads a variable and later writes it; another transaction writes it in between, and "
     "its update is lost."},
    {"unrepeatable-read", kOne,
     "A block reads a variable twice, and another transaction writes it in between: the two values "
     "can differ."},
    {"dirty-read", kOne,
     "Another transaction reads a value that a block wrote and then replaced: it sees an "
     "intermediate state."},
    {"overwritten-write", kOne,
     "A block reads back a variable that it wrote, and another transaction has written it in "
     "between."},
    {"dirty-write", kOne,
     "Another transaction writes a variable between two writes of a block to it."},
    {"read-skew", kTwo,
     "A block reads one variable from before another transaction and a second one from after it."},
    {"write-skew", kTwo,
     "Each of two transactions reads what the other is about to change, and both go on with old "
     "values."},
    {"stale-check", kTwo,
     "A block checks one variable and acts on another; another transaction changes both in "
     "between."},
    {"torn-update", kTwo,
     "Another transaction comes between the two halves of an update of two variables."},
    {"broken-hand-over", kTwo,
     "A block hands a variable to another transaction and reads the answer: the two cannot run one "
     "after the other."},
    {"split-critical-section", kNone,
     "A block releases a lock and takes it again; another thread holds the lock in between."},
    {"fork-and-join", kNone, "A block starts a thread and waits for it, so it cannot run alone."},
    {"cycle", kNone,
     "Several transactions depend on each other in a circle: they have no serial order."},
    {"atomicity-violation", "patterns-what-kind-of-violation-it-is",
     "A block was not atomic: another transaction interfered."},
    {kNotSerializableRule, "patterns-what-kind-of-violation-it-is",
     "These transactions have no serial order, although no single block is to blame."},
};

// "lost-update" -> "LostUpdate"
std::string camel_case(std::string_view id) {
  std::string out;
  bool start = true;
  for (const char c : id) {
    if (c != '-') out += start ? static_cast<char>(std::toupper(c)) : c;
    start = c == '-';
  }
  return out;
}

std::string words_of(std::string_view id) {
  std::string out(id);
  std::ranges::replace(out, '-', ' ');
  return out;
}

std::string in_short(std::string_view id, const Rule& rule) {
  if (id == kNotSerializableRule) return "These transactions have no serial order.";
  if (rule.section == kFailed) return fmt::format("The program fails: {}.", words_of(id));
  return fmt::format("A block is not atomic: {}.", words_of(id));
}

constexpr std::string_view kWhatToDo =
    "The block was declared atomic, but no order of whole transactions explains what it and the "
    "others did. Hold one lock from the access that opens the window to the one that closes it. "
    "If the block need not be atomic, say so in a specification (not-atomic NAME); if the finding "
    "is known, add a line to a suppression file (suppress ID because REASON).";

constexpr std::string_view kWhatToDoIfItFailed =
    "The program failed in an interleaving that `omnium hunt` made happen. The message of the "
    "result says how to run that again (omnium replay FILE, with --gdb in the debugger). If the "
    "failure is known, add a line to a suppression file (suppress ID because REASON).";

}  // namespace

std::string rule_of_pattern(std::string_view pattern) {
  if (pattern.empty()) return "atomicity-violation";
  if (pattern.starts_with("cycle of ")) return "cycle";
  std::string rule(pattern);
  for (char& c : rule) {
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) c = '-';
  }
  return rule;
}

Json sarif_rule(const std::string& id, std::string_view homepage) {
  const Rule* rule = std::ranges::find(kRules, std::string_view(id), &Rule::id);
  // A stored result of another version may have a pattern that this one does not know.
  if (rule == std::end(kRules)) rule = std::ranges::find(kRules, "atomicity-violation", &Rule::id);
  const std::string page = fmt::format("docs/formats/patterns.md#{}", rule->section);
  const std::string link = homepage.empty() ? "" : fmt::format("{}/{}", homepage, page);
  Json out{{"id", id},
           {"name", camel_case(id)},
           {"shortDescription", {{"text", in_short(id, *rule)}}},
           {"fullDescription", {{"text", rule->sentence}}}};
  if (!link.empty()) out["helpUri"] = link;
  const std::string see = link.empty() ? page : link;
  const bool failed = rule->section == kFailed;
  const std::string_view advice = failed ? kWhatToDoIfItFailed : kWhatToDo;
  out["help"] = {
      {"text", fmt::format("{}\n\n{}\n\nMore: {}", rule->sentence, advice, see)},
      {"markdown", fmt::format("**{}**: {}\n\n{}\n\nMore: {}", words_of(id), rule->sentence, advice,
                               link.empty() ? "`" + page + "`" : link)}};
  out["defaultConfiguration"] = {{"level", "error"}};
  out["properties"] = {
      {"tags", Json::array({failed ? "failure" : "atomicity", "concurrency", "correctness"})},
      {"precision", "very-high"},
      {"problem.severity", "error"}};
  return out;
}

}  // namespace omnium::report
