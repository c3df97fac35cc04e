// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One page for a browser, with everything inside: the viewer (web/) and what it shows, as JSON.
#pragma once

#include <span>
#include <string_view>

#include "report/report.h"
#include "report/snippets.h"
#include "support/byte_sink.h"

namespace omnium::report {

inline constexpr std::string_view kDefaultEditor = "VS Code";

// `editor`: for links to source lines, the name of one that web/src/editor.ts knows, or a link with
// {path} and {line}.
void render_html(std::span<const Report> reports, std::span<const Snippet> snippets,
                 std::string_view editor, support::ByteSink& out);

}  // namespace omnium::report
