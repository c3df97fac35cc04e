// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The formats of reports: a line in this table puts one into every command that reports.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/html.h"
#include "report/report.h"
#include "report/text.h"
#include "support/byte_sink.h"
#include "support/error.h"

namespace omnium::report {

struct RenderOptions {
  TextStyle text;
  // Files below this absolute path are named relative to it where machines look for them.
  std::string source_root;
  bool source = false;  // source lines in text
  // For links to source lines in HTML: the name of an editor or a link with {path} and {line}.
  std::string editor = std::string(kDefaultEditor);
};

struct Format {
  std::string_view name;
  // Of files that are written in it if nobody says otherwise, separated by blanks.
  std::string_view extensions;
  // One report after the other, each complete in itself; otherwise all of them make one document.
  bool one_by_one;
  // How many causes it wants drawn; the rest are told in short.
  std::size_t pictures;
  Result<void> (*render)(std::span<const Report> reports, const RenderOptions& options,
                         support::ByteSink& out);
};

std::span<const Format> all_formats();

// nullptr if there is none of that name.
const Format* find_format(std::string_view name);

// The one that the extension of a file stands for; nullptr if there is none. A file without an
// extension is text.
const Format* format_of_file(std::string_view path);

// "text, json, ..."
std::string format_names();

}  // namespace omnium::report
