// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include "report/json_writer.h"
#include "report/words.h"

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

void block_member(JsonWriter& json, std::string_view name, const Block& block) {
  json.key(name);
  json.open('{');
  block_members(json, block);
  json.close('}');
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

// Absent where nothing is known.
void known_member(JsonWriter& json, std::string_view name, std::string_view value) {
  if (!value.empty()) member(json, name, value);
}

void known_blocks(JsonWriter& json, std::string_view name, const std::vector<Block>& list) {
  if (list.empty()) return;
  json.key(name);
  blocks(json, list);
}

void witness(JsonWriter& json, const std::vector<Step>& steps) {
  json.key("witness");
  if (steps.empty()) return json.null();
  json.open('[');
  for (const Step& step : steps) {
    json.open('{');
    block_member(json, "from", step.from);
    block_member(json, "to", step.to);
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

// The thread of a row is that of its column.
void event_members(JsonWriter& json, const EventView& event, bool with_thread) {
  event_member(json, "event", event.index);
  if (with_thread) member(json, "thread", event.thread);
  if (event.kind != Kind::kSkip) {
    member(json, "operation", to_string(event.kind));
    member(json, "object", event.object);
  }
  known_member(json, "location", event.location);
}

void sentence(JsonWriter& json, const Sentence& sentence) {
  json.open('{');
  block_member(json, "from", sentence.from);
  block_member(json, "to", sentence.to);
  json.key("first");
  json.open('{');
  event_members(json, sentence.first, true);
  json.close('}');
  json.key("second");
  json.open('{');
  event_members(json, sentence.second, true);
  json.close('}');
  json.key("same_object");
  json.boolean(sentence.same_object);
  json.close('}');
}

void row(JsonWriter& json, const Row& row) {
  json.open('{');
  member(json, "column", row.column);
  event_members(json, row.event, false);
  if (row.mark != Row::Mark::kNone) {
    member(json, "mark", row.mark == Row::Mark::kOpens ? "opens" : "closes");
  }
  if (row.skipped != 0) member(json, "skipped", row.skipped);
  json.close('}');
}

void picture(JsonWriter& json, std::string_view name, const Picture& picture) {
  if (picture.sentences.empty()) return;
  json.key(name);
  json.open('{');
  json.key("sentences");
  json.open('[');
  for (const Sentence& it : picture.sentences) sentence(json, it);
  json.close(']');
  json.key("columns");
  json.open('[');
  for (const Column& column : picture.columns) {
    json.open('{');
    member(json, "thread", column.thread);
    if (column.label) member(json, "label", *column.label);
    json.close('}');
  }
  json.close(']');
  json.key("rows");
  json.open('[');
  for (const Row& it : picture.rows) row(json, it);
  json.close(']');
  if (picture.held) member(json, "held_lock", *picture.held);
  if (!picture.in_order) {
    json.key("in_order");
    json.boolean(false);
  }
  if (!picture.given_up_at.empty()) member(json, "given_up_at", picture.given_up_at);
  if (!picture.taken_again_at.empty()) member(json, "taken_again_at", picture.taken_again_at);
  json.close('}');
}

void stack(JsonWriter& json, const std::vector<StackFrame>& frames) {
  if (frames.empty()) return;
  json.key("stack");
  json.open('[');
  for (const StackFrame& frame : frames) {
    json.open('{');
    member(json, "function", frame.function);
    known_member(json, "location", frame.location);
    json.close('}');
  }
  json.close(']');
}

// Pairs, because there can be millions of them.
void seen_in(JsonWriter& json, const std::vector<SeenIn>& list) {
  if (list.empty()) return;
  json.key("seen_in");
  json.open('[');
  for (const SeenIn& it : list) {
    json.open('[');
    json.number(std::uint64_t{it.run});
    json.number(it.count);
    json.close(']');
  }
  json.close(']');
}

void variants(JsonWriter& json, const std::vector<Variant>& variants) {
  if (variants.size() < 2) return;
  json.key("variants");
  json.open('[');
  for (const Variant& variant : variants) {
    json.open('{');
    known_member(json, "pattern", variant.pattern);
    json.key("partners");
    json.open('[');
    for (const auto& partner : variant.partners) {
      if (partner) {
        json.string(*partner);
      } else {
        json.null();
      }
    }
    json.close(']');
    member(json, "count", variant.count);
    seen_in(json, variant.seen_in);
    json.close('}');
  }
  json.close(']');
}

void sentences(JsonWriter& json, std::string_view name, const std::vector<std::string>& list) {
  json.key(name);
  json.open('[');
  for (const std::string& it : list) json.string(it);
  json.close(']');
}

void failure(JsonWriter& json, const Failure& failure) {
  json.key("failure");
  json.open('{');
  member(json, "what", failure.what);
  known_member(json, "freed", failure.freed);
  if (!failure.waits.empty()) {
    json.key("waits");
    json.open('[');
    for (const LockWait& wait : failure.waits) {
      json.open('{');
      member(json, "thread", wait.thread);
      member(json, "lock", wait.lock);
      member(json, "held_by", wait.held_by);
      json.close('}');
    }
    json.close(']');
  }
  if (!failure.output.empty()) sentences(json, "output", failure.output);
  json.close('}');
}

void cause(JsonWriter& json, const Cause& cause) {
  json.open('{');
  member(json, "id", cause.id);
  known_member(json, "pattern", cause.pattern);
  json.key("objects");
  json.open('[');
  for (const std::string_view object : cause.objects) json.string(object);
  json.close(']');
  block_member(json, "block", cause.block);
  known_blocks(json, "outer", cause.outer);
  known_blocks(json, "partners", cause.partners);
  member(json, "count", cause.count);
  seen_in(json, cause.seen_in);
  if (!cause.seen_in.empty()) member(json, "shown_in", std::uint64_t{cause.shown_in});
  variants(json, cause.variants);
  json.key("blamed");
  json.boolean(cause.blamed);
  if (!cause.explained) {
    json.key("explained");
    json.boolean(false);
  }
  if (is_predicted(cause.status)) member(json, "status", to_string(cause.status));
  if (is_noise(cause)) member(json, "looks_like", to_string(cause.noise));
  known_member(json, "follows_from", cause.follows_from);
  if (!cause.other_functions.empty()) {
    json.key("other_functions");
    json.open('[');
    for (const std::string_view function : cause.other_functions) json.string(function);
    json.close(']');
  }
  known_member(json, "own_lock", cause.own_lock);
  if (cause.changed_read) {
    json.key("changed_read");
    json.open('{');
    event_members(json, *cause.changed_read, true);
    json.close('}');
  }
  json.key("locations");
  json.open('{');
  known_member(json, "block", cause.block_location);
  known_member(json, "waited", cause.waited_location);
  known_member(json, "event", cause.event_location);
  json.close('}');
  picture(json, "picture", cause.picture);
  if (cause.failure) failure(json, *cause.failure);
  known_member(json, "found_by", cause.found_by);
  if (const auto list = remarks(cause); !list.empty()) sentences(json, "remarks", list);
  known_member(json, "rule", specification_line(cause));
  stack(json, cause.stack);
  if (cause.marks.suppressed) member(json, "suppressed", *cause.marks.suppressed);
  if (cause.marks.known) {
    json.key("known");
    json.boolean(*cause.marks.known);
  }
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
  member(json, "lock_operations", run.lock_operations);
  member(json, "atomic_operations", run.atomic_operations);
  if (run.passed_over > 0) member(json, "passed_over", run.passed_over);
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

// Absent where all blocks are judged.
void sample(JsonWriter& json, const std::optional<Sample>& sample) {
  if (!sample) return;
  json.key("sample");
  json.open('{');
  json.key("percent");
  json.number(sample->millionths / 1e4);
  member(json, "seed", sample->seed);
  json.close('}');
}

// Absent where the engine does not judge blocks.
void runs(JsonWriter& json, const std::vector<Runs>& list) {
  if (list.empty()) return;
  json.key("runs");
  json.open('[');
  for (const Runs& it : list) {
    json.open('{');
    member(json, "label", it.label);
    member(json, "count", it.count);
    member(json, "refuted", it.refuted);
    json.close('}');
  }
  json.close(']');
}

void predicted(JsonWriter& json, const Predicted& whole) {
  json.key("predicted");
  json.open('{');
  json.key("atomic");
  json.boolean(whole.atomic);
  sentences(json, "remarks", whole.remarks);
  json.close('}');
}

void verdict(JsonWriter& json, const Report& report) {
  if (report.predicted) predicted(json, *report.predicted);
  json.key("serializable");
  if (report.serializable) {
    json.boolean(*report.serializable);
  } else {
    json.null();
  }
}

void counted(JsonWriter& json, const Report& report) {
  json.key("instances");
  if (report.engine->instances == Promise::kNothing) {
    json.null();
  } else {
    json.number(report.instances);
  }
  if (report.undescribed != 0) member(json, "undescribed", report.undescribed);
}

void blocks_that_ran(JsonWriter& json, const Report& report) {
  runs(json, report.runs);
  if (report.through_silent_locks > 0) {
    member(json, "through_silent_locks", report.through_silent_locks);
  }
}

void effort(JsonWriter& json, const Report& report) {
  json.key("seconds");
  json.number(report.seconds);
  member(json, "peak_bytes", report.peak_bytes);
}

void stopped(JsonWriter& json) {
  json.key("stopped");
  json.boolean(true);
}

// A run of a merged report.
void part(JsonWriter& json, const Report& part) {
  json.open('{');
  known_member(json, "run_id", part.run_id);
  trace(json, part);
  sample(json, part.sample);
  verdict(json, part);
  counted(json, part);
  blocks_that_ran(json, part);
  if (part.stopped) stopped(json);
  effort(json, part);
  json.close('}');
}

void parts(JsonWriter& json, const Report& report, support::ByteSink& out) {
  if (report.merged.empty()) return;
  json.key("merged");
  json.open('[');
  for (const Report& it : report.merged) {
    part(json, it);
    if (json.size() >= kFlushBytes) out.write(json.take());
  }
  json.close(']');
}

void totals(JsonWriter& json, const Report& report, JsonDetail detail) {
  counted(json, report);
  if (detail == JsonDetail::kAll) {
    json.key("refuted");
    if (report.engine->blocks == Promise::kNothing || !report.merged.empty()) {
      json.null();
    } else {
      blocks(json, report.refuted);
    }
  }
  blocks_that_ran(json, report);
  json.key("cycle");
  if (report.cycle.empty()) {
    json.null();
  } else {
    blocks(json, report.cycle);
  }
  if (report.cycle_cause) {
    json.key("cycle_cause");
    cause(json, *report.cycle_cause);
  }
  if (!report.read_again) {
    json.key("read_again");
    json.boolean(false);
  }
  if (report.stopped) stopped(json);
  if (report.with_stats) {
    json.key("stats");
    json.open('{');
    for (const Counter& counter : report.stats) member(json, counter.name, counter.value);
    json.close('}');
  }
  effort(json, report);
}

}  // namespace

JsonStream::JsonStream(const Report& report, support::ByteSink& out, JsonDetail detail)
    : report_(report), out_(out), detail_(detail) {
  json_.open('{');
  member(json_, "tool", "omnium");
  member(json_, "version", OMNIUM_VERSION);
  known_member(json_, "run_id", report.run_id);
  trace(json_, report);
  member(json_, "engine", report.engine->name);
  member(json_, "conflicts", to_string(report.mode.conflicts));
  member(json_, "waits", to_string(report.mode.waits));
  sample(json_, report.sample);
  verdict(json_, report);
  if (!report.predicted && !report.run) {
    json_.key("detected_at");
    report.detected_at ? json_.number(*report.detected_at) : json_.null();
  }
  if (report.only_first) {
    json_.key("only_first");
    json_.boolean(true);
  }
  parts(json_, report, out_);
  if (detail_ != JsonDetail::kAll) return;
  json_.key("violations");
  json_.open('[');
}

void JsonStream::flush() {
  if (json_.size() >= kFlushBytes) out_.write(json_.take());
}

void JsonStream::violation(const Violation& violation, const Cause& cause) {
  entry(json_, violation, cause, report_.engine->blocks != Promise::kNothing);
  flush();
}

void JsonStream::violation(std::string_view text) {
  json_.raw(text);
  flush();
}

void JsonStream::begin_causes() {
  if (detail_ == JsonDetail::kAll) json_.close(']');
  json_.key("causes");
  json_.open('[');
}

void JsonStream::cause(const Cause& cause) {
  report::cause(json_, cause);
  flush();
}

void JsonStream::finish() {
  json_.close(']');
  totals(json_, report_, detail_);
  json_.close('}');
  out_.write(json_.take());
  out_.write("\n");
}

std::string json_line(const Report& report) {
  support::StringSink out;
  render_json(report, out);
  return out.text().substr(0, out.text().size() - 1);
}

std::string json_of_part(const Report& part) {
  JsonWriter json;
  report::part(json, part);
  return json.take();
}

void render_json(const Report& report, support::ByteSink& out, JsonDetail detail) {
  JsonStream stream(report, out, detail);
  if (detail == JsonDetail::kAll) {
    for (const Violation& it : report.violations) stream.violation(it, report.causes[it.cause]);
  }
  stream.begin_causes();
  for (const Cause& it : report.causes) stream.cause(it);
  stream.finish();
}

}  // namespace omnium::report
