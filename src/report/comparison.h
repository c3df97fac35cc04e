// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The engines side by side, as the papers' tables have them.
#pragma once

#include <string>
#include <vector>

#include "engines/comparison.h"
#include "event/check_mode.h"
#include "support/byte_sink.h"

namespace omnium::report {

struct Comparison {
  std::string path;
  CheckMode mode;
  std::vector<ComparedEngine> engines;
  std::vector<std::string> disagreements;
};

void render_text(const Comparison& comparison, support::ByteSink& out);
void render_json(const Comparison& comparison, support::ByteSink& out);

}  // namespace omnium::report
