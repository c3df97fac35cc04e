// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/columns.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "report/location.h"
#include "report/paint.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

using support::cut_front_to_width;
using support::cut_to_width;
using support::display_width;
using support::fit_to_width;

constexpr std::size_t kNumberWidth = 8;           // "    12  "
constexpr std::size_t kGap = 4;                   // between columns
constexpr std::size_t kLeastColumn = 16;          // narrower ones make a list instead
constexpr std::size_t kMostShift = 4;             // per column of a list
constexpr std::uint64_t kWorthMentioning = 1000;  // events that a table may pass over silently

// The one file of all places, if there is one: then line numbers are enough.
std::string_view common_file(const Picture& picture) {
  std::string_view file;
  for (const Row& row : picture.rows) {
    if (place(row.event.location).empty()) continue;
    const std::string_view own = parse_location(row.event.location).file;
    if (own.empty() || (!file.empty() && own != file)) return "";
    file = own;
  }
  return file;
}

struct Cell {
  std::string text, place;
};

struct Layout {
  std::vector<std::size_t> text;   // width per column, places without
  std::vector<std::size_t> place;  // width per column
  std::vector<std::size_t> total;
};

std::string head(const Column& column) {
  std::string out = name(column.thread);
  if (column.label && !column.label->empty()) out += "  " + name(*column.label);
  return out;
}

std::vector<Cell> cells_of(const Picture& picture) {
  const std::string_view file = common_file(picture);
  std::vector<Cell> cells;
  for (const Row& row : picture.rows) {
    std::string_view location = row.event.location;
    if (file.empty()) {  // of several files the names are enough
      location.remove_prefix(parse_location(location).file.rfind('/') + 1);
    } else if (location.starts_with(file)) {
      location.remove_prefix(file.size());
    }
    cells.push_back({cell(row.event), place(location)});
  }
  return cells;
}

// As wide as the content, at most an equal share of the line.
Layout lay_out(const Picture& picture, const std::vector<Cell>& cells, std::size_t width) {
  const std::size_t columns = picture.columns.size();
  Layout layout{std::vector<std::size_t>(columns, 0), std::vector<std::size_t>(columns, 0),
                std::vector<std::size_t>(columns, 0)};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t column = picture.rows[i].column;
    auto& text = layout.text[column];
    auto& places = layout.place[column];
    text = std::max(text, display_width(cells[i].text));
    places = std::max(places, display_width(cells[i].place));
  }
  const std::size_t taken = kNumberWidth + kGap * (columns - 1);
  const std::size_t share = (width > taken ? width - taken : 0) / columns;
  for (std::size_t c = 0; c < columns; ++c) {
    layout.place[c] = std::min(layout.place[c], share * 2 / 5);
    const std::size_t places = layout.place[c] == 0 ? 0 : layout.place[c] + 2;
    const std::size_t content =
        std::max(layout.text[c] + places, display_width(head(picture.columns[c])));
    layout.total[c] = std::min(content, share);
    layout.text[c] = layout.total[c] - std::min(places, layout.total[c]);
  }
  return layout;
}

std::string_view note(Row::Mark mark) {
  switch (mark) {
    case Row::Mark::kNone: return "";
    case Row::Mark::kOpens: return "◄ the window opens here";
    case Row::Mark::kCloses: return "◄ and closes here";
  }
  return "";
}

std::string skipped_line(const Row& row) {
  if (row.skipped < kWorthMentioning) return "";
  return fmt::format("{:{}}⋮ {}\n", "", kNumberWidth, count_of(row.skipped, "other event"));
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string render_table(const Picture& picture, const std::vector<Cell>& cells,
                         const Layout& layout, const TextStyle& style) {
  const Paint paint(style.colour);
  std::string line(kNumberWidth, ' ');
  for (std::size_t c = 0; c < picture.columns.size(); ++c) {
    line += paint.bold(fit_to_width(head(picture.columns[c]), layout.total[c]));
    if (c + 1 < picture.columns.size()) line.append(kGap, ' ');
  }
  std::string out = without_trailing_blanks(std::move(line));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Row& row = picture.rows[i];
    out += skipped_line(row);
    std::size_t used = kNumberWidth;
    line = paint.dim(fmt::format("{:>6}  ", i + 1));
    for (std::size_t c = 0; c < row.column; ++c) used += layout.total[c] + kGap;
    line.append(used - kNumberWidth, ' ');
    const std::size_t c = row.column;
    line += fit_to_width(cells[i].text, layout.text[c]);
    if (layout.place[c] != 0) {
      const std::string where = cut_front_to_width(cells[i].place, layout.place[c]);
      line.append(2 + layout.place[c] - display_width(where), ' ');
      line += paint.dim(where);
    }
    used += layout.text[c] + (layout.place[c] == 0 ? 0 : layout.place[c] + 2);
    const std::size_t room = style.width > used + 3 ? style.width - used - 3 : 0;
    if (row.mark != Row::Mark::kNone && room >= 3) {
      line += "   " + paint.yellow(cut_to_width(note(row.mark), room));
    }
    out += without_trailing_blanks(std::move(line));
  }
  return out;
}

// For more threads than fit side by side: one event per line, its thread in front, later columns
// further to the right.
std::string render_list(const Picture& picture, const std::vector<Cell>& cells,
                        const TextStyle& style) {
  const Paint paint(style.colour);
  std::size_t threads = 0, widest = 0;
  for (const Column& column : picture.columns) {
    threads = std::max(threads, display_width(name(column.thread)));
  }
  for (const Cell& it : cells) widest = std::max(widest, display_width(it.text + it.place) + 2);
  threads = std::min(threads, style.width / 4);
  const std::size_t used = kNumberWidth + threads + 2;
  const std::size_t room = style.width > used ? style.width - used : 1;
  const std::size_t shift =
      std::min(kMostShift, room > widest ? (room - widest) / picture.columns.size() : 0);
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Row& row = picture.rows[i];
    out += skipped_line(row);
    std::string text =
        fmt::format("{:{}}{}  {}", "", shift * row.column, cells[i].text, cells[i].place);
    if (row.mark != Row::Mark::kNone) text += fmt::format("   {}", note(row.mark));
    out += without_trailing_blanks(
        fmt::format("{}{}  {}", paint.dim(fmt::format("{:>6}  ", i + 1)),
                    paint.bold(fit_to_width(name(picture.columns[row.column].thread), threads)),
                    cut_to_width(text, room)));
  }
  return out;
}

}  // namespace

std::string render_columns(const Picture& picture, const TextStyle& style) {
  if (picture.rows.empty()) return "";
  const std::vector<Cell> cells = cells_of(picture);
  const std::size_t columns = picture.columns.size();
  const std::size_t taken = kNumberWidth + kGap * (columns - 1);
  if (style.width < taken + kLeastColumn * columns) return render_list(picture, cells, style);
  return render_table(picture, cells, lay_out(picture, cells, style.width), style);
}

}  // namespace omnium::report
