// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "predict/predict.h"
#include "report/predict_json.h"
#include "report/predict_text.h"
#include "support/display.h"
#include "support/output_file.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

struct PredictSettings {
  std::string method = "commit-node";
  std::string atomicity = "conflict";
  SpecificationOptions specification;
  std::string format = "text";
  std::string output = "-";
  std::string witness;
  std::string budget = "50M";
  std::string colour = "auto";
  Arguments traces;
};

Manual manual_of(PredictSettings& settings) {
  Manual manual{
      "predict",
      "Look for atomicity violations in other interleavings of a recorded trace.",
      "[options] TRACE",
      "omnium predict --witness found run.omt",
      "0 none found, 66 warnings, 2 wrong usage or input",
      {
          {'m', "method", "NAME", "commit-node (default), block, reduction, all", &settings.method},
          {'\0', "atomicity", "KIND",
           "conflict (default), view; for commit-node (block is view,\nreduction is conflict)",
           &settings.atomicity},
          {'f', "format", "NAME", "text (default), json", &settings.format},
          {'o', "output", "FILE", "where the report goes (default: standard output)",
           &settings.output},
          {'\0', "witness", "DIR",
           "write each interleaving that was found, as a trace that\n`omnium check` calls not "
           "serializable",
           &settings.witness},
          {'\0', "budget", "EVENTS",
           "how many events the search for them may schedule\n(default 50M; 0: do not search)",
           &settings.budget},
          {'\0', "color", "WHEN", "auto (default), always, never", &settings.colour},
      },
      {"TRACE", 1, 1, &settings.traces},
      "",
  };
  const auto rows = settings.specification.rows();
  manual.options.insert(manual.options.begin() + 2, rows.begin(), rows.end());
  return manual;
}

// Writes confirmed interleavings, one file per warning.
class WitnessWriter {
 public:
  WitnessWriter(std::string directory, const predict::Recording& recording, const Names& names)
      : directory_(std::move(directory)), recording_(recording), names_(names) {}

  // The path; empty after an error.
  std::string write(const predict::Warning& warning, predict::Method method,
                    std::span<const EventIndex> order) {
    if (error_) return {};
    const std::string path = fmt::format("{}/{}-{}.std", directory_, predict::to_string(method),
                                         warning.transaction.begin);
    if (auto written = write_file(path, order); !written) {
      error_ = written.error();
      return {};
    }
    return path;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  Result<void> write_file(const std::string& path, std::span<const EventIndex> order) {
    std::error_code failed;
    std::filesystem::create_directories(directory_, failed);
    if (failed) return fail({directory_}, failed.message());
    auto sink = create_trace(path, TraceFormat::kStd);
    if (!sink) return tl::unexpected(sink.error());
    std::vector<Event> events;
    for (const EventIndex index : order) events.push_back(recording_.recorded(index));
    if (auto written = (*sink)->write(events, names_); !written) return written;
    return (*sink)->finish(names_);
  }

  std::string directory_;
  const predict::Recording& recording_;
  const Names& names_;
  std::optional<Error> error_;
};

// The settings as options; a value: wrong usage, and that is the status.
std::optional<int> options_of(const Manual& manual, const PredictSettings& settings,
                              predict::PredictOptions& options) {
  const auto wrong = [&](std::string_view what, std::string_view value, std::string_view known) {
    return usage_error(manual, fmt::format("unknown {} '{}'; there are {}", what,
                                           support::terminal_text(value), known));
  };
  if (settings.method == "all") {
    options.methods.assign(std::begin(predict::kAllMethods), std::end(predict::kAllMethods));
  } else if (const auto method = predict::find_method(settings.method)) {
    options.methods = {*method};
  } else {
    return wrong("method", settings.method, "commit-node, block, reduction, all");
  }
  const auto atomicity = predict::find_atomicity(settings.atomicity);
  if (!atomicity) return wrong("atomicity", settings.atomicity, "conflict, view");
  options.atomicity = *atomicity;
  if (settings.format != "text" && settings.format != "json") {
    return wrong("format", settings.format, "text, json");
  }
  const auto budget = parse_count(settings.budget);
  if (!budget) return usage_error(manual, "--budget is a number of events");
  options.budget = *budget;
  options.confirm = *budget > 0;
  return std::nullopt;
}

// The prediction and its report; is there a warning?
Result<bool> predict_one(const PredictSettings& settings, predict::PredictOptions options,
                         const report::TextStyle& style, support::OutputFile& out) {
  auto source = open_trace(settings.traces[0]);
  if (!source) return tl::unexpected(source.error());
  const auto spec = settings.specification.for_trace(**source);
  if (!spec) return tl::unexpected(spec.error());
  (*source)->want_locations(true);
  const auto recording = predict::record(**source, spec->empty() ? nullptr : &*spec);
  if (!recording) return tl::unexpected(recording.error());
  for (const std::string& warning : (*source)->warnings()) print_warning(warning);
  const Names& names = (*source)->names();
  WitnessWriter witnesses(settings.witness, *recording, names);
  if (!settings.witness.empty()) {
    options.on_witness = [&](const predict::Warning& warning, predict::Method method,
                             std::span<const EventIndex> order) {
      return witnesses.write(warning, method, order);
    };
  }
  const auto started = std::chrono::steady_clock::now();
  const auto prediction = predict::predict(*recording, options);
  if (witnesses.error()) return tl::unexpected(*witnesses.error());
  report::PredictReport report{settings.traces[0], prediction, *recording, names};
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  report.peak_bytes = peak_bytes();
  if (settings.format == "json") {
    report::render_predict_json(report, out);
  } else {
    report::render_predict_text(report, style, out);
  }
  bool found = false, complete = true;
  for (const predict::MethodResult& result : prediction.methods) {
    found |= !result.warnings.empty();
    complete &= result.complete;
  }
  if (!found && !complete) {
    return fail({settings.traces[0]}, "unknown: gave up before all pairs were compared");
  }
  return found;
}

}  // namespace

int run_predict(const Arguments& arguments) {
  PredictSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  predict::PredictOptions options;
  if (const auto status = options_of(manual, settings, options)) return *status;
  const auto colour = colour_of(settings.colour);
  if (!colour) {
    return usage_error(manual, fmt::format("--color is auto, always or never, not '{}'",
                                           support::terminal_text(settings.colour)));
  }
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto out = support::OutputFile::create(settings.output);
  if (!out) return report_error(out.error());
  const bool to_terminal = settings.output == "-";
  const report::TextStyle style{to_terminal ? terminal_width() : 80,
                                use_colour(*colour, to_terminal)};
  const auto found = predict_one(settings, std::move(options), style, **out);
  if (!found) return report_error(found.error());
  const auto written = (*out)->finish();
  if (!written && !(*out)->reader_left()) return report_error(written.error());
  return *found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
