// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/roadrunner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "trace/text_source.h"

namespace omnium::trace {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Removes leading white space; how much it was.
std::size_t skip_spaces(std::string_view& text) {
  std::size_t spaces = 0;
  while (spaces < text.size() && is_space(text[spaces])) ++spaces;
  text.remove_prefix(spaces);
  return spaces;
}

// Removes and returns the bytes up to a comma or white space.
std::string_view take_word(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] != ',' && !is_space(text[length])) ++length;
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

struct Word {
  std::string_view text;
  Kind kind;
};

constexpr Word kWords[] = {{"Acquire(", Kind::kAcquire}, {"Release(", Kind::kRelease},
                           {"Rd(", Kind::kRead},         {"ARd(", Kind::kRead},
                           {"Wr(", Kind::kWrite},        {"AWr(", Kind::kWrite},
                           {"Start(", Kind::kFork},      {"Join(", Kind::kJoin},
                           {"Enter(", Kind::kBegin},     {"Exit(", Kind::kEnd}};

struct Operation {
  Kind kind;
  std::string_view thread;
  std::string_view object;
  std::string_view loc;  // of accesses
};

// Nothing for a line that is not an event.
std::optional<Operation> match(std::string_view line) {
  if (!line.starts_with('@')) return std::nullopt;
  line.remove_prefix(1);
  if (skip_spaces(line) == 0) return std::nullopt;
  const auto word = std::find_if(std::begin(kWords), std::end(kWords),
                                 [&](const Word& w) { return line.starts_with(w.text); });
  if (word == std::end(kWords)) return std::nullopt;
  line.remove_prefix(word->text.size());
  Operation operation{word->kind, take_word(line), {}, {}};
  if (operation.thread.empty() || !line.starts_with(',')) return std::nullopt;
  line.remove_prefix(1);
  // The object ends at the last parenthesis of its word: methods have parentheses of their own.
  std::string_view rest = line;
  const std::string_view object = take_word(rest);
  const std::size_t close = object.rfind(')');
  if (close == object.npos || close == 0) return std::nullopt;
  operation.object = object.substr(0, close);
  line.remove_prefix(close + 1);
  if (object_space(operation.kind) != NameSpace::kVariables) return operation;
  skip_spaces(line);
  take_word(line);
  skip_spaces(line);
  operation.loc = take_word(line);
  if (operation.loc.empty()) return std::nullopt;
  return operation;
}

class RoadRunnerSource final : public TextSource {
 public:
  using TextSource::TextSource;

  std::string_view format() const override { return "roadrunner"; }

 private:
  std::size_t parse(Cursor& cursor, std::span<Event> out, std::size_t first) override;
  bool to_event(const Operation& operation, std::uint64_t line, Event& event);
};

std::size_t RoadRunnerSource::parse(Cursor& cursor, std::span<Event> out, std::size_t first) {
  std::size_t done = 0;
  while (cursor.at != cursor.end && done < out.size()) {
    const char* end = end_of_line(cursor.at, cursor.end);
    if (const auto operation = match({cursor.at, end})) {
      if (!to_event(*operation, cursor.line, out[done])) break;
      ++done;
    } else {
      start_run(first + done, cursor.line + 1);
    }
    cursor.at = end + 1;
    ++cursor.line;
  }
  return done;
}

bool RoadRunnerSource::to_event(const Operation& operation, std::uint64_t line, Event& event) {
  const std::uint32_t thread = id_of(NameSpace::kThreads, operation.thread, line, 1);
  if (thread == NameCache::kFull) return false;
  event = {operation.kind, static_cast<std::uint16_t>(thread), 0};
  event.object = id_of(object_space(operation.kind), operation.object, line, 1);
  if (event.object == NameCache::kFull) return false;
  if (!locations_wanted() || operation.loc.empty()) return true;
  event.loc_id = id_of(NameSpace::kLocations, operation.loc, line, 1);
  return event.loc_id != NameCache::kFull;
}

}  // namespace

std::unique_ptr<EventSource> read_roadrunner(std::unique_ptr<Input> input) {
  return std::make_unique<RoadRunnerSource>(std::move(input));
}

}  // namespace omnium::trace
