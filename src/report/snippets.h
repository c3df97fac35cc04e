// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The source lines that findings speak of, with a few around them, where the files can be read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace omnium::report {

struct Snippet {
  std::string file;  // as the trace spells it
  std::string path;  // absolute
  std::uint32_t first = 0;
  std::vector<std::string> lines;  // cut where they are very long
};

// Looks for a file as it is named, from here, from where its trace is, and from the root of the
// repository. Only for files whose names end as source files do: a trace from elsewhere must not
// pull other files into a report.
std::vector<Snippet> snippets_of(std::span<const Report> reports);

}  // namespace omnium::report
