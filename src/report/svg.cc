// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/svg.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/cycle_drawing.h"
#include "report/findings.h"
#include "report/viewer.h"
#include "report/words.h"
#include "report/wrap.h"
#include "report/xml.h"
#include "support/display.h"
#include "support/text_file.h"

namespace omnium::report {

namespace {

constexpr std::size_t kMostPictures = 1000;
constexpr int kMargin = 24, kLineHeight = 19;
constexpr int kWidth = 860;              // of the picture
constexpr std::size_t kColumns = 100;    // letters in a line of it
constexpr std::size_t kTitleWidth = 76;  // letters of the title, which are larger

// From the top downwards.
class Page {
 public:
  explicit Page(support::ByteSink& out) : out_(out) {}

  void text(std::string_view kind, std::string_view words, std::size_t columns = kColumns,
            int indent = 0) {
    const std::string broken = wrapped(words, columns);
    for (const std::string_view line : support::lines_of(broken)) {
      y_ += kLineHeight;
      body_ += fmt::format("<text class='{}' x='{}' y='{}'>{}</text>\n", kind, kMargin + indent, y_,
                           xml(support::cut_to_width(line, columns)));
    }
  }

  void cycle(const Picture& picture, bool blamed) {
    const std::vector<CycleEdge> edges = edges_of(picture);
    if (edges.size() < 2) return;
    const Drawing drawing = draw_cycle(shape_of(edges, blamed), DrawingForm::kWide, edges);
    body_ += fmt::format("<g class='cycle' transform='translate({} {})'>{}</g>\n",
                         (kWidth - drawing.width) / 2, y_ + 10, drawing.content);
    y_ += drawing.height + 14;
  }

  void badge(std::size_t number, std::string_view kind) {
    body_ += fmt::format(
        "<g class='cycle'><g class='edge {}'><circle cx='{}' cy='{}' r='9.5'/>"
        "<text class='number' x='{}' y='{}'>{}</text></g></g>\n",
        kind, kMargin + 10, y_ + kLineHeight - 4, kMargin + 10, y_ + kLineHeight, number);
  }

  void space(int height) { y_ += height; }

  void line() {
    y_ += 26;
    body_ += fmt::format("<path class='rule' d='M{} {}H{}'/>\n", kMargin, y_, kWidth - kMargin);
    y_ += 8;
  }

  void finish() {
    const int height = y_ + kMargin;
    out_.write(
        fmt::format("<?xml version='1.0' encoding='UTF-8'?>\n"
                    "<svg xmlns='http://www.w3.org/2000/svg' class='report' width='{}' height='{}' "
                    "viewBox='0 0 {} {}'>\n<style>\n{}</style>\n"
                    "<rect class='sheet' width='{}' height='{}'/>\n",
                    kWidth, height, kWidth, height, kDrawingStyle, kWidth, height));
    out_.write(body_);
    out_.write("</svg>\n");
  }

 private:
  support::ByteSink& out_;
  std::string body_;
  int y_ = kMargin - 8;
};

// "inner: read x (a.cc:4)"
std::string operation(const EventView& event) {
  const std::string where = place(event.location);
  const std::string inner =
      event.inner ? fmt::format("{}: ", support::terminal_text(*event.inner)) : "";
  return fmt::format("{}{}{}", inner, cell(event),
                     where.empty() ? "" : fmt::format(" ({})", where));
}

void add(Page& page, const Cause& cause) {
  const std::string what = headline(cause) + could_happen(cause.status);
  page.text("headline", what.empty() ? "atomicity violation" : what, kTitleWidth);
  const std::string where = place(cause.block_location);
  page.text("quiet",
            fmt::format("{}: {}{} {}", support::terminal_text(cause.id), short_name(cause.block),
                        where.empty() ? "" : fmt::format(" ({})", where),
                        cause.blamed ? not_atomic(cause) : "is part of a cycle"));
  page.cycle(cause.picture, cause.blamed);
  const auto& sentences = cause.picture.sentences;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const bool closes = i > 0 && i + 1 == sentences.size();
    page.space(6);
    page.badge(i + 1, closes ? "closing" : fmt::format("step-{}", i % kStepColours));
    page.text("words", fmt::format("{}{}", closes ? "but " : "", claim(sentences[i], cause.status)),
              kColumns - 4, 30);
    page.text(
        "quiet",
        fmt::format("{}, then {}", operation(sentences[i].first), operation(sentences[i].second)),
        kColumns - 4, 30);
  }
}

// What is to be said if nothing is drawn.
std::string_view nothing(std::span<const Report> reports, bool known) {
  if (known) return "nothing new";
  const auto is_predicted = [](const Report& it) { return it.predicted.has_value(); };
  return std::ranges::any_of(reports, is_predicted) ? "no violation predicted" : "no violation";
}

}  // namespace

void render_svg(std::span<const Report> reports, support::ByteSink& out) {
  Page page(out);
  std::size_t drawn = 0, not_drawn = 0, known = 0;
  for (const Finding& finding : findings_of(reports)) {
    if (!finding.cause->marks.news()) {
      ++known;
    } else if (finding.cause->picture.sentences.empty() || drawn == kMostPictures) {
      ++not_drawn;
    } else {
      if (drawn++ > 0) page.line();
      add(page, *finding.cause);
    }
  }
  for (const Report& report : reports) not_drawn += without_findings(report);
  if (drawn == 0 && not_drawn == 0) page.text("words", nothing(reports, known > 0));
  if (not_drawn > 0) {
    if (drawn > 0) page.line();
    page.text("words", fmt::format("{} without a picture",
                                   count_of(not_drawn, drawn == 0 ? "finding" : "more finding")));
  }
  page.finish();
}

}  // namespace omnium::report
