// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "engines/registry.h"

namespace omnium::cli {

namespace {

std::string_view word(Promise promise) {
  switch (promise) {
    case Promise::kNothing: return "-";
    case Promise::kNoFalse: return "no false";
    case Promise::kExact: return "exact";
  }
  return "";
}

}  // namespace

int run_engines(const Arguments& arguments) {
  const Manual manual{"engines",
                      "List the engines and what each one guarantees.",
                      "",
                      "omnium engines",
                      "0",
                      {},
                      {"", 0, 0, nullptr},
                      "columns:\n"
                      "  trace         is the trace serializable?\n"
                      "  transactions  which transactions have a violation, each with a witness?\n"
                      "  instances     what are all their instances?\n"
                      "  blocks        which blocks, nested ones included, are refuted?\n"
                      "values:\n"
                      "  exact         nothing missed, no false reports\n"
                      "  no false      no false reports, but may miss some\n"
                      "  -             not answered\n"};
  if (const auto status = parse(manual, arguments)) return *status;
  std::size_t width = 0;
  for (const EngineEntry& engine : all_engines()) width = std::max(width, engine.info.name.size());
  std::string out = fmt::format("{:<{}}  {:<8}  {:<12}  {:<9}  {}\n", "engine", width, "trace",
                                "transactions", "instances", "blocks");
  for (const EngineEntry& engine : all_engines()) {
    const EngineInfo& info = engine.info;
    out +=
        fmt::format("{:<{}}  {:<8}  {:<12}  {:<9}  {}\n", info.name, width, word(info.serializable),
                    word(info.transactions), word(info.instances), word(info.blocks));
    out += fmt::format("    {}\n    [{}]\n", info.summary, info.reference);
  }
  print_out(out);
  return kNothingFound;
}

}  // namespace omnium::cli
