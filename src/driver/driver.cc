// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/driver.h"

#include <cstdlib>

#include <fmt/format.h>

#include "driver/flags.h"

namespace omnium::driver {

namespace {

std::string variable(const char* name, const char* usual) {
  const char* said = std::getenv(name);
  return said == nullptr || *said == '\0' ? usual : said;
}

// What the user asks for, beyond the command line.
Result<CompileOptions> wanted_options(const CommandLine& line) {
  CompileOptions options{.wide_vectors = line.wide_vectors};
  const std::string functions = variable("OMNIUM_FUNCTIONS", "outlined");
  if (functions == "all") options.functions = FunctionHooks::kAll;
  if (functions == "none") options.functions = FunctionHooks::kNone;
  if (functions != "outlined" && functions != "all" && functions != "none") {
    return fail({}, fmt::format("OMNIUM_FUNCTIONS must be outlined, all or none, got '{}'",
                                printable(functions)));
  }
  const std::string inlined = variable("OMNIUM_INLINE", "accesses");
  options.inlined = inlined == "accesses";
  if (!options.inlined && inlined != "none") {
    return fail(
        {}, fmt::format("OMNIUM_INLINE must be accesses or none, got '{}'", printable(inlined)));
  }
  return options;
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
  auto options = wanted_options(*line);
  if (!options) return tl::unexpected(options.error());
  if (line->joins_runtime) append(*command, link_flags(*files));
  append(*command, words);
  // clang's own assembler does what GNU's does not.
  if (*family == Family::kClang && line->own_assembler) options->inlined = false;
  append(*command, compile_flags(*family, *files, *options));
  return command;
}

Result<Words> flags_for(Language language, const std::string& step) {
  const auto files = find_installation(step == "link");
  if (!files) return tl::unexpected(files.error());
  if (step == "link") return link_flags(*files);
  if (step != "compile")
    return fail({}, fmt::format("--omnium-print-flags must be compile or link, got '{}'", step));
  const auto command = compiler_command(language);
  if (!command) return command;
  const auto family = family_of(*command);
  if (!family) return tl::unexpected(family.error());
  const auto options = wanted_options({.wide_vectors = true});
  if (!options) return tl::unexpected(options.error());
  return compile_flags(*family, *files, *options);
}

}  // namespace omnium::driver
