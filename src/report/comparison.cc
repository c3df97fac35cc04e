// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/comparison.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "report/json_writer.h"
#include "support/display.h"

namespace omnium::report {

namespace {

constexpr std::string_view kUnknown = "-";

// A column of a table: its heading, its key in JSON, and a cell.
struct Column {
  std::string_view heading, key;
  // None where the engine does not say.
  std::optional<std::uint64_t> (*value)(const ComparedEngine& engine);
};

std::optional<std::uint64_t> promised(Promise promise, std::uint64_t value) {
  if (promise == Promise::kNothing) return std::nullopt;
  return value;
}

template <Measure kMeasure>
std::optional<std::uint64_t> measure(const ComparedEngine& engine) {
  return engine.answer->measures[static_cast<std::size_t>(kMeasure)];
}

constexpr Column kAnswers[] = {
    {"instances", "instances",
     [](const ComparedEngine& e) {
       return promised(e.info->instances, e.answer->instances.size());
     }},
    {"transactions", "transactions",
     [](const ComparedEngine& e) {
       return promised(e.info->transactions, e.answer->transactions.size());
     }},
    {"witnesses", "witnesses",
     [](const ComparedEngine& e) { return promised(e.info->transactions, e.answer->witnesses); }},
    {"distinct", "distinct_witnesses",
     [](const ComparedEngine& e) {
       return promised(e.info->transactions, e.answer->distinct_witnesses);
     }},
};

constexpr Column kCosts[] = {
    {"visited", "visited", measure<Measure::kVisited>},
    {"kept", "kept", measure<Measure::kKept>},
    {"skipped", "skipped", measure<Measure::kSkipped>},
    {"nodes", "nodes", measure<Measure::kNodes>},
    {"edges", "edges", measure<Measure::kEdges>},
};

std::string verdict(const ComparedEngine& engine) {
  if (!engine.answer) return support::terminal_text(engine.why_not);
  if (!engine.answer->serializable) return std::string(kUnknown);
  return *engine.answer->serializable ? "yes" : "NO";
}

// 1234567 as 1.2M: the table must fit.
std::string rounded(std::uint64_t value) {
  if (value < 100'000) return fmt::format("{}", value);
  if (value < 10'000'000) return fmt::format("{}K", value / 1000);
  return fmt::format("{}M", value / 1'000'000);
}

std::string rate(const ComparedEngine& engine) {
  if (!engine.answer || engine.answer->seconds <= 0) return std::string(kUnknown);
  const double per_second = static_cast<double>(engine.answer->events) / engine.answer->seconds;
  return per_second >= 1e5 ? fmt::format("{:.1f}M", per_second / 1e6)
                           : fmt::format("{:.0f}", per_second);
}

using Row = std::vector<std::string>;

Row start_of(const ComparedEngine& engine, std::span<const Column> columns, Row row) {
  for (const Column& column : columns) {
    const auto value = engine.answer ? column.value(engine) : std::nullopt;
    row.push_back(value ? rounded(*value) : std::string(kUnknown));
  }
  return row;
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], support::display_width(row[i]));
    }
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

Row headings(Row row, std::span<const Column> columns) {
  for (const Column& column : columns) row.emplace_back(column.heading);
  return row;
}

}  // namespace

void render_text(const Comparison& comparison, support::ByteSink& out) {
  std::vector<Row> answers{headings({"engine", "serializable"}, kAnswers)};
  std::vector<Row> costs{headings({"engine"}, kCosts)};
  costs[0].insert(costs[0].end(), {"events/s", "peak MB"});
  for (const ComparedEngine& engine : comparison.engines) {
    const std::string name(engine.info->name);
    answers.push_back(start_of(engine, kAnswers, {name, verdict(engine)}));
    costs.push_back(start_of(engine, kCosts, {name}));
    costs.back().push_back(rate(engine));
    costs.back().push_back(fmt::format("{:.1f}", static_cast<double>(engine.peak_bytes) / 1e6));
  }
  std::string text = support::terminal_text(comparison.path) + ": answers of all engines\n";
  text += table(answers) +
          "cost: transactions visited, dependencies kept and skipped, size of largest graph\n";
  text += table(costs);
  for (const std::string& sentence : comparison.disagreements) {
    text += fmt::format("DISAGREEMENT: {}\n", sentence);
  }
  out.write(text);
}

void render_json(const Comparison& comparison, support::ByteSink& out) {
  JsonWriter json;
  const auto number_or_null = [&](std::optional<std::uint64_t> value) {
    value ? json.number(*value) : json.null();
  };
  json.open('{');
  json.key("tool");
  json.string("omnium");
  json.key("version");
  json.string(OMNIUM_VERSION);
  json.key("path");
  json.string(comparison.path);
  json.key("engines");
  json.open('[');
  for (const ComparedEngine& engine : comparison.engines) {
    json.open('{');
    json.key("engine");
    json.string(engine.info->name);
    json.key("error");
    engine.answer ? json.null() : json.string(engine.why_not);
    json.key("serializable");
    engine.answer&& engine.answer->serializable ? json.boolean(*engine.answer->serializable)
                                                : json.null();
    const auto members = [&](std::span<const Column> columns) {
      for (const Column& column : columns) {
        json.key(column.key);
        number_or_null(engine.answer ? column.value(engine) : std::nullopt);
      }
    };
    members(kAnswers);
    members(kCosts);
    json.key("seconds");
    engine.answer ? json.number(engine.answer->seconds) : json.null();
    json.key("peak_bytes");
    json.number(engine.peak_bytes);
    json.close('}');
  }
  json.close(']');
  json.key("disagreements");
  json.open('[');
  for (const std::string& sentence : comparison.disagreements) json.string(sentence);
  json.close(']');
  json.close('}');
  out.write(json.take() + "\n");
}

}  // namespace omnium::report
