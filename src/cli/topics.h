// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium help TOPIC`: the pages of docs/guide, which the build puts into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace omnium::cli {

struct Topic {
  std::string_view name;
  std::string_view summary;
  const std::string_view* page;  // markdown
};

std::span<const Topic> all_topics();

// Markdown for a terminal: headings in bold if `colour`, code indented, links as their text.
std::string page_for_terminal(std::string_view markdown, bool colour);

}  // namespace omnium::cli
