// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "cli/advised.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/report_options.h"
#include "cli/terminal.h"
#include "cli/trace_list.h"
#include "merge/merger.h"
#include "merge/output.h"
#include "merge/specifications.h"
#include "report/json_reader.h"
#include "support/text_file.h"

namespace omnium::cli {

namespace {

struct MergeSettings {
  ReportOptions report = ReportOptions::of_results();
  TraceList results{"results"};
};

Manual manual_of(MergeSettings& settings) {
  return {
      "merge",
      "Merge results of many runs, shards or machines into one.",
      "[options] RESULT.json...",
      "omnium merge shard-*.json -o all.json",
      "0 no violation, 66 violation found, 2 usage or input error",
      joined({settings.report.format_rows(), settings.report.source_rows(),
              settings.report.stack_rows(), settings.report.triage_rows(),
              settings.results.file_rows()}),
      {"RESULT.json", 0, ~std::size_t{0}, &settings.results.words()},
      "A result is what -f json writes. The same cause is told once, with the shortest\n"
      "witness and the runs that saw it. Each run counts once, however often and in\n"
      "whatever order its results are merged. Specifications that omnium refine wrote\n"
      "(*.spec) are merged into one: omnium merge -o all.spec shard-*.spec\n",
  };
}

bool is_specification(const std::string& path) { return path.ends_with(".spec"); }

Result<int> merge_specifications(const Arguments& paths, const std::string& output) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    auto text = support::read_text_file(path);
    if (!text) return tl::unexpected(text.error());
    texts.push_back(std::move(*text));
  }
  const auto merged = merge::merged_specification(texts, paths);
  if (!merged) return tl::unexpected(merged.error());
  auto out = support::OutputFile::create(output);
  if (!out) return tl::unexpected(out.error());
  (*out)->write(*merged);
  if (auto written = (*out)->finish(); !written && !(*out)->reader_left()) {
    return tl::unexpected(written.error());
  }
  return kNothingFound;
}

Result<int> merge_results(const Arguments& paths, const ReportOptions& options) {
  auto out = ReportOutput::open(options);
  if (!out) return tl::unexpected(out.error());
  merge::Merger merger;
  ProgressLine line("merge");
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (auto added = merger.add_file(paths[i]); !added) return tl::unexpected(added.error());
    line.show_count(i + 1, paths.size(), "results");
  }
  line.erase();
  const bool only_json = std::ranges::all_of(
      options.destinations(), [](const auto& to) { return to.format->name == "json"; });
  if (only_json) {
    const auto mark = [&](report::Report& report) { out->mark(report); };
    const auto done = out->write([&](const ReportOutput::Place& place) -> Result<bool> {
      const auto written = merge::write_json(merger.state(), mark, place.bytes);
      if (!written) return tl::unexpected(written.error());
      return true;
    });
    if (!done) return tl::unexpected(done.error());
  } else {
    support::StringSink json;
    const auto leave = [](report::Report&) {};
    if (auto done = merge::write_json(merger.state(), leave, json); !done) {
      return tl::unexpected(done.error());
    }
    auto stored = json.text().empty() ? Result<report::StoredReports>(report::StoredReports())
                                      : report::StoredReports::parse(json.text(), "merged");
    if (!stored) return tl::unexpected(stored.error());
    const auto names = std::make_shared<report::StoredReports>(std::move(*stored));
    for (report::Report& report : names->reports()) {
      if (auto added = out->add(std::move(report), names); !added) {
        return tl::unexpected(added.error());
      }
    }
  }
  if (auto written = out->finish(); !written) return tl::unexpected(written.error());
  return out->has_news() ? kViolation : kNothingFound;
}

}  // namespace

int run_merge(const Arguments& arguments) {
  MergeSettings settings;
  const Manual manual = manual_of(settings);
  if (const auto status = parse(manual, arguments)) return *status;
  if (const auto wrong = settings.report.wrong()) return usage_error(manual, *wrong);
  const auto paths = settings.results.all(manual);
  if (!paths) return paths.error();
  const auto specifications = std::ranges::count_if(*paths, is_specification);
  if (specifications != 0 && static_cast<std::size_t>(specifications) != paths->size()) {
    return usage_error(manual, "results and specifications cannot be merged with each other");
  }
  const auto status = specifications != 0 ? merge_specifications(*paths, settings.report.output())
                                          : merge_results(*paths, settings.report);
  if (status) return *status;
  return report_error(specifications != 0 ? status.error()
                                          : advised(status.error(), FileKind::kResult));
}

}  // namespace omnium::cli
