// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::report {

namespace {

using support::terminal_text;

struct Verbs {
  std::string_view told, cell;
};

Verbs verbs(Kind kind) {
  switch (kind) {
    case Kind::kRead: return {"read", "read"};
    case Kind::kWrite: return {"wrote", "write"};
    case Kind::kAcquire: return {"locked", "lock"};
    case Kind::kRelease: return {"unlocked", "unlock"};
    case Kind::kBegin: return {"entered", "begin"};
    case Kind::kEnd: return {"left", "end"};
    case Kind::kFork: return {"started", "start"};
    case Kind::kJoin: return {"waited for", "wait for"};
    case Kind::kSkip: return {"ran", "…"};
  }
  return {"", ""};
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string place(std::string_view location) {
  return location == "-" ? "" : terminal_text(location);
}

std::string who(const Block& block) {
  const std::string thread = terminal_text(block.thread);
  if (!block.label) return thread + " (outside any block)";
  if (block.label->empty()) return "a block of " + thread;
  return fmt::format("{} ({})", terminal_text(*block.label), thread);
}

std::string short_name(const Block& block) {
  const std::string thread = terminal_text(block.thread);
  if (!block.label) return thread;
  return block.label->empty() ? "a block of " + thread : terminal_text(*block.label);
}

std::string told(const EventView& event, bool again) {
  std::string out = fmt::format("{} {}", terminal_text(event.thread), verbs(event.kind).told);
  if (event.kind == Kind::kEnd && event.object.empty()) {
    out += " a block";
  } else if (event.kind != Kind::kSkip) {
    out += again ? " it" : " " + terminal_text(event.object);
  }
  const std::string where = place(event.location);
  if (!where.empty()) out += fmt::format(" ({})", where);
  return out;
}

std::string cell(const EventView& event) {
  return fmt::format("{} {}", verbs(event.kind).cell, terminal_text(event.object));
}

std::string claim(const Sentence& sentence) {
  return fmt::format("{} must come before {}", who(sentence.from), who(sentence.to));
}

std::string evidence(const Sentence& sentence) {
  return fmt::format("{}, then {}", told(sentence.first, false),
                     told(sentence.second, sentence.same_object));
}

std::vector<std::string> partner_names(const Cause& cause) {
  std::vector<std::string> names;
  for (const Block& block : cause.partners) {
    std::string name = short_name(block);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string headline(const Cause& cause) {
  std::vector<std::string> objects;
  for (const std::string_view object : cause.objects) objects.push_back(terminal_text(object));
  if (cause.pattern.empty()) return listed(objects);
  const std::string pattern = terminal_text(cause.pattern);
  return objects.empty() ? pattern : fmt::format("{} on {}", pattern, listed(objects));
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  return out;
}

}  // namespace omnium::report
