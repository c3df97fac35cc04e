// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trace/text_sink.h"
#include "trace/text_source.h"

namespace omnium::trace {

namespace {

constexpr std::uint32_t kNoColumn = ~std::uint32_t{0};

// The column of the thread `name`: i for "T<i>" in plain decimal, below kMaxThreads.
std::optional<std::uint32_t> column_of_name(std::string_view name) {
  if (name.size() < 2 || name[0] != 'T' || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  std::uint32_t column = 0;
  const char* end = name.data() + name.size();
  const auto [stop, status] = std::from_chars(name.data() + 1, end, column);
  if (status != std::errc{} || stop != end || column >= kMaxThreads) return std::nullopt;
  return column;
}

struct Word {
  std::string_view text;
  Kind kind;
};

constexpr Word kWords[] = {
    {"r", Kind::kRead},      {"w", Kind::kWrite},     {"acq", Kind::kAcquire},
    {"rel", Kind::kRelease}, {"enter", Kind::kBegin}, {"exit", Kind::kEnd},
    {"begin", Kind::kBegin}, {"end", Kind::kEnd},     {"start", Kind::kFork},
    {"fork", Kind::kFork},   {"join", Kind::kJoin}};

// What CSV calls this kind: RAPID's words for the core ones, STD's for the others.
constexpr std::string_view csv_word(Kind kind) {
  constexpr std::string_view kCore[kCoreKinds] = {"r",     "w",    "acq",   "rel",
                                                  "enter", "exit", "start", "join"};
  return is_core(kind) ? kCore[static_cast<std::size_t>(kind)] : std_word(kind);
}

class CsvSource final : public TextSource {
 public:
  using TextSource::TextSource;

  std::string_view format() const override { return "csv"; }

 private:
  // The one operation of a line.
  struct Cell {
    std::string_view text;
    std::string_view word;  // before the parenthesis
    std::string_view name;  // inside
    bool has_name;
    std::uint32_t column;
    std::uint64_t line;
    std::size_t place() const { return column + 1; }  // leading commas are one byte each
  };
  // The events of a line: one, or the four of a sync.
  struct Expansion {
    std::array<Event, 4> events;
    std::uint32_t size = 0;
  };

  std::size_t parse(Cursor& cursor, std::span<Event> out, std::size_t first) override;
  std::optional<Cell> find_cell(std::string_view line, std::uint64_t number);
  bool expand(const Cell& cell, Expansion& out);
  bool expand_sync(const Cell& cell, Expansion& out);
  bool append(const Cell& cell, Kind kind, std::string_view name, Expansion& out);
  std::uint32_t thread_of(const Cell& cell);

  std::vector<std::uint32_t> thread_of_column_;
};

std::size_t CsvSource::parse(Cursor& cursor, std::span<Event> out, std::size_t first) {
  std::size_t done = 0;
  while (cursor.at != cursor.end && done < out.size()) {
    const char* end = end_of_line(cursor.at, cursor.end);
    const std::string_view line = without_carriage_return({cursor.at, end});
    if (!line.empty() && line[0] != '#') {
      const std::optional<Cell> cell = find_cell(line, cursor.line);
      Expansion expansion;
      if (!cell || !expand(*cell, expansion)) break;
      while (cursor.step < expansion.size && done < out.size()) {
        start_run(first + done, cursor.line);
        out[done++] = expansion.events[cursor.step++];
      }
      if (cursor.step < expansion.size) break;
    }
    cursor.step = 0;
    cursor.at = end + 1;
    ++cursor.line;
  }
  return done;
}

std::optional<CsvSource::Cell> CsvSource::find_cell(std::string_view line, std::uint64_t number) {
  const std::size_t column = line.find_first_not_of(',');
  if (column == line.npos) {
    reject(number, 1, "expected an operation in one of the columns");
    return std::nullopt;
  }
  if (column >= kMaxThreads) {
    reject(number, kMaxThreads + 1, fmt::format("more than {} columns", kMaxThreads));
    return std::nullopt;
  }
  const std::size_t end = std::min(line.find(',', column), line.size());
  const std::size_t other = line.find_first_not_of(',', end);
  if (other != line.npos) {
    reject(number, other + 1,
           fmt::format("expected one operation per line, got also '{}'",
                       printable(line.substr(other))));
    return std::nullopt;
  }
  Cell cell{line.substr(column, end - column),  {},    {}, false,
            static_cast<std::uint32_t>(column), number};
  const std::size_t open = cell.text.find('(');
  cell.word = cell.text.substr(0, open);
  if (open == cell.text.npos) return cell;
  if (cell.text.back() != ')') {
    reject(number, cell.place(),
           fmt::format("expected ')' at the end of '{}'", printable(cell.text)));
    return std::nullopt;
  }
  cell.has_name = true;
  cell.name = cell.text.substr(open + 1, cell.text.size() - open - 2);
  return cell;
}

bool CsvSource::expand(const Cell& cell, Expansion& out) {
  if (cell.word == "sync") return expand_sync(cell, out);
  for (const Word& word : kWords) {
    if (word.text == cell.word) return append(cell, word.kind, cell.name, out);
  }
  for (std::size_t i = kCoreKinds; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (std_word(kind) == cell.word) return append(cell, kind, cell.name, out);
  }
  reject(cell.line, cell.place(),
         fmt::format(
             "unknown operation '{}': expected r, w, acq, rel, start, join, enter, exit, sync or "
             "one of STD's further operations",
             printable(cell.text)));
  return false;
}

// A synchronized access: RAPID reads it as both accesses under a lock of the variable's own. The
// read comes first here, because it finds out whether the name is a legal one.
bool CsvSource::expand_sync(const Cell& cell, Expansion& out) {
  const std::string lock = fmt::format("VARLOCK-{}-KCOLRAV", cell.name);
  Expansion access;
  if (!append(cell, Kind::kRead, cell.name, access)) return false;
  if (!append(cell, Kind::kAcquire, lock, out)) return false;
  Event event = access.events[0];
  out.events[out.size++] = event;
  event.kind = Kind::kWrite;
  out.events[out.size++] = event;
  return append(cell, Kind::kRelease, lock, out);
}

bool CsvSource::append(const Cell& cell, Kind kind, std::string_view name, Expansion& out) {
  const NameSpace space = object_space(kind);
  if (!cell.has_name && space != NameSpace::kLabels) {
    reject(cell.line, cell.place(),
           fmt::format("expected {}(NAME), got '{}'", cell.word, cell.word));
    return false;
  }
  if (name.empty() && space != NameSpace::kLabels) {
    reject(cell.line, cell.place() + cell.word.size() + 1,
           fmt::format("empty {} name in '{}'", name_of(space), printable(cell.text)));
    return false;
  }
  if (space == NameSpace::kThreads && !column_of_name(name)) {
    reject(cell.line, cell.place() + cell.word.size() + 1,
           fmt::format("expected a thread T0, T1, ..., got '{}'", printable(name)));
    return false;
  }
  const std::uint32_t thread = thread_of(cell);
  // An empty name has no bytes to load from; the line's own will do.
  if (name.empty()) name = cell.text.substr(0, 0);
  const std::uint32_t object = id_of(space, name, cell.line, cell.place());
  if (thread == NameCache::kFull || object == NameCache::kFull) return false;
  out.events[out.size++] = {kind, static_cast<std::uint16_t>(thread), object};
  return true;
}

std::uint32_t CsvSource::thread_of(const Cell& cell) {
  if (cell.column >= thread_of_column_.size()) {
    thread_of_column_.resize(cell.column + 1, NameCache::kFull);
  }
  std::uint32_t& thread = thread_of_column_[cell.column];
  if (thread == NameCache::kFull) {
    char name[NameCache::kShort] = {};
    const auto written = fmt::format_to_n(name, sizeof name, "T{}", cell.column);
    thread = id_of(NameSpace::kThreads, {name, written.size}, cell.line, cell.place());
  }
  return thread;
}

class CsvSink final : public TextSink {
 public:
  using TextSink::TextSink;

 private:
  std::optional<std::string> what_is_wrong(NameSpace space, std::string_view name) const override;
  void format(const Event& event, const Names& names, std::string& out) override;
  std::uint32_t column_of(std::uint32_t thread, const Names& names);

  std::vector<std::uint32_t> column_of_thread_;
  std::vector<bool> taken_;  // by column
  std::uint32_t first_free_ = 0;
};

std::optional<std::string> CsvSink::what_is_wrong(NameSpace space, std::string_view name) const {
  if (space == NameSpace::kThreads || space == NameSpace::kLocations) return std::nullopt;
  if (name.empty() && space != NameSpace::kLabels) return "is empty";
  if (name.find('\n') != name.npos) return "contains a newline";
  if (name.find(',') != name.npos) return "contains a comma";
  // Such a line would look like STD.
  if (name.find('|') != name.npos) return "contains '|'";
  return std::nullopt;
}

// A thread T<i> gets column i if that is free; the others get the first column that is.
std::uint32_t CsvSink::column_of(std::uint32_t thread, const Names& names) {
  if (thread >= column_of_thread_.size()) column_of_thread_.resize(thread + 1, kNoColumn);
  if (taken_.empty()) taken_.resize(kMaxThreads);
  std::uint32_t& column = column_of_thread_[thread];
  if (column != kNoColumn) return column;
  const auto wanted = column_of_name(names.threads.name(thread));
  if (wanted && !taken_[*wanted]) {
    column = *wanted;
  } else {
    while (taken_[first_free_]) ++first_free_;
    column = first_free_;
  }
  taken_[column] = true;
  return column;
}

void CsvSink::format(const Event& event, const Names& names, std::string& out) {
  const NameSpace space = object_space(event.kind);
  out.append(column_of(event.thread_id, names), ',');
  out.append(csv_word(event.kind));
  if (space == NameSpace::kThreads) {
    fmt::format_to(std::back_inserter(out), "(T{})", column_of(event.object, names));
  } else if (const auto object = interner_of(names, space).name(event.object); !object.empty()) {
    out += '(';
    out.append(object);
    out += ')';
  }
  out += '\n';
}

}  // namespace

std::unique_ptr<EventSource> read_csv(std::unique_ptr<Input> input) {
  return std::make_unique<CsvSource>(std::move(input));
}

std::unique_ptr<EventSink> write_csv(std::unique_ptr<Output> output) {
  return std::make_unique<CsvSink>(std::move(output));
}

}  // namespace omnium::trace
