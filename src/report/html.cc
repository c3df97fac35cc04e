// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <set>

#include <fmt/format.h>

#include "report/cycle_drawing.h"
#include "report/json.h"
#include "report/json_writer.h"
#include "report/viewer.h"
#include "report/words.h"
#include "support/check.h"
#include "support/display.h"

namespace omnium::report {

namespace {

// JSON inside a <script> element. Only strings contain '<', and there it can be written as an
// escape: then nothing ends the element or opens a comment.
class ScriptData final : public support::ByteSink {
 public:
  explicit ScriptData(support::ByteSink& out) : out_(out) {}

  void write(std::string_view bytes) override {
    for (std::size_t at; (at = bytes.find('<')) != std::string_view::npos;) {
      out_.write(bytes.substr(0, at));
      out_.write("\\u003c");
      bytes.remove_prefix(at + 1);
    }
    out_.write(bytes);
  }

 private:
  support::ByteSink& out_;
};

std::string sources_of(std::span<const Snippet> snippets) {
  JsonWriter json;
  json.open('[');
  for (const Snippet& snippet : snippets) {
    json.open('{');
    json.key("file");
    json.string(snippet.file);
    json.key("first");
    json.number(std::uint64_t{snippet.first});
    json.key("lines");
    json.open('[');
    for (const std::string& line : snippet.lines) json.string(line);
    json.close(']');
    json.close('}');
  }
  json.close(']');
  return json.take();
}

// Where the files are, by the names that the traces use.
std::string files_of(std::span<const Snippet> snippets) {
  JsonWriter json;
  json.open('{');
  std::string_view last;
  for (const Snippet& it : snippets) {
    if (it.file == last) continue;  // the snippets of a file come together
    json.key(it.file);
    json.string(it.path);
    last = it.file;
  }
  json.close('}');
  return json.take();
}

// The cycles of the page without words, each shape once.
std::string drawings_of(std::span<const Report> reports) {
  std::set<std::string> shapes;
  const auto add = [&](const Cause& cause, bool blamed) {
    const std::vector<CycleEdge> edges = edges_of(cause.picture);
    if (edges.size() > 1) shapes.insert(shape_of(edges, blamed));
  };
  for (const Report& report : reports) {
    for (const Cause& cause : report.causes) add(cause, cause.blamed);
    if (report.cycle_cause) add(*report.cycle_cause, false);
  }
  JsonWriter json;
  const auto drawn = [&](std::string_view name, const std::string& shape, DrawingForm form) {
    const Drawing drawing = draw_cycle(shape, form, {});
    json.key(name);
    json.string(
        fmt::format("<svg xmlns='http://www.w3.org/2000/svg' class='cycle' width='{}' "
                    "height='{}' viewBox='0 0 {} {}'>{}</svg>",
                    drawing.width, drawing.height, drawing.width, drawing.height, drawing.content));
  };
  json.open('{');
  for (const std::string& shape : shapes) {
    json.key(shape);
    json.open('{');
    drawn("wide", shape, DrawingForm::kWide);
    drawn("tall", shape, DrawingForm::kTall);
    json.close('}');
  }
  json.close('}');
  return json.take();
}

std::string quoted(std::string_view text) {
  JsonWriter json;
  json.string(text);
  return json.take();
}

// What the viewer needs to speak like the text report: its verbs, and what it does with names.
std::string words() {
  JsonWriter json;
  const auto verb_members = [&](Kind kind) {
    json.key(to_string(kind));
    json.open('{');
    json.key("told");
    json.string(verbs(kind).told);
    json.key("imagined");
    json.string(verbs(kind).imagined);
    json.key("cell");
    json.string(verbs(kind).cell);
    json.close('}');
  };
  json.open('{');
  json.key("verbs");
  json.open('{');
  for (std::size_t kind = 0; kind <= kKinds; ++kind) verb_members(static_cast<Kind>(kind));
  json.close('}');
  json.key("longest_name");
  json.number(std::uint64_t{kLongestName});
  json.key("most_listed");
  json.number(std::uint64_t{kMostListed});
  json.key("unsafe");
  json.open('[');
  for (const support::CodeRange& range : support::unsafe_characters()) {
    json.open('[');
    json.number(std::uint64_t{range.first});
    json.number(std::uint64_t{range.last});
    json.close(']');
  }
  json.close(']');
  json.close('}');
  return json.take();
}

}  // namespace

void render_html(std::span<const Report> reports, std::span<const Snippet> snippets,
                 std::string_view editor, support::ByteSink& out) {
  const std::size_t data = kViewer.find(kViewerData);
  CHECK(data != std::string_view::npos);
  out.write(kViewer.substr(0, data));
  ScriptData json(out);
  json.write(R"({"reports":[)");
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (i > 0) json.write(",");
    render_json(reports[i], json, JsonDetail::kCauses);
  }
  json.write(R"(],"sources":)");
  json.write(sources_of(snippets));
  json.write(R"(,"files":)");
  json.write(files_of(snippets));
  json.write(R"(,"editor":)");
  json.write(quoted(editor));
  json.write(R"(,"drawings":)");
  json.write(drawings_of(reports));
  json.write(R"(,"words":)");
  json.write(words());
  json.write("}");
  out.write(kViewer.substr(data + kViewerData.size()));
}

}  // namespace omnium::report
