// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/location.h"
#include "report/sarif_rules.h"
#include "report/words.h"

namespace omnium::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSourceRoot = "SRCROOT";
constexpr std::string_view kHomepage = OMNIUM_HOMEPAGE;
constexpr double kRankOfNoise = 1.0;  // of 100; other results have none

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/._-~+@,=").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Json text(std::string_view words) { return {{"text", words}}; }

std::string rule_of(const Finding& finding) {
  return finding.no_blame ? std::string(kNotSerializableRule)
                          : rule_of_pattern(finding.cause->pattern);
}

// How to make a failure happen again is part of the message: nothing else shows it.
std::string sarif_message(const Finding& finding) {
  const Cause& cause = *finding.cause;
  std::string out = message(finding);
  if (!is_failure(cause)) return out;
  for (const std::string& wait : lock_waits(*cause.failure)) out += fmt::format("\n{}.", wait);
  for (const std::string& remark : remarks(cause)) out += "\n" + remark;
  return out;
}

// What did not happen is never an error, nor is what is probably harmless or follows from another.
std::string_view level_of(const Cause& cause) {
  if (is_noise(cause) || follows(cause)) return "note";
  switch (cause.status) {
    case Status::kSeen: return "error";
    case Status::kCertain: return "warning";
    case Status::kPossible: return "note";
  }
  return "error";
}

class SarifRenderer {
 public:
  SarifRenderer(std::span<const Report> reports, std::string_view source_root)
      : reports_(reports), source_root_(source_root) {}

  Json log() {
    Json results = Json::array();
    for (const Finding& finding : findings_of(reports_)) results.push_back(result(finding));
    for (const Report& report : reports_) {
      if (without_findings(report)) results.push_back(bare_result(report));
    }
    const bool was_stopped = std::ranges::any_of(reports_, &Report::stopped);
    Json driver{{"name", "Omnium"},
                {"fullName", fmt::format("Omnium {}", OMNIUM_VERSION)},
                {"version", OMNIUM_VERSION},
                {"semanticVersion", OMNIUM_VERSION}};
    if (!kHomepage.empty()) driver["informationUri"] = kHomepage;
    driver["rules"] = rules_;
    Json run{{"tool", {{"driver", driver}}},
             {"invocations", Json::array({{{"executionSuccessful", !was_stopped}}})},
             {"columnKind", "unicodeCodePoints"},
             {"originalUriBaseIds",
              {{kSourceRoot, {{"description", text("The root of the source tree.")}}}}},
             {"results", results}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({run})}};
  }

 private:
  std::size_t rule_index(const std::string& rule) {
    const auto [at, is_new] = rule_index_.emplace(rule, rules_.size());
    if (is_new) rules_.push_back(sarif_rule(rule, kHomepage));
    return at->second;
  }

  Json new_result(const std::string& rule, std::string_view level, const std::string& words) {
    return {{"ruleId", rule},
            {"ruleIndex", rule_index(rule)},
            {"level", level},
            {"message", text(words)}};
  }

  // Empty if the place has no line.
  Json physical(std::string_view place) const {
    const Location at = parse_location(place);
    if (at.file.empty()) return {};
    const std::string_view file = relative_to(source_root_, at.file);
    Json artifact;
    if (file.starts_with('/')) {
      artifact["uri"] = "file://" + percent_encoded(file);
    } else {
      artifact = {{"uri", percent_encoded(file)}, {"uriBaseId", kSourceRoot}};
    }
    Json region{{"startLine", at.line}};
    if (at.column != 0) region["startColumn"] = at.column;
    return {{"artifactLocation", artifact}, {"region", region}};
  }

  Json location(std::string_view place, std::optional<std::string_view> label,
                const std::string& words) const {
    Json out = Json::object();
    if (Json at = physical(place); !at.is_null()) out["physicalLocation"] = std::move(at);
    if (label) out["logicalLocations"] = Json::array({{{"fullyQualifiedName", *label}}});
    if (!words.empty()) out["message"] = text(words);
    return out;
  }

  Json code_flow(const Cause& cause) const {
    const Picture& picture = cause.picture;
    std::vector<Json> of_column(picture.columns.size(), Json::array());
    std::size_t order = 0;
    for (const Row& row : rows_of(picture)) {
      const bool essential = row.mark != Row::Mark::kNone;
      of_column[row.column].push_back(
          {{"location", location(row.event.location, std::nullopt, cell(row.event))},
           {"executionOrder", ++order},
           {"importance", essential ? "essential" : "important"}});
    }
    Json flows = Json::array();
    for (std::size_t c = 0; c < of_column.size(); ++c) {
      if (of_column[c].empty()) continue;
      const Column& column = picture.columns[c];
      flows.push_back({{"id", fmt::format("{}", c + 1)},
                       {"message", text(who({column.thread, column.label, kNoEvent}))},
                       {"locations", std::move(of_column[c])}});
    }
    std::string words;
    for (const Sentence& sentence : picture.sentences) {
      words +=
          fmt::format("{}: {}.\n", claim(sentence, cause.status), evidence(sentence, cause.status));
    }
    return {{"message", text(words)}, {"threadFlows", std::move(flows)}};
  }

  Json result(const Finding& finding) {
    const Cause& cause = *finding.cause;
    Json out = new_result(rule_of(finding), level_of(cause), sarif_message(finding));
    const std::string_view place =
        cause.event_location.empty() ? cause.block_location : cause.event_location;
    Json where = location(place, label_of(cause.block), "");
    if (!where.empty()) out["locations"] = Json::array({std::move(where)});
    if (is_failure(cause)) {
      if (Json freed = physical(cause.failure->freed); !freed.is_null()) {
        out["relatedLocations"] = Json::array(
            {{{"physicalLocation", std::move(freed)}, {"message", text("freed here")}}});
      }
    }
    if (Json begin = physical(cause.block_location); !begin.is_null()) {
      out["relatedLocations"] = Json::array(
          {{{"physicalLocation", std::move(begin)},
            {"message", text(fmt::format("{} begins here", short_name(cause.block)))}}});
    }
    if (!rows_of(cause.picture).empty()) {
      out["codeFlows"] = Json::array({code_flow(cause)});
    }
    out["partialFingerprints"] = {{"omniumCause/v1", cause.id}};
    if (is_noise(cause) || follows(cause)) out["rank"] = kRankOfNoise;
    if (finding.count > 0 && !is_predicted(cause.status)) out["occurrenceCount"] = finding.count;
    if (cause.marks.known) out["baselineState"] = *cause.marks.known ? "unchanged" : "new";
    if (cause.marks.suppressed) {
      out["suppressions"] =
          Json::array({{{"kind", "external"}, {"justification", *cause.marks.suppressed}}});
    }
    out["properties"] = properties(finding);
    return out;
  }

  static Json properties(const Finding& finding) {
    const Cause& cause = *finding.cause;
    Json traces = Json::array();
    for (const Report* report : finding.reports) traces.push_back(report->path);
    Json out{{"id", cause.id}};
    if (!cause.pattern.empty()) out["pattern"] = cause.pattern;
    if (label_of(cause.block)) out["block"] = *cause.block.label;
    if (!cause.objects.empty()) out["objects"] = cause.objects;
    if (!is_failure(cause)) out["blamed"] = cause.blamed;
    if (is_noise(cause)) out["looksLike"] = to_string(cause.noise);
    if (follows(cause)) out["followsFrom"] = cause.follows_from;
    if (is_predicted(cause.status)) {
      out["status"] = to_string(cause.status);
      out["transactions"] = finding.count;
    }
    out["traces"] = std::move(traces);
    return out;
  }

  Json bare_result(const Report& report) {
    return new_result(std::string(kNotSerializableRule), "error", message(report));
  }

  std::span<const Report> reports_;
  std::string_view source_root_;
  Json rules_ = Json::array();
  std::unordered_map<std::string, std::size_t> rule_index_;
};

}  // namespace

void render_sarif(std::span<const Report> reports, std::string_view source_root,
                  support::ByteSink& out) {
  const Json log = SarifRenderer(reports, source_root).log();
  out.write(log.dump(1, ' ', false, Json::error_handler_t::replace));
  out.write("\n");
}

}  // namespace omnium::report
