// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/block_options.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/watched_run.h"

namespace omnium::cli {

namespace {

// Returns the value of a key in "key=value:key=value"; the last one wins.
std::string value_of(const std::string& options, std::string_view key) {
  const std::string marked = ":" + options, wanted = fmt::format(":{}=", key);
  const std::size_t at = marked.rfind(wanted);
  if (at == std::string::npos) return "";
  const std::string rest = marked.substr(at + wanted.size());
  return rest.substr(0, rest.find(':'));
}

}  // namespace

std::vector<Option> BlockOptions::rows() {
  return {
      {'s', "spec", "FILE", "which blocks should be atomic (default: every block)", &spec_},
      {'\0', "blocks", "KIND",
       "annotated; functions: all except main and thread entry functions; locks: every critical "
       "section; functions,locks: both (default: annotated; functions if there is no annotation "
       "and no specification)",
       &blocks_},
  };
}

std::optional<std::string> BlockOptions::wrong() const {
  if (blocks_.empty()) return std::nullopt;
  return wrong_choice("value of --blocks", blocks_, choices("", "blocks"));
}

Result<std::string> BlockOptions::for_runtime() {
  const char* own = std::getenv(kOptionsVariable);
  std::string out = own == nullptr ? "" : own;
  if (!spec_.empty()) {
    const std::string path = std::filesystem::absolute(spec_).string();
    if (path.find(':') != std::string::npos) {
      return fail({path}, "the path of a specification cannot contain ':'");
    }
    add_runtime_option(out, "spec", path);
  }
  if (!blocks_.empty()) add_runtime_option(out, "blocks", blocks_);
  if (spec_.empty()) spec_ = value_of(out, "spec");
  if (blocks_.empty()) blocks_ = value_of(out, "blocks");
  if (spec_.empty() && blocks_.empty()) add_runtime_option(out, "undeclared", "functions");
  return out;
}

Result<void> BlockOptions::read_specification() {
  return spec_.empty() ? Result<void>() : specification_.read_file(spec_);
}

std::string with_runtime_options(std::string options, std::string_view more) {
  if (!options.empty() && !more.empty()) options += ':';
  return options.append(more);
}

void add_runtime_option(std::string& options, std::string_view key, std::string_view value) {
  options += fmt::format("{}{}={}", options.empty() ? "" : ":", key, value);
}

}  // namespace omnium::cli
