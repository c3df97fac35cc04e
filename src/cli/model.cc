// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/advised.h"
#include "cli/command.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/report_options.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "decode/open.h"
#include "event/memory_trace.h"
#include "model/compile.h"
#include "model/counterexample.h"
#include "model/explorer.h"
#include "model/from_trace.h"
#include "model/parser.h"
#include "report/build.h"
#include "report/model_json.h"
#include "report/model_text.h"
#include "support/display.h"
#include "support/output_file.h"
#include "support/shown_line.h"
#include "support/text_file.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

struct ModelSettings {
  ModeOptions mode;
  SpecificationOptions specification;
  ReportOptions report;
  std::string trace, from, max_states, max_memory;
  bool no_symmetry = false, no_reduction = false, stats = false;
  Arguments models;
};

Manual manual_of(ModelSettings& settings) {
  return {
      "model",
      "Explore every run of a small model: is each one serializable?",
      "[options] MODEL.omp",
      "omnium model --trace run.std examples/models/set_add.omp",
      "0 all runs serializable, 66 a run is not, 2 unknown or an error",
      joined(
          {settings.mode.rows(),
           {{'\0', "trace", "FILE", "write the counterexample as a trace", &settings.trace},
            {'\0', "max-states", "N", "give up after N states (e.g. 50M)", &settings.max_states},
            {'\0', "max-memory", "N", "give up at N bytes (e.g. 8G)", &settings.max_memory},
            {'\0', "no-symmetry", "", "disable symmetry reduction", &settings.no_symmetry},
            {'\0', "no-reduction", "", "disable partial-order reduction", &settings.no_reduction},
            {'\0', "stats", "", "also print how much was explored, and how fast", &settings.stats}},
           settings.report.format_rows(),
           settings.report.triage_rows(),
           {{'\0', "from", "TRACE", "write a model of all interleavings of TRACE, then exit",
             &settings.from}},
           settings.specification.rows()}),
      {"MODEL.omp", 0, 1, &settings.models},
      "",
  };
}

std::string in_words(const model::Progress& now, const model::Options& options) {
  const double rate = static_cast<double>(now.states) / std::max(now.seconds, 1e-3);
  std::string out = fmt::format("{} states, {:.2f}M/s, queue {}, depth {}", now.states, rate / 1e6,
                                now.queue, now.depth);
  if (options.max_states > 0) {
    const double most = static_cast<double>(options.max_states);
    out += fmt::format(", {:.0f}% of --max-states, at most {} left",
                       static_cast<double>(now.states) * 100 / most,
                       duration_in_words((most - static_cast<double>(now.states)) / rate));
  }
  return out;
}

int write_model(ModelSettings& settings) {
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto source = open_trace(settings.from);
  if (!source) return report_error(source.error());
  const auto spec = settings.specification.for_trace(**source);
  if (!spec) return report_error(spec.error());
  const auto text =
      model::model_from_trace(**source, settings.from, spec->empty() ? nullptr : &*spec);
  if (!text) return report_error(text.error());
  settings.specification.look_at((*source)->names());
  settings.specification.warn_of_unused();
  auto out = support::OutputFile::create(settings.report.output());
  if (!out) return report_error(out.error());
  (*out)->write(*text);
  const auto written = (*out)->finish();
  if (!written && !(*out)->reader_left()) return report_error(written.error());
  return kNothingFound;
}

// Returns the options, or what is wrong with them.
tl::expected<model::Options, std::string> options_of(const ModelSettings& settings) {
  model::Options options;
  options.symmetry = !settings.no_symmetry;
  options.reduction = !settings.no_reduction;
  options.workers = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  options.mode = settings.mode.mode();
  const auto limit = [](const std::string& text, std::uint64_t& out) {
    if (text.empty()) return true;
    const auto count = parse_count(text);
    out = count.value_or(0);
    return out > 0;
  };
  if (!limit(settings.max_states, options.max_states)) {
    return tl::unexpected(std::string("--max-states needs a number above 0, such as 50M"));
  }
  if (!limit(settings.max_memory, options.max_memory)) {
    return tl::unexpected(std::string("--max-memory needs a number above 0, such as 8G"));
  }
  return options;
}

// With the line that it is about.
int report_mistake(const Error& error, const std::string& path) {
  print_error(error);
  const auto text = support::read_text_file(path);
  if (text) fmt::print(stderr, "{}", support::shown_line(error.at, *text));
  return kBadInput;
}

Result<model::Model> read_model(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto program = model::parse(*text, path);
  if (!program) return tl::unexpected(advised(program.error(), path, FileKind::kModel));
  return model::compile(*program);
}

// Does a text report, which has the verdict, go to standard output?
bool is_printed(const ReportOptions& report) {
  const auto all = report.destinations();
  return std::any_of(all.begin(), all.end(), [](const ReportOptions::Destination& it) {
    return it.path == "-" && it.format->name == "text";
  });
}

int exit_status(const ModelSettings& settings, const model::Outcome& outcome,
                const model::Model& model, bool news) {
  switch (outcome.answer) {
    case model::Answer::kSerializable: return kNothingFound;
    case model::Answer::kNotSerializable: return news ? kViolation : kNothingFound;
    case model::Answer::kUnknown:
      if (!is_printed(settings.report)) {
        print_error(fmt::format("no verdict: gave up after {} states", outcome.states));
      }
      return kBadInput;
    case model::Answer::kBadModel: {
      Error error;
      error.at = {model.file, outcome.fault.at.line, outcome.fault.at.column};
      error.message = outcome.fault.message();
      return report_mistake(error, model.file);
    }
  }
  return kBadInput;
}

// Text and JSON also describe the exploration, the other formats only the finding.
Result<void> write_report(report::ModelReport& report, ReportOutput& out) {
  const auto own = [&](const ReportOutput::Place& place) -> Result<bool> {
    if (place.format.name == "json") {
      report::render_model_json(report, place.bytes);
    } else if (place.format.name == "text") {
      report::render_model_text(report, place.options.text, place.bytes);
    } else {
      return false;
    }
    return true;
  };
  Result<void> done;
  if (report.finding) {
    out.mark(*report.finding);
    done = out.add_marked(*report.finding, nullptr, own);
  } else {
    done = out.write(own);
  }
  return done ? out.finish() : done;
}

int explore_model(const ModelSettings& settings, model::Options options) {
  const std::string& path = settings.models[0];
  const auto model = read_model(path);
  if (!model) return report_mistake(model.error(), path);
  ProgressLine line(path);
  if (line.wanted()) {
    options.progress = [&](const model::Progress& now) { line.show(in_words(now, options)); };
  }
  const auto outcome = model::explore(*model, options);
  line.erase();
  if (!outcome) return report_error(outcome.error());

  const MemoryTrace run = to_trace(*model, outcome->run);
  const MemoryTrace deadlock = to_trace(*model, outcome->deadlock_run);
  report::ModelReport report{path, &*outcome, &*model, options.mode, nullptr, nullptr, {}, {}};
  report.stats = settings.stats;
  if (!outcome->run.empty()) report.run = &run;
  if (outcome->deadlock) report.deadlock = &deadlock;
  if (outcome->answer == model::Answer::kNotSerializable) {
    MemorySource source(run);
    CheckOptions checking;
    checking.mode = options.mode;
    auto finding = report::check_and_report(source, path, *find_engine(kDefaultEngine), checking);
    if (!finding) return report_error(finding.error());
    report.finding = std::move(*finding);
    if (!settings.trace.empty()) {
      const auto format = output_format(settings.trace, "");
      MemorySource again(run);
      const auto copied = copy_trace(again, settings.trace, *format, path);
      if (!copied) return report_error(copied.error());
    }
  }
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  if (auto done = write_report(report, *out); !done) {
    return report_error(done.error());
  }
  return exit_status(settings, *outcome, *model, out->has_news());
}

}  // namespace

int run_model(const Arguments& arguments) {
  ModelSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (settings.from.empty()) {  // otherwise -o names a model
    if (const auto wrong = settings.report.wrong()) return usage_error(manual, *wrong);
  }
  if (const auto wrong = settings.mode.wrong()) return usage_error(manual, *wrong);
  if (settings.from.empty() == settings.models.empty()) {
    return usage_error(manual, "expected either MODEL.omp or --from TRACE");
  }
  if (!settings.from.empty()) return write_model(settings);
  const auto options = options_of(settings);
  if (!options) return usage_error(manual, options.error());
  if (!settings.trace.empty()) {
    const auto format = output_format(settings.trace, "");
    if (!format) return usage_error(manual, format.error().message);
  }
  return explore_model(settings, *options);
}

}  // namespace omnium::cli
