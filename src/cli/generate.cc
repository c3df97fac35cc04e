// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/number.h"
#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "support/display.h"
#include "workload/workload.h"

namespace omnium::cli {

namespace {

struct GenerateSettings {
  std::string events = "1M", threads = "8", variables = "1000", locks = "16", seed = "1";
  bool violate = false;
  std::string output, to;
  Arguments family;
};

std::string families() {
  std::string out = "families:\n";
  for (const WorkloadFamily& family : workload_families()) {
    out += fmt::format("  {:<12}  {}\n", family.name, family.summary);
  }
  return out;
}

Manual manual_of(GenerateSettings& settings) {
  return {
      "generate",
      "Write a synthetic trace: a family, a size, a seed.",
      "FAMILY [options] -o FILE",
      "omnium generate locks --events 10M --seed 7 -o big.omt",
      "0 success, 2 usage error",
      {
          {'\0', "events", "N",
           "number of events (default: 1M; K, M, G: thousand, million, billion)", &settings.events},
          {'\0', "threads", "N", "number of threads (default: 8)", &settings.threads},
          {'\0', "variables", "N", "number of variables (default: 1000)", &settings.variables},
          {'\0', "locks", "N", "number of locks (default: 16)", &settings.locks},
          {'\0', "seed", "N", "the same seed gives the same trace (default: 1)", &settings.seed},
          {'\0', "violate", "", "plant one violation near the end", &settings.violate},
          {'o', "output", "FILE", "write the trace here; - is standard output", &settings.output},
          {'\0', "to", "FORMAT", "std, csv or omt (default: by the extension of FILE)",
           &settings.to},
      },
      {"FAMILY", 1, 1, &settings.family},
      families(),
  };
}

// Returns a message, or an empty string if all is well.
std::string read_sizes(const GenerateSettings& settings, WorkloadOptions& options) {
  const auto into = [](std::string_view name, const std::string& text, auto& target) {
    using Target = std::remove_reference_t<decltype(target)>;
    const auto number = parse_count(text);
    if (!number) {
      return fmt::format("--{} needs a number such as 500, 100K or 10M, got '{}'", name,
                         support::terminal_text(text));
    }
    if (*number > std::numeric_limits<Target>::max()) {
      return fmt::format("--{} can be at most {}, got {}", name, std::numeric_limits<Target>::max(),
                         support::terminal_text(text));
    }
    target = static_cast<Target>(*number);
    return std::string();
  };
  for (const std::string& wrong :
       {into("events", settings.events, options.events),
        into("threads", settings.threads, options.threads),
        into("variables", settings.variables, options.variables),
        into("locks", settings.locks, options.locks), into("seed", settings.seed, options.seed)}) {
    if (!wrong.empty()) return wrong;
  }
  options.violate = settings.violate;
  return "";
}

}  // namespace

int run_generate(const Arguments& arguments) {
  GenerateSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  WorkloadOptions options;
  if (const std::string wrong = read_sizes(settings, options); !wrong.empty()) {
    return usage_error(manual, wrong);
  }
  if (settings.output.empty()) return usage_error(manual, "missing option: -o FILE");
  const auto format = output_format(settings.output, settings.to);
  if (!format) return usage_error(manual, format.error().message);
  auto source = make_workload(settings.family[0], options);
  if (!source) {
    print_error(source.error());
    return kBadInput;
  }
  (*source)->want_locations(true);
  const auto copied = copy_trace(**source, settings.output, *format, settings.output);
  if (!copied) {
    print_error(copied.error());
    return kBadInput;
  }
  return kNothingFound;
}

}  // namespace omnium::cli
