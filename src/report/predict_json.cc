// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_json.h"

#include <unordered_map>

#include "report/json.h"
#include "report/json_writer.h"

namespace omnium::report {

namespace {

using predict::Warning;

class Renderer {
 public:
  Renderer(const PredictReport& report, support::ByteSink& out) : report_(report), out_(out) {
    for (const Cause& cause : report.findings.causes) causes_.emplace(cause.id, &cause);
  }

  void run() {
    json_.open('{');
    text("tool", "omnium");
    text("version", OMNIUM_VERSION);
    text("trace", report_.findings.path);
    text("method", report_.all() ? "all" : predict::to_string(report_.main().method));
    text("atomicity", predict::to_string(report_.main().atomicity));
    flag("atomic", report_.findings.predicted->atomic);
    if (report_.findings.stopped) flag("stopped", true);
    warnings();
    listed("undecided", report_.main().undecided);
    if (report_.lists_speculative) listed("speculative", report_.main().speculative);
    number("impossible", report_.main().impossible);
    number("recorded", report_.main().recorded);
    json_.key("finding");
    json_.raw(json_line(report_.findings));
    if (report_.all()) methods();
    assumptions();
    deadlocks();
    if (report_.lists_races) races();
    stats();
    json_.close('}');
    out_.write(json_.take());
    out_.write("\n");
  }

 private:
  void text(std::string_view name, std::string_view value) {
    json_.key(name);
    json_.string(value);
  }
  void number(std::string_view name, std::uint64_t value) {
    json_.key(name);
    json_.number(value);
  }
  void flag(std::string_view name, bool value) {
    json_.key(name);
    json_.boolean(value);
  }
  // null where it is empty.
  void known(std::string_view name, std::string_view value) {
    json_.key(name);
    if (value.empty()) return json_.null();
    json_.string(value);
  }
  void block_members(const BlockRef& ref) {
    const Block block = report_.block(ref);
    text("thread", block.thread);
    json_.key("label");
    if (block.label) {
      json_.string(*block.label);
    } else {
      json_.null();
    }
    number("begin", ref.begin);
  }

  void warnings() {
    json_.key("warnings");
    json_.open('[');
    const auto& all = report_.main().warnings;
    for (std::size_t i = 0; i < all.size(); ++i) {
      json_.open('{');
      text("id", report_.ids[i]);
      about(all[i]);
      why(all[i]);
      text("status", predict::to_string(all[i].grade));
      known("witness", report_.witness(all[i]));
      const Marks& marks = causes_.at(report_.ids[i])->marks;
      if (marks.suppressed) text("suppressed", *marks.suppressed);
      if (marks.known) flag("known", *marks.known);
      json_.close('}');
      if (json_.size() > kFlushBytes) out_.write(json_.take());
    }
    json_.close(']');
  }

  void listed(std::string_view name, const std::vector<Warning>& warnings) {
    json_.key(name);
    json_.open('[');
    for (const Warning& warning : warnings) {
      json_.open('{');
      about(warning);
      json_.close('}');
      if (json_.size() > kFlushBytes) out_.write(json_.take());
    }
    json_.close(']');
  }

  void about(const Warning& warning) {
    json_.key("transaction");
    json_.open('{');
    block_members(warning.transaction);
    json_.key("end");
    if (warning.end == kNoEvent) {
      json_.null();
    } else {
      json_.number(warning.end);
    }
    json_.close('}');
    known("object", report_.object(warning));
    number("transactions", warning.copies);
  }

  void why(const Warning& warning) {
    json_.key("commit_nodes");
    json_.open('[');
    for (const auto& [first, last] : warning.commit_nodes) {
      json_.open('[');
      json_.number(first);
      json_.number(last);
      json_.close(']');
    }
    json_.close(']');
    json_.key("partners");
    json_.open('[');
    for (const BlockRef& partner : warning.partners) {
      json_.open('{');
      block_members(partner);
      json_.close('}');
    }
    json_.close(']');
  }

  void methods() {
    json_.key("methods");
    json_.open('[');
    for (const predict::MethodResult& result : report_.prediction.methods) {
      json_.open('{');
      text("method", predict::to_string(result.method));
      text("atomicity", predict::to_string(result.atomicity));
      flag("atomic", result.atomic() && report_.prediction.assumptions.no_deadlock_potential);
      flag("complete", result.complete);
      number("warnings", result.warnings.size());
      number("undecided", result.undecided.size());
      number("impossible", result.impossible);
      json_.key("seconds");
      json_.number(result.seconds);
      number("space", result.space);
      json_.close('}');
    }
    json_.close(']');
    json_.key("differences");
    json_.open('[');
    for (const predict::Difference& difference : report_.prediction.differences) {
      json_.open('{');
      block_members(difference.transaction);
      json_.key("warned_by");
      json_.open('[');
      for (const predict::Method method : difference.warned_by) {
        json_.string(predict::to_string(method));
      }
      json_.close(']');
      json_.close('}');
    }
    json_.close(']');
  }

  void assumptions() {
    const predict::Assumptions& assumptions = report_.prediction.assumptions;
    json_.key("assumptions");
    json_.open('{');
    flag("no_deadlock_potential", assumptions.no_deadlock_potential);
    flag("outside_units_lock_free", assumptions.outside_units_lock_free);
    flag("nested_locks", assumptions.nested_locks);
    json_.close('}');
  }

  void deadlocks() {
    json_.key("deadlock_potential");
    json_.open('[');
    for (const auto& cycle : report_.prediction.deadlocks.cycles) {
      json_.open('[');
      for (const predict::LockOrder& edge : cycle) {
        json_.open('{');
        text("thread", report_.names.threads.name(edge.thread.v));
        text("holds", report_.names.locks.name(edge.outer.v));
        number("taken_at", edge.outer_at);
        text("wants", report_.names.locks.name(edge.inner.v));
        number("wanted_at", edge.inner_at);
        json_.close('}');
      }
      json_.close(']');
    }
    json_.close(']');
  }

  void races() {
    json_.key("races");
    json_.open('[');
    for (const predict::RacingAccesses& race : report_.prediction.races) {
      json_.open('{');
      text("variable", report_.names.variables.name(race.variable.v));
      json_.key("accesses");
      json_.open('[');
      for (const EventIndex event : {race.first, race.second}) {
        const Event& it = report_.trace.events[event];
        json_.open('{');
        text("thread", report_.names.threads.name(it.thread_id));
        number("event", event);
        text("operation", is_write(it.kind) ? "write" : "read");
        known("location", report_.location(event));
        json_.close('}');
      }
      json_.close(']');
      json_.close('}');
    }
    json_.close(']');
  }

  void stats() {
    json_.key("stats");
    json_.open('{');
    for (const auto& [name, value] : report_.prediction.stats) number(name, value);
    std::uint64_t copies = 0;
    for (const Warning& warning : report_.main().warnings) copies += warning.copies;
    number("warned_transactions", copies);
    number("unnested_units", report_.prediction.unnested.size());
    json_.key("seconds");
    json_.number(report_.findings.seconds);
    number("peak_bytes", report_.findings.peak_bytes);
    json_.close('}');
  }

  static constexpr std::size_t kFlushBytes = 1 << 16;

  const PredictReport& report_;
  support::ByteSink& out_;
  std::unordered_map<std::string_view, const Cause*> causes_;  // by id
  JsonWriter json_;
};

}  // namespace

void render_predict_json(const PredictReport& report, support::ByteSink& out) {
  Renderer(report, out).run();
}

}  // namespace omnium::report
