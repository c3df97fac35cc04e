// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/cycle_drawing.h"

#include <fmt/format.h>

#include "report/findings.h"
#include "report/words.h"
#include "report/xml.h"
#include "support/check.h"
#include "support/display.h"

namespace omnium::report {

namespace {

// Pixels. A letter of the drawing's font (web/src/drawing.css) is 0.61 of its size wide at most.
constexpr int kBoxWidth = 208, kBoxHeight = 46;
constexpr int kPitch = 114;  // from box to box, downwards
constexpr int kGap = 204;    // between two boxes side by side: a label fits
constexpr int kLabelWidth = 184;
constexpr int kAside = 17;  // from an arrow to its label
constexpr int kMargin = 5;
constexpr std::size_t kLongestTitle = 24, kLongestObject = 24, kLongestVerbs = 27;

struct Point {
  int x, y;
};

bool same(const Block& a, const Block& b) {
  return a.thread == b.thread && a.begin == b.begin && a.label == b.label;
}

std::string cut(std::string_view text, std::size_t longest) {
  return xml(support::cut_middle_to_width(support::terminal_text(text), longest));
}

// A path with an arrow head at its end.
struct Way {
  std::string path;  // to `end`
  Point end;
  Point towards;  // one step in the direction of the head
  Point number;   // where the number of the sentence stands
  Point label;    // base line of its first line
  std::string_view anchor;
};

class Drawer {
 public:
  Drawer(std::string_view shape, const std::vector<CycleEdge>& words)
      : shape_(shape), words_(words), count_(shape.size() / 2) {
    CHECK(count_ >= 2);
    for (std::size_t i = 0; i < count_; ++i) sentences_ += shape_[2 * i + 1] == 's';
  }

  Drawing wide() {
    const std::size_t left = (count_ + 1) / 2, right = count_ / 2;
    const int beside = kLabelWidth + kAside - kBoxWidth / 2 + kMargin;
    const int x_left = (left > 1 ? beside : kMargin) + kBoxWidth / 2;
    const int x_right = x_left + kBoxWidth + kGap;
    const int top = 44 + kBoxHeight / 2, shift = count_ % 2 == 0 ? 0 : kPitch / 2;
    for (std::size_t i = 0; i < count_; ++i) {
      const bool down = i < left;
      const auto row = static_cast<int>(down ? i : count_ - 1 - i);
      boxes_.push_back({down ? x_left : x_right, top + row * kPitch + (down ? 0 : shift)});
    }
    for (std::size_t i = 0; i < count_; ++i) {
      const bool turns = i + 1 == left, closes = i + 1 == count_;
      add(i, turns    ? across(boxes_[i], boxes_[i + 1], 1)
             : closes ? across(boxes_[0], boxes_[i], -1)
                      : along(boxes_[i], boxes_[i + 1], i < left));
    }
    const int height = boxes_[left - 1].y + kBoxHeight / 2 + 44;
    return {x_right + kBoxWidth / 2 + (right > 1 ? beside : kMargin), height, finish()};
  }

  Drawing tall() {
    const int x = kMargin + kBoxWidth / 2, top = kMargin + kBoxHeight / 2;
    for (std::size_t i = 0; i < count_; ++i) {
      boxes_.push_back({x, top + static_cast<int>(i) * kPitch});
    }
    const int back = x + kAside + kLabelWidth + 14;
    for (std::size_t i = 0; i + 1 < count_; ++i) {
      Way way = along(boxes_[i], boxes_[i + 1], true);
      way.anchor = "start";
      way.label.x = x + kAside;
      add(i, way);
    }
    add(count_ - 1, around(boxes_.back(), boxes_.front(), back));
    return {back + 10 + kMargin, boxes_.back().y + kBoxHeight / 2 + 24 + 40, finish()};
  }

 private:
  // Down or up to the next box; the label is on the outer side.
  static Way along(Point from, Point to, bool down) {
    const int way = down ? 1 : -1;
    const Point start{from.x, from.y + way * (kBoxHeight / 2 + 2)};
    const Point end{to.x, to.y - way * (kBoxHeight / 2 + 2)};
    const int middle = (start.y + end.y) / 2;
    return {fmt::format("M{} {}V{}", start.x, start.y, end.y - way * 6),
            end,
            {0, way},
            {start.x, middle},
            {start.x - way * kAside, middle - 4},
            down ? "end" : "start"};
  }

  // Between the columns: to the right at the bottom (`way` is 1), back at the top; two boxes have
  // both arrows between them. `left` and `right` are the boxes at its ends. Where they are not side
  // by side, the arrow turns.
  Way across(Point left, Point right, int way) const {
    const int y = left.y - (count_ == 2 ? way * 14 : 0);
    const int inner = left.x + kBoxWidth / 2 + 2, middle = inner + kGap / 2 - 2;
    const bool level = left.y == right.y, below = (count_ == 2) == (way < 0);
    Way out{"", {}, {way, 0}, {middle, y}, {middle, y + (below ? 24 : -28)}, "middle"};
    const int outer = right.x - kBoxWidth / 2 - 2;
    if (level) {
      out.end = {way > 0 ? outer : inner, y};
      out.path = fmt::format("M{} {}H{}", way > 0 ? inner : outer, y, out.end.x - way * 6);
    } else if (way > 0) {
      out.end = {right.x, right.y + kBoxHeight / 2 + 2};
      out.towards = {0, -1};
      out.path = fmt::format("M{} {}H{}q12 0 12 -12V{}", inner, y, right.x - 12, out.end.y + 6);
    } else {
      out.end = {inner, y};
      out.path = fmt::format("M{} {}V{}q0 -12 -12 -12H{}", right.x, right.y - kBoxHeight / 2 - 2,
                             y + 12, inner + 6);
    }
    return out;
  }

  // From the last box below it, outside and up to the first one.
  static Way around(Point last, Point first, int x) {
    const int low = last.y + kBoxHeight / 2 + 24;
    const Point end{first.x + kBoxWidth / 2 + 2, first.y};
    return {fmt::format("M{} {}V{}q0 12 12 12H{}q12 0 12 -12V{}q0 -12 -12 -12H{}", last.x,
                        last.y + kBoxHeight / 2 + 2, low - 12, x - 12, first.y + 12, end.x + 6),
            end,
            {-1, 0},
            {x, (low + first.y) / 2},
            {last.x + kAside, low + 20},
            "start"};
  }

  // The triangle at the end of a way.
  static std::string head(const Way& way) {
    const auto [x, y] = way.end;
    const auto [dx, dy] = way.towards;
    return fmt::format("M{} {}L{} {}L{} {}Z", x, y, x - 9 * dx - 4 * dy, y - 9 * dy - 4 * dx,
                       x - 9 * dx + 4 * dy, y - 9 * dy + 4 * dx);
  }

  static std::string label(std::string_view kind, const Way& way, int line, std::size_t longest,
                           std::string_view text) {
    return fmt::format(
        "<text class='{}' x='{}' y='{}' text-anchor='{}' data-longest='{}'>{}</text>", kind,
        way.label.x, way.label.y + 14 * line, way.anchor, longest, text);
  }

  void add(std::size_t edge, const Way& way) {
    const bool sentence = shape_[2 * edge + 1] == 's';
    const std::string lines =
        fmt::format("<path class='line' d='{}'/><path class='tip' d='{}'/>", way.path, head(way));
    if (!sentence) {
      arrows_ += fmt::format("<g class='edge order'>{}{}</g>", lines,
                             label("verbs", way, 0, kLongestVerbs, "later in the thread"));
      return;
    }
    const bool closes = step_ > 0 && step_ + 1 == sentences_;
    const std::string kind = closes ? "closing" : fmt::format("step-{}", step_ % kStepColours);
    const bool has_words = !words_.empty();
    arrows_ += fmt::format(
        "<g class='edge step {}' data-step='{}'>{}<circle cx='{}' cy='{}' r='9.5'/>"
        "<text class='number' x='{}' y='{}'>{}</text>{}{}</g>",
        kind, step_, lines, way.number.x, way.number.y, way.number.x, way.number.y + 4, step_ + 1,
        label("object", way, 0, kLongestObject,
              has_words ? cut(words_[edge].object, kLongestObject) : ""),
        label("verbs", way, 1, kLongestVerbs,
              has_words ? cut(words_[edge].verbs, kLongestVerbs) : ""));
    ++step_;
  }

  std::string box(std::size_t i) const {
    const auto [x, y] = boxes_[i];
    const char kind = shape_[2 * i];
    std::string title, thread;
    if (!words_.empty()) {
      const Block& block = words_[i].from;
      title = block.label ? cut(short_name(block), kLongestTitle) : "a single event";
      thread = cut(block.thread, kLongestTitle);
    }
    return fmt::format(
        "<g class='box{}'><rect x='{}' y='{}' width='{}' height='{}' rx='{}'/>"
        "<text class='title' x='{}' y='{}' data-longest='{}'>{}</text>"
        "<text class='thread' x='{}' y='{}' data-longest='{}'>{}</text></g>",
        kind == 'B' ? " blamed" : "", x - kBoxWidth / 2, y - kBoxHeight / 2, kBoxWidth, kBoxHeight,
        kind == 'u' ? 23 : 9, x, y - 3, kLongestTitle, title, x, y + 14, kLongestTitle, thread);
  }

  std::string finish() const {
    std::string out = arrows_;
    for (std::size_t i = 0; i < count_; ++i) out += box(i);
    return out;
  }

  std::string_view shape_;
  const std::vector<CycleEdge>& words_;
  std::size_t count_, sentences_ = 0, step_ = 0;
  std::vector<Point> boxes_;
  std::string arrows_;
};

}  // namespace

std::vector<CycleEdge> edges_of(const Picture& picture) {
  std::vector<CycleEdge> edges;
  const auto& sentences = picture.sentences;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const Sentence& it = sentences[i];
    const std::string_view object = it.first.object.empty() ? it.second.object : it.first.object;
    edges.push_back(
        {it.from, i, std::string(object),
         fmt::format("{} → {}", verbs(it.first.kind).cell, verbs(it.second.kind).cell)});
    if (same(it.to, sentences[(i + 1) % sentences.size()].from)) continue;
    edges.push_back({it.to, std::nullopt, "", ""});
  }
  return edges;
}

std::string shape_of(const std::vector<CycleEdge>& edges, bool blamed) {
  std::string out;
  for (const CycleEdge& it : edges) {
    out += !it.from.label ? 'u' : out.empty() && blamed ? 'B' : 'b';
    out += it.step ? 's' : 'o';
  }
  return out;
}

Drawing draw_cycle(std::string_view shape, DrawingForm form, const std::vector<CycleEdge>& edges) {
  Drawer drawer(shape, edges);
  return form == DrawingForm::kWide ? drawer.wide() : drawer.tall();
}

}  // namespace omnium::report
