// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "event/well_formed.h"
#include "recording/open.h"
#include "support/display.h"

namespace omnium::cli {

int run_convert(const Arguments& arguments) {
  std::string to;
  Arguments paths;
  const Manual manual{
      "convert",
      "Write a trace in another format; nothing of it is lost.",
      "[options] IN OUT",
      "omnium convert run.std run.omt",
      "0 done, 2 wrong usage or input (then there is no OUT)",
      {{'\0', "to", "FORMAT", "std, csv, omt (default: by the name of OUT)", &to}},
      {"IN OUT", 2, 2, &paths},
      "IN and OUT may be -, standard input and output. IN may be the raw log of a recording.\n"};
  if (const auto status = parse(manual, arguments)) return *status;
  const auto format = output_format(paths[1], to);
  if (!format) return usage_error(manual, format.error().message);
  auto source = open_trace(paths[0]);
  if (!source) {
    print_error(source.error());
    return kBadInput;
  }
  (*source)->want_locations(true);
  const auto copied = copy_trace(**source, paths[1], *format, paths[0]);
  if (!copied) {
    print_error(copied.error());
    return kBadInput;
  }
  for (const std::string& warning : (*source)->warnings()) print_warning(warning);
  return kNothingFound;
}

}  // namespace omnium::cli
