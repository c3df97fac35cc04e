// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <set>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_facts.h"
#include "report/json_writer.h"
#include "report/object_names.h"
#include "report/words.h"
#include "support/display.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

std::string place_of(const LongestTransaction& longest, const Names& names) {
  const std::string_view label = names.labels.name(longest.block.label.v);
  std::string out =
      fmt::format("{} ({})", label.empty() ? "unnamed block" : support::terminal_text(label),
                  support::terminal_text(names.threads.name(longest.block.thread.v)));
  out += fmt::format(", from event {}", longest.block.begin);
  const std::string where = report::place(report::position(longest.location, names));
  if (!where.empty()) out += fmt::format(", {}", where);
  return out;
}

std::string as_text(const std::string& path, const TraceFacts& facts, const Names& names) {
  std::string out = support::terminal_text(path) + "\n";
  const auto line = [&](std::string_view name, auto value) {
    out += fmt::format("  {:<16} {:>14}\n", name, value);
  };
  if (!facts.format.empty()) line("format", facts.format);
  line("events", facts.counts.events);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const auto name = to_string(static_cast<Kind>(kind));
    if (facts.kinds[kind] != 0) line(fmt::format("  {}", name), facts.kinds[kind]);
  }
  line("threads", names.threads.size());
  line("variables", names.variables.size());
  line("locks", names.locks.size());
  line("labels", names.labels.size());
  line("blocks", facts.counts.blocks);
  line("transactions", facts.counts.transactions);
  line("nesting depth", facts.depth);
  line("open at the end", facts.open_blocks);
  if (facts.longest.events != 0) {
    line("longest block", fmt::format("{} events", facts.longest.events));
    out += fmt::format("    {}\n", place_of(facts.longest, names));
  }
  return out;
}

void longest_members(report::JsonWriter& json, const LongestTransaction& longest,
                     const Names& names) {
  json.key("longest");
  if (longest.events == 0) return json.null();
  json.open('{');
  json.key("thread");
  json.string(names.threads.name(longest.block.thread.v));
  json.key("label");
  json.string(names.labels.name(longest.block.label.v));
  json.key("begin");
  json.number(longest.block.begin);
  json.key("events");
  json.number(longest.events);
  json.key("location");
  if (longest.location.is_none()) {
    json.null();
  } else {
    json.string(report::position(longest.location, names));
  }
  json.close('}');
}

std::string as_json(const std::string& path, const TraceFacts& facts, const Names& names) {
  report::JsonWriter json;
  const auto number = [&](std::string_view name, std::uint64_t value) {
    json.key(name);
    json.number(value);
  };
  json.open('{');
  json.key("path");
  json.string(path);
  json.key("format");
  if (facts.format.empty()) {
    json.null();
  } else {
    json.string(facts.format);
  }
  number("events", facts.counts.events);
  json.key("kinds");
  json.open('{');
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    number(to_string(static_cast<Kind>(kind)), facts.kinds[kind]);
  }
  json.close('}');
  number("threads", names.threads.size());
  number("variables", names.variables.size());
  number("locks", names.locks.size());
  number("labels", names.labels.size());
  number("blocks", facts.counts.blocks);
  number("transactions", facts.counts.transactions);
  number("depth", facts.depth);
  number("open_blocks", facts.open_blocks);
  longest_members(json, facts.longest, names);
  json.key("warnings");
  json.open('[');
  for (const std::string& warning : facts.warnings) json.string(warning);
  json.close(']');
  json.close('}');
  return json.take() + "\n";
}

// Sorted; without those that a line cannot hold.
std::string labels_of(const Names& names) {
  std::set<std::string> all;
  for (std::uint32_t i = 0; i < names.labels.size(); ++i) {
    const std::string label(names.labels.name(i));
    if (!label.empty() && support::terminal_text(label) == label) all.insert(label);
  }
  std::string out;
  for (const std::string& label : all) out += label + "\n";
  return out;
}

}  // namespace

int run_info(const Arguments& arguments) {
  std::string format = "text";
  bool labels = false;
  Arguments paths;
  const Manual manual{"info",
                      "Summarize a trace: size, kinds of events, blocks.",
                      "[options] TRACE",
                      "omnium info run.omt",
                      "0 success, 2 usage or input error",
                      {{'f', "format", "NAME", "text (default), json", &format},
                       {'\0', "labels", "", "only the names of its blocks, one per line", &labels}},
                      {"TRACE", 1, 1, &paths},
                      ""};
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = wrong_choice("format", format, choices("info", "format"))) {
    return usage_error(manual, *wrong);
  }
  const auto meter = std::make_shared<Meter>();
  auto source = open_metered(paths[0], meter);
  if (!source) {
    print_error(source.error());
    return kBadInput;
  }
  auto facts = facts_of(**source, paths[0], *meter);
  if (!facts) {
    print_error(facts.error());
    return kBadInput;
  }
  const Names& names = (*source)->names();
  if (labels) {
    print_out(labels_of(names));
    return kNothingFound;
  }
  print_out(format == "json" ? as_json(paths[0], *facts, names) : as_text(paths[0], *facts, names));
  for (const std::string& warning : facts->warnings) print_warning(warning);
  return kNothingFound;
}

}  // namespace omnium::cli
