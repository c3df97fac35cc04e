// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/source_lines.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/location.h"
#include "report/paint.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

constexpr std::uint64_t kAround = 2;
constexpr std::size_t kNumberWidth = 12;  // "  ►   44    "

using Lines = std::set<std::uint64_t>;

std::map<std::string_view, Lines> lines_of_sentences(const Picture& picture) {
  std::map<std::string_view, Lines> files;
  for (const Sentence& sentence : picture.sentences) {
    for (const std::string_view place : {sentence.first.location, sentence.second.location}) {
      const Location at = parse_location(place);
      if (at.line != 0) files[at.file].insert(at.line);
    }
  }
  return files;
}

bool is_near(const Lines& lines, std::uint64_t line) {
  const auto next = lines.lower_bound(line - std::min(line, kAround));
  return next != lines.end() && *next <= line + kAround;
}

std::string source_line(std::uint64_t number, std::string_view text, bool marked,
                        const TextStyle& style) {
  const Paint paint(style.colour);
  std::string spaced;
  for (const char c : text) spaced += c == '\t' ? std::string("    ") : std::string(1, c);
  const std::string cut = support::cut_to_width(support::terminal_text(spaced),
                                                style.width - std::min(style.width, kNumberWidth));
  std::string line = fmt::format("  {} {:>5}    ", marked ? "►" : " ", number);
  line = marked ? paint.yellow(line + cut) : paint.dim(line) + cut;
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string render_source_lines(const Picture& picture, const TextStyle& style) {
  std::string out;
  for (const auto& [file, marked] : lines_of_sentences(picture)) {
    std::uint64_t last = 0;
    for (const Snippet& snippet : style.snippets) {
      if (snippet.file != file) continue;
      for (std::size_t i = 0; i < snippet.lines.size(); ++i) {
        const std::uint64_t number = snippet.first + i;
        if (!is_near(marked, number)) continue;
        if (last == 0) out += fmt::format("  {}\n", name(file));
        if (last != 0 && number != last + 1) out += "        ⋮\n";
        out += source_line(number, snippet.lines[i], marked.contains(number), style);
        last = number;
      }
    }
  }
  return out;
}

}  // namespace omnium::report
