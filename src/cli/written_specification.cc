// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/written_specification.h"

#include <fmt/format.h>

#include "spec/specification.h"
#include "support/output_file.h"
#include "support/text_file.h"

namespace omnium::cli {

Result<void> write_specification(const std::string& path, const std::string& old_file,
                                 std::string_view found_by, const std::vector<NotAtomic>& blocks) {
  std::string text;
  if (!old_file.empty()) {
    const auto old = support::read_text_file(old_file);
    if (!old) return tl::unexpected(old.error());
    text = *old;
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
  }
  text += fmt::format("# Blocks that were not atomic, found by {}.\n", found_by);
  for (const NotAtomic& block : blocks) {
    const std::string rule = not_atomic_rule(block.label);
    if (rule.empty()) continue;
    text += rule;
    text += block.why.empty() ? "\n" : fmt::format("  # {}\n", block.why);
  }
  auto out = support::OutputFile::create(path);
  if (!out) return tl::unexpected(out.error());
  (*out)->write(text);
  return (*out)->finish();
}

}  // namespace omnium::cli
