// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/atomizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/json_writer.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

void AtomizerTable::add(const std::set<std::string>& ran, const std::set<std::string>& violated,
                        const std::set<std::string>& warned) {
  ++traces_;
  for (const std::string& label : ran) {
    Block& block = blocks_[label];
    const bool is_violated = violated.contains(label), is_warned = warned.contains(label);
    ++block.ran;
    block.violated += is_violated;
    block.warned += is_warned;
    block.only_warned += is_warned && !is_violated;
  }
}

void render_text(const AtomizerTable& table, support::ByteSink& out) {
  std::size_t width = std::string_view("block").size();
  std::uint64_t seen = 0, false_alarms = 0, missed = 0;
  for (const auto& [label, block] : table.blocks()) {
    width = std::max(width, support::display_width(support::terminal_text(label)));
    seen += block.seen();
    false_alarms += block.false_alarm();
    missed += block.missed();
  }
  std::string text =
      fmt::format("{}: in how many of them each block\n", count_of(table.traces(), "trace"));
  text += fmt::format("{:<{}}  {:>5}  {:>8}  {:>6}  {:>6}\n", "block", width, "ran", "violated",
                      "warned", "missed");
  for (const auto& [label, block] : table.blocks()) {
    const std::string shown = support::terminal_text(label);
    text += fmt::format("{}{}  {:>5}  {:>8}  {:>6}  {:>6}{}\n", shown,
                        std::string(width - support::display_width(shown), ' '), block.ran,
                        block.violated, block.warned, block.missed(),
                        block.false_alarm() ? "  false alarm" : "");
  }
  text += fmt::format(
      "Reduction warns about {}: {} violated in some trace, {} in none (false alarms there).\n"
      "The exact check gave no false alarm and missed a violated block {}.\n",
      count_of(seen + false_alarms, "block"), seen, false_alarms,
      missed == 1 ? "in 1 trace" : fmt::format("in {} traces", missed));
  out.write(text);
}

void render_json(const AtomizerTable& table, support::ByteSink& out) {
  JsonWriter json;
  const auto number = [&](std::string_view key, std::uint64_t value) {
    json.key(key);
    json.number(value);
  };
  json.open('{');
  json.key("tool");
  json.string("omnium");
  json.key("version");
  json.string(OMNIUM_VERSION);
  number("traces", table.traces());
  json.key("blocks");
  json.open('[');
  for (const auto& [label, block] : table.blocks()) {
    json.open('{');
    json.key("label");
    json.string(label);
    number("ran", block.ran);
    number("violated", block.violated);
    number("warned", block.warned);
    number("missed", block.missed());
    json.key("false_alarm");
    json.boolean(block.false_alarm());
    json.close('}');
  }
  json.close(']');
  json.close('}');
  out.write(json.take() + "\n");
}

}  // namespace omnium::report
