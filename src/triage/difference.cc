// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "triage/difference.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "report/json_writer.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::triage {

namespace {

using report::Finding;
using report::JsonWriter;

std::string told(std::string_view state, const Finding& finding) {
  return fmt::format("{:<6} {}  {}\n", state, support::terminal_text(finding.cause->id),
                     message(finding));
}

void json_member(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.string(value);
}

void json_finding(JsonWriter& json, const Finding& finding, const Finding* before) {
  const report::Cause& cause = *finding.cause;
  json.open('{');
  json_member(json, "id", cause.id);
  if (!cause.pattern.empty()) json_member(json, "pattern", cause.pattern);
  if (const auto label = label_of(cause.block)) json_member(json, "block", *label);
  json.key("objects");
  json.open('[');
  for (const std::string_view object : cause.objects) json.string(object);
  json.close(']');
  json.key("count");
  json.number(finding.count);
  if (before != nullptr) {
    json.key("count_before");
    json.number(before->count);
  }
  json.close('}');
}

void json_findings(JsonWriter& json, std::string_view name, const std::vector<Finding>& findings) {
  json.key(name);
  json.open('[');
  for (const Finding& finding : findings) json_finding(json, finding, nullptr);
  json.close(']');
}

}  // namespace

Difference difference(std::span<const report::Report> before,
                      std::span<const report::Report> after) {
  Difference out;
  std::vector<Finding> old = findings_of(before);
  std::unordered_map<std::string_view, const Finding*> by_id;
  for (const Finding& finding : old) by_id.emplace(finding.cause->id, &finding);
  for (Finding& finding : findings_of(after)) {
    const auto at = by_id.find(finding.cause->id);
    if (at == by_id.end()) {
      out.fresh.push_back(std::move(finding));
    } else {
      out.same.push_back({*at->second, std::move(finding)});
      by_id.erase(at);
    }
  }
  for (Finding& finding : old) {
    if (by_id.contains(finding.cause->id)) out.fixed.push_back(std::move(finding));
  }
  for (const report::Report& report : after) {
    if (without_findings(report)) out.unclear.push_back(&report);
  }
  return out;
}

void render_text(const Difference& difference, support::ByteSink& out) {
  for (const Finding& finding : difference.fixed) out.write(told("fixed", finding));
  for (const Difference::Pair& pair : difference.same) out.write(told("same", pair.after));
  for (const Finding& finding : difference.fresh) out.write(told("new", finding));
  for (const report::Report* report : difference.unclear) {
    out.write(fmt::format("{:<6} {}\n", "new?", message(*report)));
  }
  out.write(fmt::format("{} fixed, {} new, {} unchanged\n", difference.fixed.size(),
                        difference.fresh.size(), difference.same.size()));
}

void render_json(const Difference& difference, support::ByteSink& out) {
  JsonWriter json;
  json.open('{');
  json_member(json, "tool", "omnium");
  json_member(json, "version", OMNIUM_VERSION);
  json_findings(json, "fixed", difference.fixed);
  json_findings(json, "new", difference.fresh);
  json.key("same");
  json.open('[');
  for (const Difference::Pair& pair : difference.same) {
    json_finding(json, pair.after, &pair.before);
  }
  json.close(']');
  json.key("unclear");
  json.open('[');
  for (const report::Report* report : difference.unclear) json.string(report->path);
  json.close(']');
  json.close('}');
  out.write(json.take() + "\n");
}

}  // namespace omnium::triage
