// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/figure.h"

#include <map>
#include <sstream>

#include <fmt/format.h>

#include "event/well_formed.h"
#include "support/check.h"
#include "trace/name_space.h"

namespace omnium::test {

namespace {

struct Drawn {
  std::string thread, op, object;
};

Event to_event(const Drawn& drawn, Names& names) {
  const auto thread = static_cast<std::uint16_t>(names.threads.intern(drawn.thread));
  const auto with = [&](Kind kind, support::Interner& space) {
    return Event{kind, thread, space.intern(drawn.object)};
  };
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (drawn.op == std_word(kind)) {
      return with(kind, trace::interner_of(names, trace::object_space(kind)));
    }
  }
  CHECK(false);
}

}  // namespace

Trace figure(std::string_view drawing) {
  std::map<std::size_t, Drawn> by_column;
  std::istringstream lines{std::string(drawing)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name_begin = line.find_first_not_of(' ');
    if (name_begin == std::string::npos) continue;
    const std::size_t colon = line.find(':');
    CHECK(colon != std::string::npos);
    const std::string thread = line.substr(name_begin, colon - name_begin);
    for (std::size_t at = line.find_first_not_of(' ', colon + 1); at != std::string::npos;) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      const std::string word = line.substr(at, end - at);
      const std::size_t open = std::min(word.find('('), word.size());
      Drawn drawn{thread, word.substr(0, open), ""};
      if (open < word.size()) drawn.object = word.substr(open + 1, word.size() - open - 2);
      CHECK(by_column.emplace(at, drawn).second);
      at = line.find_first_not_of(' ', end);
    }
  }
  Trace trace;
  for (const auto& [column, drawn] : by_column)
    trace.events.push_back(to_event(drawn, trace.names));
  WellFormed checker;
  const auto wrong = checker.check(trace.events, trace.names);
  if (wrong) std::fprintf(stderr, "figure: %s\n", wrong->what.c_str());
  CHECK(!wrong);
  return trace;
}

std::string to_std(const Trace& trace) {
  std::string out;
  for (const Event& e : trace.events) {
    std::string op = "# skipped";
    if (e.kind == Kind::kEnd) {
      op = "end";
    } else if (e.kind != Kind::kSkip) {
      const auto& names = trace::interner_of(trace.names, trace::object_space(e.kind));
      op = fmt::format("{}({})", std_word(e.kind), names.name(e.object));
    }
    out += fmt::format("{}|{}|\n", trace.names.threads.name(e.thread_id), op);
  }
  return out;
}

}  // namespace omnium::test
