// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/mode_options.h"
#include "cli/progress.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "cli/trace_list.h"
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
  TraceList traces;
};

Manual manual_of(RefineSettings& settings) {
  std::vector<Option> options = joined({settings.specification.rows(), settings.mode.rows()});
  options.push_back({'o', "output", "FILE", "write the new specification here", &settings.output});
  options.push_back({'f', "format", "NAME", "format of the list of rounds: text (default), json",
                     &settings.format});
  options = joined({options, settings.traces.rows()});
  return {"refine",
          "Find the blocks that are not atomic and write them to a specification.",
          "[options] TRACE...",
          "omnium refine run1.omt run2.omt -o program.spec",
          "0 no block dropped, 66 blocks dropped, 2 usage or input error",
          std::move(options),
          {"TRACE", 0, ~std::size_t{0}, &settings.traces.words()},
          "Works in rounds, as in the papers: check, drop the blocks that were blamed, then\n"
          "check again with the blocks inside them, until nothing is found. One pass over\n"
          "each trace is enough.\n"};
}

// A trace that was read to its end.
struct Looked {
  std::unique_ptr<EventSource> source;  // owns the names in the refinement
  Refinement refinement;
  std::vector<std::string> warnings;
};

// Several threads may do that at once. `alone`: progress may be shown.
Result<std::unique_ptr<Looked>> look_at(const std::string& path, const RefineSettings& settings,
                                        bool alone) {
  auto out = std::make_unique<Looked>();
  ProgressLine line(path);
  const bool shows = alone && line.wanted();
  const auto meter = shows ? std::make_shared<Meter>() : nullptr;
  auto source = shows ? open_metered(path, meter) : open_trace(path);
  if (!source) return tl::unexpected(source.error());
  out->source = std::move(*source);
  const auto spec = settings.specification.for_trace(*out->source);
  if (!spec) return tl::unexpected(spec.error());
  CheckOptions options;
  options.mode = settings.mode.mode();
  options.reads_ahead = alone && settings.traces.may_read_ahead();
  if (!spec->empty()) options.specification = &*spec;
  if (shows) {
    options.progress = [&](EventIndex done) { line.show_events(done, *meter); };
  }
  out->refinement.start_trace(path, out->source->names());
  const auto run = run_trace(*out->source, *find_engine(kDefaultEngine), out->refinement, options);
  line.erase();
  if (!run) return tl::unexpected(run.error());
  out->warnings = out->source->warnings();
  for (const std::string& warning : run->warnings) {
    out->warnings.push_back(fmt::format("{}: {}", support::terminal_text(path), warning));
  }
  return out;
}

// What was refuted in all traces of the list; the first error, if there is one.
Result<Refinement> refuted_in(const Arguments& traces, RefineSettings& settings) {
  Refinement all;
  std::optional<Error> error;
  const std::size_t jobs = settings.traces.jobs(traces.size());
  std::vector<Result<std::unique_ptr<Looked>>> looked(traces.size());
  const auto work = [&](std::size_t i) { looked[i] = look_at(traces[i], settings, jobs == 1); };
  in_order(traces.size(), jobs, work, [&](std::size_t i) {
    const auto one = std::exchange(looked[i], nullptr);
    if (error) return;
    if (!one) {
      error = one.error();
      return;
    }
    all.add((*one)->refinement);
    settings.specification.look_at((*one)->source->names());
    for (const std::string& warning : (*one)->warnings) print_warning(warning);
  });
  if (error) return tl::unexpected(*error);
  return all;
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
  if (const auto wrong = settings.traces.wrong()) return usage_error(manual, *wrong);
  const auto traces = settings.traces.all(manual);
  if (!traces) return traces.error();
  if (auto read = settings.specification.read(); !read) return failed(read.error());
  const auto refinement = refuted_in(*traces, settings);
  if (!refinement) return failed(refinement.error());
  const std::vector<RefinementRound> rounds = refinement->rounds();
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
