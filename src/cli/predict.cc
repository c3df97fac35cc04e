// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/number.h"
#include "cli/peak_memory.h"
#include "cli/report_options.h"
#include "cli/specification_options.h"
#include "cli/terminal.h"
#include "decode/open.h"
#include "event/memory_trace.h"
#include "predict/predict.h"
#include "report/build.h"
#include "report/predict_json.h"
#include "report/predict_text.h"
#include "support/display.h"
#include "trace/trace.h"

namespace omnium::cli {

namespace {

struct PredictSettings {
  std::string method = "commit-node";
  std::string atomicity = "conflict";
  SpecificationOptions specification;
  ReportOptions report;
  std::string witness;
  std::string budget = "50M";
  Arguments traces;
};

Manual manual_of(PredictSettings& settings) {
  return {
      "predict",
      "Look for atomicity violations in other interleavings of a recorded trace.",
      "[options] TRACE",
      "omnium predict --witness found run.omt",
      "0 no warning, 66 warnings, 2 usage or input error",
      joined({{{'m', "method", "NAME", "commit-node (default), block, reduction, all",
                &settings.method},
               {'\0', "atomicity", "KIND",
                "conflict (default) or view; only for commit-node (block is always view, reduction "
                "always conflict)",
                &settings.atomicity}},
              settings.specification.rows(),
              settings.report.format_rows(),
              settings.report.triage_rows(),
              {{'\0', "witness", "DIR",
                "write each interleaving found as a trace that `omnium check` reports as not "
                "serializable",
                &settings.witness},
               {'\0', "budget", "EVENTS",
                "search budget, in events (default: 50M; 0: do not search)", &settings.budget}}}),
      {"TRACE", 1, 1, &settings.traces},
      "text and JSON list all warnings, the other formats only interleavings found.\n",
  };
}

constexpr std::size_t kMostFindings = 100;  // each one is a pass over the whole trace

// Writes the interleavings that were built to files, and explains them as findings.
class Witnesses {
 public:
  Witnesses(const PredictSettings& settings, predict::Method main,
            const predict::LoadedTrace& trace, const Names& names)
      : settings_(settings), main_(main), trace_(trace), names_(names) {}

  void take(const predict::Warning& warning, predict::Method method) {
    if (error_ || !warning.interleaving) return;
    const auto order = warning.interleaving->order();
    std::string path;
    if (!settings_.witness.empty()) {
      path = fmt::format("{}/{}-{}.std", settings_.witness, predict::to_string(method),
                         warning.transaction.begin);
      if (auto written = write_file(path, order); !written) error_ = written.error();
    }
    const bool wanted = settings_.report.format().name != "text" || settings_.report.wants_triage();
    if (method == main_) paths_.emplace(warning.transaction.begin, path);
    if (method == main_ && wanted) explain(warning, path, order);
  }

  std::map<EventIndex, report::Report>& findings() { return findings_; }
  std::map<EventIndex, std::string>& paths() { return paths_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  Result<void> write_file(const std::string& path, std::span<const EventIndex> order) {
    std::error_code failed;
    std::filesystem::create_directories(settings_.witness, failed);
    if (failed) return fail({settings_.witness}, failed.message());
    auto sink = create_trace(path, TraceFormat::kStd);
    if (!sink) return tl::unexpected(sink.error());
    std::vector<Event> events;
    for (const EventIndex index : order) events.push_back(trace_.original(index));
    if (auto written = (*sink)->write(events, names_); !written) return written;
    return (*sink)->finish(names_);
  }

  void explain(const predict::Warning& warning, const std::string& path,
               std::span<const EventIndex> order) {
    if (findings_.size() == kMostFindings) return;
    std::vector<Event> events;
    for (const EventIndex index : order) events.push_back(trace_.events[index]);
    MemorySource source(events, names_);
    auto finding = report::check_and_report(
        source, path.empty() ? settings_.traces[0] + " in another order" : path,
        *find_engine(kDefaultEngine), {});
    if (finding) {
      findings_.emplace(warning.transaction.begin, std::move(*finding));
    } else {
      error_ = finding.error();
    }
  }

  const PredictSettings& settings_;
  predict::Method main_;
  const predict::LoadedTrace& trace_;
  const Names& names_;
  std::map<EventIndex, report::Report> findings_;
  std::map<EventIndex, std::string> paths_;
  std::optional<Error> error_;
};

// Turns the settings into options. A value means wrong usage and is the exit status.
std::optional<int> options_of(const Manual& manual, const PredictSettings& settings,
                              predict::PredictOptions& options) {
  const auto wrong = [&](std::string_view what, std::string_view value, std::string_view known) {
    return usage_error(manual, fmt::format("unknown {} '{}' (choose from {})", what,
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
  if (const auto message = settings.report.wrong()) return usage_error(manual, *message);
  if (settings.method == "all" && settings.report.wants_triage()) {
    return usage_error(manual, "--suppressions and --baseline cannot be combined with -m all");
  }
  const auto budget = parse_count(settings.budget);
  if (!budget) return usage_error(manual, "--budget needs a number of events, such as 50M");
  options.budget = *budget;
  options.search = *budget > 0;
  return std::nullopt;
}

// A warning without an interleaving, as a finding that suppressions can match.
report::Report as_finding(const report::PredictReport& report, const predict::Warning& warning) {
  report::Cause cause;
  cause.id = report.id(warning);
  cause.block = report.block(warning.transaction);
  if (const auto object = report.object(warning); !object.empty()) cause.objects = {object};
  cause.count = warning.copies;
  report::Report out;
  out.path = report.path;
  out.causes.push_back(std::move(cause));
  return out;
}

// The marks of a finding: those of a cause that is news, if there is one.
report::Marks marks_of(const report::Report& finding) {
  if (finding.causes.empty()) {
    return finding.cycle_cause ? finding.cycle_cause->marks : report::Marks();
  }
  const auto news = std::ranges::find_if(
      finding.causes, [](const report::Cause& cause) { return cause.marks.news(); });
  return (news == finding.causes.end() ? finding.causes.front() : *news).marks;
}

// Marks which warnings are known; true if one is not. Findings of formats that are rendered later
// are counted then.
bool mark_warnings(report::PredictReport& report, bool rendered_later, ReportOutput& out) {
  bool news = false;
  for (const predict::Warning& warning : report.main().warnings) {
    const EventIndex begin = warning.transaction.begin;
    const auto built = report.findings.find(begin);
    const bool is_built = built != report.findings.end();
    report::Report finding = is_built ? built->second : as_finding(report, warning);
    if (is_built && rendered_later) {
      out.marker()(finding);
    } else {
      out.mark(finding);
    }
    report.marks[begin] = marks_of(finding);
    news |= report.marks[begin].news();
    if (is_built && !rendered_later) built->second = std::move(finding);
  }
  return news;
}

// Text and JSON list everything, the other formats only the interleavings that were found.
Result<void> write_report(const report::PredictReport& report, const report::Format& format,
                          const std::shared_ptr<EventSource>& source, ReportOutput& out) {
  if (format.name == "json") report::render_predict_json(report, out.bytes());
  if (format.name == "text") {
    report::render_predict_text(report, out.render_options().text, out.bytes());
  }
  if (!format.one_by_one) {
    for (const auto& [begin, finding] : report.findings) {
      if (auto added = out.add(finding, source); !added) return added;
    }
  }
  return {};
}

// Predicts and reports; true if there is a warning that is not known.
Result<bool> predict_one(PredictSettings& settings, predict::PredictOptions options,
                         ReportOutput& out) {
  auto opened = open_trace(settings.traces[0]);
  if (!opened) return tl::unexpected(opened.error());
  const std::shared_ptr<EventSource> source = std::move(*opened);
  const auto spec = settings.specification.for_trace(*source);
  if (!spec) return tl::unexpected(spec.error());
  source->want_locations(true);
  const auto trace = predict::load_trace(*source, spec->empty() ? nullptr : &*spec);
  if (!trace) return tl::unexpected(trace.error());
  settings.specification.look_at(source->names());
  for (const std::string& warning : source->warnings()) print_warning(warning);
  const Names& names = source->names();
  Witnesses witnesses(settings, options.methods.front(), *trace, names);
  const auto started = std::chrono::steady_clock::now();
  const auto prediction = predict::predict(*trace, options);
  for (const predict::MethodResult& result : prediction.methods) {
    for (const predict::Warning& warning : result.warnings) witnesses.take(warning, result.method);
  }
  if (witnesses.error()) return tl::unexpected(*witnesses.error());
  report::PredictReport report{
      settings.traces[0],           prediction, *trace, names, std::move(witnesses.findings()),
      std::move(witnesses.paths()), {}};
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  report.peak_bytes = peak_bytes();
  bool found = false, complete = true;
  for (const predict::MethodResult& result : prediction.methods) {
    found |= !result.warnings.empty();
    complete &= result.complete;
  }
  const bool known = found && settings.report.wants_triage() &&
                     !mark_warnings(report, !settings.report.format().one_by_one, out);
  if (auto written = write_report(report, settings.report.format(), source, out); !written) {
    return tl::unexpected(written.error());
  }
  if (!found && !complete) {
    return fail({settings.traces[0]}, "no verdict: gave up before all pairs were compared");
  }
  return found && !known;
}

}  // namespace

int run_predict(const Arguments& arguments) {
  PredictSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  predict::PredictOptions options;
  if (const auto status = options_of(manual, settings, options)) return *status;
  if (auto read = settings.specification.read(); !read) return report_error(read.error());
  auto out = ReportOutput::open(settings.report);
  if (!out) return report_error(out.error());
  const auto found = predict_one(settings, std::move(options), *out);
  if (!found) return report_error(found.error());
  if (auto written = out->finish(); !written) return report_error(written.error());
  settings.specification.warn_of_unused();
  return *found ? kViolation : kNothingFound;
}

}  // namespace omnium::cli
