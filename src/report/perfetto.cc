// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/perfetto.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/words.h"

namespace omnium::report {

namespace {

using Json = nlohmann::ordered_json;

// The transactions of a cycle in the column of their thread, each with the last event known of it.
struct Slice {
  Block block;
  std::size_t column;
  EventIndex last;
};

std::vector<Slice> slices_of(const Picture& picture, const std::vector<Row>& rows) {
  std::vector<Slice> slices;
  const auto add = [&](const Block& block) {
    const auto column = std::ranges::find(picture.columns, block.thread, &Column::thread);
    const auto had = std::ranges::find_if(slices, [&](const Slice& it) {
      return it.block.thread == block.thread && it.block.begin == block.begin;
    });
    if (column == picture.columns.end() || had != slices.end() || block.begin == kNoEvent) return;
    slices.push_back(
        {block, static_cast<std::size_t>(column - picture.columns.begin()), block.begin});
  };
  for (const Sentence& sentence : picture.sentences) {
    add(sentence.from);
    add(sentence.to);
  }
  // An event belongs to the last transaction of its thread that began before it.
  for (const Row& row : rows) {
    Slice* owner = nullptr;
    for (Slice& slice : slices) {
      const bool before = slice.column == row.column && slice.block.begin <= row.event.index;
      if (before && (owner == nullptr || owner->block.begin < slice.block.begin)) owner = &slice;
    }
    if (owner != nullptr && owner->block.label)
      owner->last = std::max(owner->last, row.event.index);
  }
  return slices;
}

class TraceRenderer {
 public:
  Json document(std::span<const Report> reports) {
    for (const Finding& finding : findings_of(reports)) process(finding);
    return {
        {"traceEvents", std::move(events_)},
        {"displayTimeUnit", "ms"},
        {"otherData", {{"tool", "omnium"}, {"version", OMNIUM_VERSION}, {"clock", "event index"}}}};
  }

 private:
  Json& event(std::string_view phase, std::string_view name, std::size_t column) {
    events_.push_back({{"ph", phase}, {"name", name}, {"pid", process_}, {"tid", column + 1}});
    return events_.back();
  }
  void name(std::string_view what, std::size_t column, std::string_view value) {
    event("M", what, column)["args"] = {{"name", value}};
  }

  void process(const Finding& finding) {
    const Cause& cause = *finding.cause;
    if (!cause.marks.news()) return;
    ++process_;
    const std::string what = headline(cause);
    name("process_name", 0, fmt::format("{} {}{}", cause.id, what, could_happen(cause.status)));
    for (std::size_t c = 0; c < cause.picture.columns.size(); ++c) {
      name("thread_name", c, cause.picture.columns[c].thread);
    }
    const std::vector<Row> rows = rows_of(cause.picture);
    for (const Slice& slice : slices_of(cause.picture, rows)) transaction(slice, finding);
    for (const Row& row : rows) access(row);
    for (const Sentence& sentence : cause.picture.sentences) arrow(sentence, cause);
  }

  void transaction(const Slice& slice, const Finding& finding) {
    const Cause& cause = *finding.cause;
    Json& out = event("X", short_name(slice.block), slice.column);
    out["cat"] = "transaction";
    out["ts"] = slice.block.begin;
    out["dur"] = slice.last - slice.block.begin + 1;
    Json args{{"id", cause.id}};
    if (!cause.pattern.empty()) args["pattern"] = cause.pattern;
    args["blamed"] = cause.blamed && slice.block.thread == cause.block.thread &&
                     slice.block.begin == cause.block.begin;
    if (is_predicted(cause.status)) args["status"] = to_string(cause.status);
    args["last_event_known"] = slice.last;
    out["args"] = std::move(args);
  }

  void access(const Row& row) {
    Json& out = event("X", cell(row.event), row.column);
    out["cat"] = "event";
    out["ts"] = row.event.index;
    out["dur"] = 1;
    Json args{{"event", row.event.index}};
    if (!row.event.location.empty()) args["location"] = row.event.location;
    out["args"] = std::move(args);
  }

  // Arrows start and end inside the slices of their events.
  void arrow(const Sentence& sentence, const Cause& cause) {
    const Picture& picture = cause.picture;
    ++arrow_;
    for (const EventView* end : {&sentence.first, &sentence.second}) {
      const auto at = std::ranges::find(picture.columns, end->thread, &Column::thread);
      if (at == picture.columns.end()) continue;
      const auto column = static_cast<std::size_t>(at - picture.columns.begin());
      const bool starts = end == &sentence.first;
      Json& out = event(starts ? "s" : "f", claim(sentence, cause.status), column);
      out["cat"] = "dependency";
      out["id"] = arrow_;
      out["ts"] = static_cast<double>(end->index) + 0.5;
      if (!starts) out["bp"] = "e";
    }
  }

  Json events_ = Json::array();
  std::size_t process_ = 0, arrow_ = 0;
};

}  // namespace

void render_perfetto(std::span<const Report> reports, support::ByteSink& out) {
  const Json document = TraceRenderer().document(reports);
  out.write(document.dump(-1, ' ', false, Json::error_handler_t::replace));
  out.write("\n");
}

}  // namespace omnium::report
