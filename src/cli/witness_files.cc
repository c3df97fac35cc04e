// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/witness_files.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "trace/trace.h"

namespace omnium::cli {

namespace {

Result<void> write_file(const std::string& path, const predict::Interleaving& interleaving,
                        const predict::LoadedTrace& trace, const Names& names) {
  auto sink = create_trace(path, TraceFormat::kStd);
  if (!sink) return tl::unexpected(sink.error());
  std::vector<Event> events;
  for (const EventIndex index : interleaving.order()) events.push_back(trace.original(index));
  if (auto written = (*sink)->write(events, names); !written) return written;
  return (*sink)->finish(names);
}

}  // namespace

Result<std::map<EventIndex, std::string>> write_witnesses(const std::string& directory,
                                                          const predict::Prediction& prediction,
                                                          const predict::LoadedTrace& trace,
                                                          const Names& names) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return fail({directory}, failed.message());
  std::map<EventIndex, std::string> paths;
  for (const predict::MethodResult& result : prediction.methods) {
    for (const predict::Warning& warning : result.warnings) {
      if (!warning.interleaving) continue;
      const EventIndex begin = warning.transaction.begin;
      const std::string path =
          fmt::format("{}/{}-{}.std", directory, predict::to_string(result.method), begin);
      if (auto written = write_file(path, *warning.interleaving, trace, names); !written) {
        return tl::unexpected(written.error());
      }
      if (&result == &prediction.methods.front()) paths.emplace(begin, path);
    }
  }
  return paths;
}

}  // namespace omnium::cli
