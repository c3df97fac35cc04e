// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/driver.h"

#include <cstdlib>

#include <fmt/format.h>

#include "driver/flags.h"

namespace omnium::driver {

namespace {

Result<FunctionHooks> wanted_functions() {
  const char* said = std::getenv("OMNIUM_FUNCTIONS");
  const std::string value = said == nullptr || *said == '\0' ? "outlined" : said;
  if (value == "outlined") return FunctionHooks::kOutlined;
  if (value == "all") return FunctionHooks::kAll;
  if (value == "none") return FunctionHooks::kNone;
  return fail(
      {}, fmt::format("OMNIUM_FUNCTIONS is {}; it can be outlined, all or none", printable(value)));
}

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

Result<Words> instrumented(Language language, const Words& words) {
  auto command = compiler_command(language);
  if (!command) return command;
  const auto line = classify(words);
  if (!line) return tl::unexpected(line.error());
  if (line->work == Work::kNothing) {
    append(*command, words);
    return command;
  }
  const auto files = find_installation(line->joins_runtime);
  if (!files) return tl::unexpected(files.error());
  const auto family = family_of(*command);
  if (!family) return tl::unexpected(family.error());
  const auto functions = wanted_functions();
  if (!functions) return tl::unexpected(functions.error());
  if (line->joins_runtime) append(*command, link_flags(*files));
  append(*command, words);
  append(*command, compile_flags(*family, *files, {line->wide_vectors, *functions}));
  return command;
}

Result<Words> flags_for(Language language, const std::string& step) {
  const auto files = find_installation(step == "link");
  if (!files) return tl::unexpected(files.error());
  if (step == "link") return link_flags(*files);
  if (step != "compile")
    return fail({}, fmt::format("--omnium-print-flags={}: the steps are compile and link", step));
  const auto command = compiler_command(language);
  if (!command) return command;
  const auto family = family_of(*command);
  if (!family) return tl::unexpected(family.error());
  const auto functions = wanted_functions();
  if (!functions) return tl::unexpected(functions.error());
  return compile_flags(*family, *files, {.functions = *functions});
}

}  // namespace omnium::driver
