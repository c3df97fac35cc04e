// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The report that a person reads (docs/formats shows one).
#pragma once

#include <cstdint>
#include <span>

#include "report/report.h"
#include "report/snippets.h"
#include "support/byte_sink.h"

namespace omnium::report {

enum class TextPart : std::uint8_t {
  kAll,
  kFindings,  // without the verdict: one of many to come
  kSummary,   // a line or two per cause, and the verdict
};

struct TextStyle {
  std::size_t width = 80;
  bool colour = false;
  TextPart part = TextPart::kAll;
  bool stacks = false;
  std::span<const Snippet> snippets = {};  // source lines to show
};

// One finding of the report, without the verdict.
void render_cause(const Report& report, const Cause& cause, const TextStyle& style,
                  support::ByteSink& out);

void render_text(const Report& report, const TextStyle& style, support::ByteSink& out);

}  // namespace omnium::report
