// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include "report/json_writer.h"

namespace omnium::report {

namespace {

constexpr std::size_t kFlushBytes = 1 << 16;

void member(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.string(value);
}

void member(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.key(name);
  json.number(value);
}

// null for what is not known.
void event_member(JsonWriter& json, std::string_view name, EventIndex index) {
  json.key(name);
  if (index == kNoEvent) {
    json.null();
  } else {
    json.number(index);
  }
}

void location_member(JsonWriter& json, std::string_view name, std::string_view location) {
  json.key(name);
  if (location.empty()) {
    json.null();
  } else {
    json.string(location);
  }
}

void label_member(JsonWriter& json, const Block& block) {
  json.key("label");
  if (block.label) {
    json.string(*block.label);
  } else {
    json.null();
  }
}

void block_members(JsonWriter& json, const Block& block) {
  member(json, "thread", block.thread);
  label_member(json, block);
  event_member(json, "begin", block.begin);
}

void blocks(JsonWriter& json, const std::vector<Block>& list) {
  json.open('[');
  for (const Block& block : list) {
    json.open('{');
    block_members(json, block);
    json.close('}');
  }
  json.close(']');
}

void witness(JsonWriter& json, const std::vector<Step>& steps) {
  json.key("witness");
  if (steps.empty()) return json.null();
  json.open('[');
  for (const Step& step : steps) {
    json.open('{');
    json.key("from");
    json.open('{');
    block_members(json, step.from);
    json.close('}');
    json.key("to");
    json.open('{');
    block_members(json, step.to);
    json.close('}');
    event_member(json, "source_event", step.source);
    event_member(json, "sink_event", step.sink);
    member(json, "kind", to_string(step.kind));
    member(json, "object", step.object);
    json.close('}');
  }
  json.close(']');
}

void transaction(JsonWriter& json, const Violation& violation) {
  json.key("transaction");
  json.open('{');
  block_members(json, violation.transaction);
  event_member(json, "end", violation.end);
  json.close('}');
}

void closing(JsonWriter& json, const Violation& violation) {
  event_member(json, "event", violation.event);
  event_member(json, "source", violation.source);
  json.key("kind");
  if (violation.event == kNoEvent) {
    json.null();
    json.key("object");
    json.null();
    return;
  }
  json.string(to_string(violation.kind));
  member(json, "object", violation.object);
}

void entry(JsonWriter& json, const Violation& violation, const Cause& cause, bool knows_blocks) {
  json.open('{');
  member(json, "id", cause.id);
  transaction(json, violation);
  closing(json, violation);
  json.key("locations");
  json.open('{');
  location_member(json, "begin", violation.begin_location);
  location_member(json, "source", violation.source_location);
  location_member(json, "event", violation.event_location);
  json.close('}');
  json.key("refuted");
  if (knows_blocks) {
    json.open('[');
    for (const Block& block : violation.refuted) {
      json.open('{');
      label_member(json, block);
      event_member(json, "begin", block.begin);
      json.close('}');
    }
    json.close(']');
  } else {
    json.null();
  }
  json.key("blamed");
  json.boolean(violation.blamed);
  location_member(json, "pattern", cause.pattern);
  witness(json, violation.witness);
  json.close('}');
}

// A running program: what nobody counts is null.
void counts_of_run(JsonWriter& json, const RunCounts& run) {
  event_member(json, "events", kNoEvent);
  member(json, "threads", run.threads);
  event_member(json, "variables", kNoEvent);
  event_member(json, "locks", kNoEvent);
  member(json, "blocks", run.blocks);
  event_member(json, "transactions", kNoEvent);
}

void trace(JsonWriter& json, const Report& report) {
  json.key("trace");
  json.open('{');
  member(json, "path", report.path);
  if (report.run) {
    counts_of_run(json, *report.run);
    return json.close('}');
  }
  member(json, "events", report.counts.events);
  member(json, "threads", report.extent.threads);
  member(json, "variables", report.extent.variables);
  member(json, "locks", report.extent.locks);
  member(json, "blocks", report.counts.blocks);
  member(json, "transactions", report.counts.transactions);
  json.close('}');
}

void totals(JsonWriter& json, const Report& report) {
  json.key("instances");
  if (report.engine->instances == Promise::kNothing) {
    json.null();
  } else {
    json.number(report.instances);
  }
  json.key("refuted");
  if (report.engine->blocks == Promise::kNothing) {
    json.null();
  } else {
    blocks(json, report.refuted);
  }
  json.key("cycle");
  if (report.cycle.empty()) {
    json.null();
  } else {
    blocks(json, report.cycle);
  }
  if (report.with_stats) {
    json.key("stats");
    json.open('{');
    for (const Counter& counter : report.stats) member(json, counter.name, counter.value);
    json.close('}');
  }
  json.key("seconds");
  json.number(report.seconds);
  member(json, "peak_bytes", report.peak_bytes);
}

}  // namespace

void render_json(const Report& report, support::ByteSink& out) {
  JsonWriter json;
  json.open('{');
  member(json, "tool", "omnium");
  member(json, "version", OMNIUM_VERSION);
  trace(json, report);
  member(json, "engine", report.engine->name);
  json.key("serializable");
  if (report.serializable) {
    json.boolean(*report.serializable);
  } else {
    json.null();
  }
  json.key("violations");
  json.open('[');
  const bool knows_blocks = report.engine->blocks != Promise::kNothing;
  for (const Violation& violation : report.violations) {
    entry(json, violation, report.causes[violation.cause], knows_blocks);
    if (json.size() >= kFlushBytes) out.write(json.take());
  }
  json.close(']');
  totals(json, report);
  json.close('}');
  out.write(json.take());
  out.write("\n");
}

}  // namespace omnium::report
