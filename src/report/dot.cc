// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/dot.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/findings.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

constexpr std::size_t kLabelWidth = 60;

// A quoted string: lines of terminal-safe text, each cut. Labels also know entities of HTML.
std::string quoted(std::initializer_list<std::string_view> lines) {
  std::string out = "\"";
  for (const std::string_view line : lines) {
    if (line.empty()) continue;
    if (out.size() > 1) out += "\\n";
    for (const char c : support::cut_to_width(line, kLabelWidth)) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
      if (c == '&') out += "amp;";
    }
  }
  return out + "\"";
}

bool same(const Block& a, const Block& b) { return a.thread == b.thread && a.begin == b.begin; }

// One finding: a cluster of its own.
class Graph {
 public:
  Graph(const Finding& finding, std::size_t number) : cause_(*finding.cause), number_(number) {}

  std::string text() {
    const std::string what = headline(cause_) + could_happen(cause_.status);
    out_ = fmt::format(" subgraph cluster_{} {{\n  label={};\n", number_,
                       quoted({support::terminal_text(cause_.id), what}));
    const auto& sentences = cause_.picture.sentences;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const std::size_t from = node(sentences[i].from), to = node(sentences[i].to);
      // The blank line keeps the labels of two edges apart.
      const std::string label =
          quoted({happened(sentences[i].first), happened(sentences[i].second), " "});
      const bool closes = i + 1 == sentences.size();
      edge(from, to, fmt::format("label={}{}", label, closes ? " style=dashed" : ""));
      if (closes || same(sentences[i].to, sentences[i + 1].from)) continue;
      edge(to, node(sentences[i + 1].from), "label=\"later in the thread\" style=dotted");
    }
    return out_ + " }\n";
  }

 private:
  static std::string happened(const EventView& event) {
    const std::string where = place(event.location);
    const std::string inner =
        event.inner ? fmt::format("{}: ", support::terminal_text(*event.inner)) : "";
    return inner + (where.empty() ? cell(event) : fmt::format("{} ({})", cell(event), where));
  }

  std::size_t node(const Block& block) {
    const auto at = std::ranges::find_if(nodes_, [&](const Block& it) { return same(it, block); });
    const auto index = static_cast<std::size_t>(at - nodes_.begin());
    if (at != nodes_.end()) return index;
    nodes_.push_back(block);
    const bool blamed = cause_.blamed && nodes_.size() == 1;  // the cycle starts in it
    const auto label = label_of(block);
    out_ += fmt::format("  t{}_{} [label={}{}];\n", number_, index,
                        quoted({label         ? support::terminal_text(*label)
                                : block.label ? "a block"
                                              : "outside any block",
                                support::terminal_text(block.thread)}),
                        blamed ? " penwidth=3 peripheries=2" : "");
    return index;
  }

  void edge(std::size_t from, std::size_t to, const std::string& attributes) {
    out_ += fmt::format("  t{}_{} -> t{}_{} [{}];\n", number_, from, number_, to, attributes);
  }

  const Cause& cause_;
  std::size_t number_;
  std::vector<Block> nodes_;
  std::string out_;
};

}  // namespace

void render_dot(std::span<const Report> reports, support::ByteSink& out) {
  out.write(
      "digraph omnium {\n"
      " node [shape=box fontname=\"Helvetica\"];\n"
      " edge [fontname=\"Helvetica\" fontsize=10];\n"
      " graph [fontname=\"Helvetica\" rankdir=LR];\n");
  std::size_t not_drawn = 0, known = 0;
  std::vector<std::string> graphs;
  for (const Finding& finding : findings_of(reports)) {
    if (!finding.cause->marks.news()) {
      ++known;
    } else if (finding.cause->picture.sentences.empty()) {
      ++not_drawn;
    } else {
      graphs.push_back(Graph(finding, graphs.size() + 1).text());
    }
  }
  // From left to right means from the bottom upwards: the first one comes to the top.
  for (std::size_t i = graphs.size(); i-- > 0;) out.write(graphs[i]);
  for (const Report& report : reports) not_drawn += without_findings(report);
  if (graphs.empty() && not_drawn == 0) {
    const bool predicted =
        std::ranges::any_of(reports, [](const Report& it) { return it.predicted.has_value(); });
    out.write(fmt::format(" label=\"{}\";\n", known > 0   ? "nothing new"
                                              : predicted ? "no violation predicted"
                                                          : "no violation"));
  }
  if (not_drawn > 0) {
    out.write(fmt::format(" label=\"{} without a picture\";\n",
                          count_of(not_drawn, graphs.empty() ? "finding" : "more finding")));
  }
  out.write("}\n");
}

}  // namespace omnium::report
