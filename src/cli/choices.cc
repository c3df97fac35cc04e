// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/choices.h"

#include <algorithm>
#include <array>

#include "cli/command.h"
#include "cli/topics.h"
#include "engines/registry.h"
#include "predict/predict.h"
#include "report/format.h"
#include "support/suggestion.h"
#include "workload/workload.h"

namespace omnium::cli {

namespace {

constexpr std::array<std::string_view, 3> kTwoFormats = {"diff", "info", "refine"};

Words engines() {
  Words out;
  for (const EngineEntry& engine : all_engines()) out.push_back(engine.info.name);
  out.push_back("all");
  return out;
}

Words formats(std::string_view command) {
  if (std::ranges::find(kTwoFormats, command) != kTwoFormats.end()) return {"text", "json"};
  Words out;
  for (const report::Format& format : report::all_formats()) out.push_back(format.name);
  return out;
}

Words methods() {
  Words out;
  for (const predict::Method method : predict::kAllMethods) {
    out.push_back(predict::to_string(method));
  }
  out.push_back("all");
  return out;
}

}  // namespace

Words choices(std::string_view command, std::string_view option) {
  if (option == "engine") return engines();
  if (option == "format") return formats(command);
  if (option == "method") return methods();
  struct Fixed {
    std::string_view option;
    Words words;
  };
  const Fixed fixed[] = {
      {"atomicity", {"conflict", "view"}},
      {"blocks", {"annotated", "functions", "locks", "functions,locks"}},
      {"clock", {"virtual", "real"}},
      {"color", {"auto", "always", "never"}},
      {"conflicts", {"data", "all"}},
      {"for", {"check"}},
      {"profile", {"naive", "paper"}},
      {"to", {"std", "csv", "omt"}},
      {"waits", {"split", "keep"}},
      {"way", {"steer", "pause", "noise", "serial", "all"}},
  };
  const auto* at = std::ranges::find(fixed, option, &Fixed::option);
  return at == std::end(fixed) ? Words{} : at->words;
}

Words argument_choices(std::string_view command) {
  if (command == "help") return help_words();
  Words out;
  if (command == "generate") {
    for (const WorkloadFamily& family : workload_families()) out.push_back(family.name);
  }
  return out;
}

Words help_words() {
  Words out;
  for (const Command& command : all_commands()) {
    if (!command.summary.empty()) out.push_back(command.name);
  }
  for (const Topic& topic : all_topics()) out.push_back(topic.name);
  return out;
}

std::optional<std::string> wrong_choice(std::string_view what, std::string_view word,
                                        const Words& known) {
  if (std::ranges::find(known, word) != known.end()) return std::nullopt;
  return support::unknown(what, word, known);
}

}  // namespace omnium::cli
