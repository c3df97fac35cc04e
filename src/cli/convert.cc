// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "event/well_formed.h"
#include "support/display.h"
#include "trace/core_events.h"

namespace omnium::cli {

namespace {

Result<void> copy_for_rapid(EventSource& source, const std::string& path, TraceFormat format,
                            const std::string& title, const Meter& meter) {
  auto core = trace::CoreEvents::of(source);
  if (!core) return tl::unexpected(core.error());
  return copy_trace(*core, path, format, title, meter);
}

}  // namespace

int run_convert(const Arguments& arguments) {
  std::string to;
  bool rapid = false;
  Arguments paths;
  const Manual manual{
      "convert",
      "Convert a trace to another format.",
      "[options] IN OUT",
      "omnium convert run.std run.omt",
      "0 success, 2 usage or input error (OUT is not written)",
      {{'\0', "to", "FORMAT", "std, csv or omt (default: by the extension of OUT)", &to},
       {'\0', "rapid", "",
        "only the operations that RAPID knows, with numbers as locations; the others become these",
        &rapid}},
      {"IN OUT", 2, 2, &paths},
      "IN and OUT may be - for standard input and output. IN may be a raw log.\n"};
  if (const auto status = parse(manual, arguments)) return *status;
  const auto format = output_format(paths[1], to);
  if (!format) return usage_error(manual, format.error().message);
  const auto meter = std::make_shared<Meter>();
  auto source = open_metered(paths[0], meter);
  if (!source) {
    print_error(source.error());
    return kBadInput;
  }
  (*source)->want_locations(true);
  const auto copied = rapid ? copy_for_rapid(**source, paths[1], *format, paths[0], *meter)
                            : copy_trace(**source, paths[1], *format, paths[0], *meter);
  if (!copied) {
    print_error(copied.error());
    return kBadInput;
  }
  for (const std::string& warning : (*source)->warnings()) print_warning(warning);
  return kNothingFound;
}

}  // namespace omnium::cli
