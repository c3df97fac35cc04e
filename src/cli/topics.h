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

// Markdown for a terminal of `columns`: headings in bold if `colour`, code indented. Links to other
// topics name the command that shows them, other links are their text; those in brackets of their
// own lead to pages that are not in the program, and are left out.
std::string page_for_terminal(std::string_view markdown, std::size_t columns, bool colour);

}  // namespace omnium::cli
