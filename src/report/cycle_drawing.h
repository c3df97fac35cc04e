// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The cycle of a finding as a picture, as the Velodrome paper draws it: a box per transaction, the
// blamed one outlined, an arrow per dependency, the one that closes the cycle dashed, dotted ones
// to later transactions of the same thread. SVG reports and the HTML page have the same drawing.
//
// Boxes and labels have fixed sizes, so the drawing depends on the shape of the cycle alone. The
// page gets one drawing per shape, without words, and fills them in (web/src/cycle.ts); an SVG
// report gets one per finding, with its words. Two forms: the wide one goes down on the left and
// up on the right, the tall one, for phones, only down. Labels have room of their own beside,
// above or below their arrows, for as many letters as they may have: nothing covers another thing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace omnium::report {

// An arrow of the cycle, and the transaction that it leaves.
struct CycleEdge {
  Block from;
  std::optional<std::size_t> step;  // of the picture's sentences; none: in the same thread
  std::string object, verbs;        // "account.balance", "read → write"
};

std::vector<CycleEdge> edges_of(const Picture& picture);

// Two letters per edge: "B" a blamed block, "b" a block, "u" an event outside any block; "s" a
// sentence, "o" the order of a thread. The page computes the same.
std::string shape_of(const std::vector<CycleEdge>& edges, bool blamed);

// Sentences and their arrows have colours: "step-0" and so on (web/src/steps.ts).
inline constexpr std::size_t kStepColours = 7;

enum class DrawingForm : std::uint8_t { kWide, kTall };

struct Drawing {
  int width = 0, height = 0;
  std::string content;  // elements of SVG
};

// `edges` are the words; none: they are left out. A cycle has at least two edges.
Drawing draw_cycle(std::string_view shape, DrawingForm form, const std::vector<CycleEdge>& edges);

}  // namespace omnium::report
