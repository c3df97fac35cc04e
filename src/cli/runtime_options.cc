// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/runtime_options.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "spec/specification.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr std::array<std::string_view, 3> kBlockModes = {"annotated", "functions", "locks"};

}  // namespace

RuntimeOptions::RuntimeOptions() {
  const char* own = std::getenv(kOptionsVariable);
  if (own != nullptr) text_ = own;
}

void RuntimeOptions::add(std::string_view key, std::string_view value) {
  text_ += fmt::format("{}{}={}", text_.empty() ? "" : ":", key, value);
}

Result<void> RuntimeOptions::add_blocks(const std::string& spec, const std::string& blocks) {
  if (!blocks.empty()) {
    if (std::ranges::find(kBlockModes, blocks) == kBlockModes.end()) {
      return fail({}, fmt::format("--blocks is annotated, functions or locks, not '{}'",
                                  support::terminal_text(blocks)));
    }
    add("blocks", blocks);
  }
  if (spec.empty()) return {};
  Specification specification;
  if (auto read = specification.read_file(spec); !read) return tl::unexpected(read.error());
  const std::string path = std::filesystem::absolute(spec).string();
  if (path.find(':') != std::string::npos) {
    return fail({path}, "the path of a specification must not contain ':'");
  }
  add("spec", path);
  return {};
}

}  // namespace omnium::cli
