// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/snippets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "report/location.h"
#include "support/source_root.h"
#include "support/text_file.h"

namespace omnium::report {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAround = 3;            // lines
constexpr std::uintmax_t kMostBytes = 8 << 20;  // of a source file
constexpr std::uint64_t kMostLines = kMostBytes;
constexpr std::size_t kLongestLine = 500;
constexpr std::array<std::string_view, 21> kSourceFiles = {
    ".c",   ".cc", ".cpp", ".cxx", ".c++", ".C",   ".h", ".hh",   ".hpp", ".hxx", ".omp",
    ".h++", ".H",  ".inl", ".ipp", ".tcc", ".tpp", ".m", ".java", ".rs",  ".go"};

// For each file the lines that are named, by the name that the trace uses.
struct Wanted {
  std::set<std::uint32_t> lines;
  fs::path beside;  // the folder of the first trace that names it
};

class Collecting {
 public:
  void add(const Report& report) {
    beside_ = fs::path(report.path).parent_path();
    for (const Cause& cause : report.causes) add(cause);
    if (report.cycle_cause) add(*report.cycle_cause);
  }

  const std::map<std::string_view, Wanted>& files() const { return files_; }

 private:
  void add(const Cause& cause) {
    add(cause.block_location);
    if (cause.failure) {
      add(cause.event_location);
      add(cause.failure->freed);
    }
    for (const Row& row : cause.picture.rows) add(row.event.location);
  }

  void add(std::string_view location) {
    const Location place = parse_location(location);
    if (place.line == 0 || place.line > kMostLines) return;
    files_.try_emplace(place.file, Wanted{{}, beside_})
        .first->second.lines.insert(static_cast<std::uint32_t>(place.line));
  }

  fs::path beside_;
  std::map<std::string_view, Wanted> files_;
};

struct Source {
  std::string path;  // absolute
  std::string text;
};

std::optional<Source> read_source(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes) {
    return std::nullopt;
  }
  auto text = support::read_text_file(path.string());
  if (!text || text->find('\0') != std::string::npos) return std::nullopt;
  const fs::path whole = fs::absolute(path, error);
  return Source{error ? path.string() : whole.lexically_normal().string(), std::move(*text)};
}

void cut_out(std::string_view file, const std::set<std::uint32_t>& wanted, const Source& source,
             std::vector<Snippet>& out) {
  const auto lines = support::lines_of(source.text);
  std::uint32_t done = 0;  // last line that was taken
  for (const std::uint32_t line : wanted) {
    if (line > lines.size()) break;
    const std::uint32_t first = std::max(done + 1, line > kAround ? line - kAround : 1);
    const auto last = std::min(line + kAround, static_cast<std::uint32_t>(lines.size()));
    if (done == 0 || first > done + 1) {
      out.push_back({std::string(file), source.path, first, {}});
    }
    for (std::uint32_t at = first; at <= last; ++at) {
      out.back().lines.emplace_back(lines[at - 1].substr(0, kLongestLine));
    }
    done = last;
  }
}

}  // namespace

std::vector<Snippet> snippets_of(std::span<const Report> reports) {
  Collecting collecting;
  for (const Report& report : reports) collecting.add(report);
  std::vector<Snippet> out;
  for (const auto& [file, wanted] : collecting.files()) {
    if (file.find('\0') != std::string_view::npos) continue;
    const fs::path path(file);
    if (std::ranges::find(kSourceFiles, path.extension().string()) == kSourceFiles.end()) continue;
    auto source = read_source(path);
    if (!source && path.is_relative()) source = read_source(wanted.beside / path);
    if (!source && path.is_relative()) {
      source = read_source(fs::path(support::source_root()) / path);
    }
    if (source) cut_out(file, wanted.lines, *source, out);
  }
  return out;
}

}  // namespace omnium::report
