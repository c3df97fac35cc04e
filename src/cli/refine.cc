// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/mode_options.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "cli/written_specification.h"
#include "decode/open.h"
#include "engines/checker.h"
#include "engines/registry.h"
#include "report/json_writer.h"
#include "spec/refinement.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

struct RefineSettings {
  SpecificationOptions specification;
  ModeOptions mode;
  std::string output, format = "text";
  Arguments traces;
};

Manual manual_of(RefineSettings& settings) {
  std::vector<Option> options = joined({settings.specification.rows(), settings.mode.rows()});
  options.push_back({'o', "output", "FILE", "write the new specification here", &settings.output});
  options.push_back({'f', "format", "NAME", "format of the list of rounds: text (default), json",
                     &settings.format});
  return {"refine",
          "Find the blocks that are not atomic and write them to a specification.",
          "[options] TRACE...",
          "omnium refine run1.omt run2.omt -o program.spec",
          "0 no block dropped, 66 blocks dropped, 2 usage or input error",
          std::move(options),
          {"TRACE", 1, ~std::size_t{0}, &settings.traces},
          "Works in rounds, as in the papers: check, drop the blocks that were blamed, then\n"
          "check again with the blocks inside them, until nothing is found. One pass over\n"
          "each trace is enough.\n"};
}

Result<void> look_at(const std::string& path, SpecificationOptions& specification, CheckMode mode,
                     Refinement& refinement) {
  auto source = open_trace(path);
  if (!source) return tl::unexpected(source.error());
  const auto spec = specification.for_trace(**source);
  if (!spec) return tl::unexpected(spec.error());
  CheckOptions options;
  options.mode = mode;
  if (!spec->empty()) options.specification = &*spec;
  Progress progress(path);
  if (progress.wanted()) options.progress = [&](EventIndex done) { progress.show(done); };
  refinement.start_trace(path, (*source)->names());
  const auto run = run_trace(**source, *find_engine(kDefaultEngine), refinement, options);
  progress.erase();
  if (!run) return tl::unexpected(run.error());
  specification.look_at((*source)->names());
  for (const std::string& warning : (*source)->warnings()) print_warning(warning);
  for (const std::string& warning : run->warnings) {
    print_warning(fmt::format("{}: {}", support::terminal_text(path), warning));
  }
  return {};
}

std::string rounds_as_text(const std::vector<RefinementRound>& rounds) {
  std::string out = "round  dropped  violations  distinct witnesses\n";
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    out += fmt::format("{:>5}  {:>7}  {:>10}  {:>18}\n", i + 1, rounds[i].dropped.size(),
                       rounds[i].violations, rounds[i].distinct_witnesses);
    for (const auto& dropped : rounds[i].dropped) {
      out += fmt::format("         {}\n", support::terminal_text(dropped.label));
    }
  }
  return out;
}

std::string rounds_as_json(const std::vector<RefinementRound>& rounds) {
  report::JsonWriter json;
  json.open('[');
  for (const RefinementRound& round : rounds) {
    json.open('{');
    json.key("dropped");
    json.open('[');
    for (const auto& dropped : round.dropped) json.string(dropped.label);
    json.close(']');
    json.key("violations");
    json.number(round.violations);
    json.key("distinct_witnesses");
    json.number(round.distinct_witnesses);
    json.close('}');
  }
  json.close(']');
  return json.take() + "\n";
}

std::vector<NotAtomic> dropped_blocks(const std::vector<RefinementRound>& rounds) {
  std::vector<NotAtomic> out;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    for (const auto& dropped : rounds[i].dropped) {
      const std::string_view noun = dropped.violations == 1 ? "violation" : "violations";
      out.push_back(
          {dropped.label, fmt::format("round {}: {} {}, first in {}", i + 1, dropped.violations,
                                      noun, printable(dropped.example, 4096))});
    }
  }
  return out;
}

}  // namespace

int run_refine(const Arguments& arguments) {
  RefineSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (settings.output.empty()) return usage_error(manual, "missing option: -o FILE");
  if (const auto wrong = wrong_choice("format", settings.format, choices("refine", "format"))) {
    return usage_error(manual, *wrong);
  }
  if (const auto wrong = settings.mode.wrong()) return usage_error(manual, *wrong);
  const auto failed = [](const Error& error) {
    print_error(error);
    return kBadInput;
  };
  if (auto read = settings.specification.read(); !read) return failed(read.error());
  Refinement refinement;
  for (const std::string& path : settings.traces) {
    const auto looked = look_at(path, settings.specification, settings.mode.mode(), refinement);
    if (!looked) return failed(looked.error());
  }
  const std::vector<RefinementRound> rounds = refinement.rounds();
  if (auto written = write_specification(settings.output, settings.specification.spec_file(),
                                         "omnium refine", dropped_blocks(rounds));
      !written) {
    return failed(written.error());
  }
  settings.specification.warn_of_unused();
  print_out(settings.format == "json" ? rounds_as_json(rounds) : rounds_as_text(rounds));
  return rounds.size() > 1 ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
