// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/model_json.h"

#include "report/json.h"
#include "report/json_writer.h"
#include "report/object_names.h"

namespace omnium::report {

namespace {

using model::Answer;

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::kSerializable: return "serializable";
    case Answer::kNotSerializable: return "not-serializable";
    case Answer::kUnknown: return "unknown";
    case Answer::kBadModel: return "bad-model";
  }
  return {};
}

void member(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.string(value);
}

void member(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.key(name);
  json.number(value);
}

void run(JsonWriter& json, const MemoryTrace* trace) {
  if (trace == nullptr) return json.null();
  json.open('[');
  for (const Event& event : trace->events) {
    json.open('{');
    member(json, "thread", trace->names.threads.name(event.thread_id));
    member(json, "operation", to_string(event.kind));
    member(json, "object", object_name(event, trace->names));
    member(json, "location", position(event.loc(), trace->names));
    json.close('}');
  }
  json.close(']');
}

void fault(JsonWriter& json, const model::Fault& fault) {
  if (!fault) return json.null();
  json.open('{');
  member(json, "line", std::uint64_t{fault.at.line});
  member(json, "column", std::uint64_t{fault.at.column});
  member(json, "message", fault.message());
  json.close('}');
}

void deadlock(JsonWriter& json, const ModelReport& report) {
  if (report.deadlock == nullptr) return json.null();
  json.open('{');
  json.key("waiting");
  json.open('[');
  for (const std::uint32_t t : report.outcome->stuck) json.string(report.model->threads[t].name);
  json.close(']');
  json.key("run");
  run(json, report.deadlock);
  json.close('}');
}

}  // namespace

void render_model_json(const ModelReport& report, support::ByteSink& out) {
  const model::Outcome& outcome = *report.outcome;
  JsonWriter json;
  json.open('{');
  member(json, "tool", "omnium");
  member(json, "version", OMNIUM_VERSION);
  member(json, "model", report.path);
  member(json, "answer", name_of(outcome.answer));
  member(json, "conflicts", to_string(report.mode.conflicts));
  member(json, "waits", to_string(report.mode.waits));
  json.key("shortest");
  json.boolean(outcome.shortest);
  member(json, "states", outcome.states);
  member(json, "transitions", outcome.transitions);
  member(json, "depth", outcome.depth);
  member(json, "state_bytes", outcome.state_bytes);
  member(json, "memory_bytes", outcome.memory);
  json.key("seconds");
  json.number(outcome.seconds);
  json.key("error");
  fault(json, outcome.fault);
  json.key("deadlock");
  deadlock(json, report);
  json.key("run");
  run(json, report.run);
  json.key("finding");
  if (report.finding) {
    json.raw(json_line(*report.finding));
  } else {
    json.null();
  }
  json.close('}');
  out.write(json.take() + "\n");
}

}  // namespace omnium::report
