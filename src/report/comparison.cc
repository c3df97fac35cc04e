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
    {"detected at", "detected_at", [](const ComparedEngine& e) { return e.answer->detected_at; }},
    {"instances", "instances",
     [](const ComparedEngine& e) {
       return promised(e.info->instances, e.answer->instances.size());
     }},
    {"transactions", "transactions",
     [](const ComparedEngine& e) {
       return promised(e.info->transactions, e.answer->transactions.size());
     }},
};

constexpr Column kWitnesses[] = {
    {"witnesses", "witnesses",
     [](const ComparedEngine& e) { return promised(e.info->transactions, e.answer->witnesses); }},
    {"by labels", "distinct_witnesses",
     [](const ComparedEngine& e) {
       return promised(e.info->transactions, e.answer->distinct_witnesses);
     }},
    {"by transactions", "distinct_sequences",
     [](const ComparedEngine& e) {
       return promised(e.info->transactions, e.answer->distinct_transactions);
     }},
    {"visited", "visited", measure<Measure::kVisited>},
};

constexpr Column kCosts[] = {
    {"kept", "kept", measure<Measure::kKept>},
    {"skipped", "skipped", measure<Measure::kSkipped>},
    {"made", "nodes_made", measure<Measure::kMade>},
    {"nodes", "nodes", measure<Measure::kNodes>},
    {"edges", "edges", measure<Measure::kEdges>},
};

// Where a violation was detected has no mean.
constexpr std::span<const Column> kMeanColumns[] = {std::span(kAnswers).subspan(1), kWitnesses,
                                                    kCosts};

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

std::string seconds(std::optional<double> value) {
  return value ? fmt::format("{:.4f}", *value) : std::string(kUnknown);
}

// The paper's baseline: all speed-ups are over it.
constexpr std::string_view kBaseline = "velodrome";

std::optional<double> seconds_of_baseline(const Comparison& comparison) {
  for (const ComparedEngine& engine : comparison.engines) {
    if (engine.info->name == kBaseline && engine.answer) return engine.answer->seconds;
  }
  return std::nullopt;
}

std::optional<double> speed_up(const ComparedEngine& engine, std::optional<double> baseline) {
  if (!engine.answer || !baseline || engine.answer->seconds <= 0) return std::nullopt;
  return *baseline / engine.answer->seconds;
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
  std::vector<Row> witnesses{headings({"engine"}, kWitnesses)};
  std::vector<Row> costs{headings({"engine"}, kCosts)};
  std::vector<Row> times{{"engine", "to first", "in all", "speed-up", "events/s", "peak MB"}};
  const auto baseline = seconds_of_baseline(comparison);
  for (const ComparedEngine& engine : comparison.engines) {
    const std::string name(engine.info->name);
    answers.push_back(start_of(engine, kAnswers, {name, verdict(engine)}));
    witnesses.push_back(start_of(engine, kWitnesses, {name}));
    costs.push_back(start_of(engine, kCosts, {name}));
    const auto times_faster = speed_up(engine, baseline);
    times.push_back({name, seconds(engine.answer ? engine.answer->seconds_to_first : std::nullopt),
                     seconds(engine.answer ? std::optional(engine.answer->seconds) : std::nullopt),
                     times_faster ? fmt::format("{:.2f}", *times_faster) : std::string(kUnknown),
                     rate(engine),
                     engine.peak_bytes == 0
                         ? std::string(kUnknown)
                         : fmt::format("{:.1f}", static_cast<double>(engine.peak_bytes) / 1e6)});
  }
  std::string text = support::terminal_text(comparison.path) + ": answers of all engines\n";
  text += table(answers) + "witnesses, distinct ones, transactions visited to find them\n";
  text += table(witnesses) + "dependencies kept and skipped; the graph: nodes made, most nodes\n";
  text += table(costs) + "seconds to the first violation and in all; speed-up over velodrome\n";
  text += table(times);
  for (const std::string& sentence : comparison.disagreements) {
    text += fmt::format("DISAGREEMENT: {}\n", sentence);
  }
  out.write(text);
}

void render_json(const Comparison& comparison, support::ByteSink& out) {
  JsonWriter json;
  const auto baseline = seconds_of_baseline(comparison);
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
  json.key("conflicts");
  json.string(to_string(comparison.mode.conflicts));
  json.key("waits");
  json.string(to_string(comparison.mode.waits));
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
    members(kWitnesses);
    members(kCosts);
    const auto fraction_or_null = [&](std::string_view key, std::optional<double> value) {
      json.key(key);
      value ? json.number(*value) : json.null();
    };
    fraction_or_null("seconds_to_first",
                     engine.answer ? engine.answer->seconds_to_first : std::nullopt);
    fraction_or_null("seconds",
                     engine.answer ? std::optional(engine.answer->seconds) : std::nullopt);
    fraction_or_null("speed_up", speed_up(engine, baseline));
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

void ComparisonMeans::add(const Comparison& comparison) {
  ++traces_;
  const auto baseline = seconds_of_baseline(comparison);
  for (std::size_t i = 0; i < comparison.engines.size(); ++i) {
    const ComparedEngine& engine = comparison.engines[i];
    if (engines_.size() <= i) engines_.push_back({engine.info, {}});
    if (!engine.answer) continue;
    const auto add = [&](std::string_view key, std::optional<double> value) {
      if (!value) return;
      Mean& mean = engines_[i].means[key];
      mean.sum += *value;
      ++mean.count;
    };
    for (const std::span<const Column> columns : kMeanColumns) {
      for (const Column& column : columns) {
        if (const auto value = column.value(engine)) add(column.key, static_cast<double>(*value));
      }
    }
    add("seconds_to_first", engine.answer->seconds_to_first);
    add("seconds", engine.answer->seconds);
    add("speed_up", speed_up(engine, baseline));
  }
}

void render_text(const ComparisonMeans& means, support::ByteSink& out) {
  std::string text = fmt::format("means of {} traces\n", means.traces());
  const auto cell = [](const ComparisonMeans::Engine& engine, std::string_view key, bool is_count) {
    const auto mean = engine.means.find(key);
    const auto value = mean == engine.means.end() ? std::nullopt : mean->second.value();
    if (!value) return std::string(kUnknown);
    if (*value >= 1e5) return rounded(static_cast<std::uint64_t>(*value));
    return is_count ? fmt::format("{:.1f}", *value) : fmt::format("{:.4f}", *value);
  };
  for (const std::span<const Column> columns : kMeanColumns) {
    std::vector<Row> rows{headings({"engine"}, columns)};
    for (const ComparisonMeans::Engine& engine : means.engines()) {
      Row& row = rows.emplace_back(Row{std::string(engine.info->name)});
      for (const Column& column : columns) row.push_back(cell(engine, column.key, true));
    }
    text += table(rows);
  }
  std::vector<Row> times{{"engine", "to first", "in all", "speed-up"}};
  for (const ComparisonMeans::Engine& engine : means.engines()) {
    times.push_back({std::string(engine.info->name), cell(engine, "seconds_to_first", false),
                     cell(engine, "seconds", false), cell(engine, "speed_up", false)});
  }
  out.write(text + table(times));
}

void render_json(const ComparisonMeans& means, support::ByteSink& out) {
  JsonWriter json;
  json.open('{');
  json.key("tool");
  json.string("omnium");
  json.key("version");
  json.string(OMNIUM_VERSION);
  json.key("mean_of");
  json.number(means.traces());
  json.key("engines");
  json.open('[');
  for (const ComparisonMeans::Engine& engine : means.engines()) {
    json.open('{');
    json.key("engine");
    json.string(engine.info->name);
    for (const auto& [key, mean] : engine.means) {
      json.key(key);
      json.number(*mean.value());
    }
    json.close('}');
  }
  json.close(']');
  json.close('}');
  out.write(json.take() + "\n");
}

}  // namespace omnium::report
