// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::report {

namespace {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

Verbs verbs(Kind kind) {
  switch (kind) {
    case Kind::kRead: return {"read", "read"};
    case Kind::kWrite: return {"wrote", "write"};
    case Kind::kAcquire: return {"locked", "lock"};
    case Kind::kRelease: return {"unlocked", "unlock"};
    case Kind::kBegin: return {"entered", "begin"};
    case Kind::kEnd: return {"left", "end"};
    case Kind::kFork: return {"started", "start"};
    case Kind::kJoin: return {"joined", "join"};
    case Kind::kAtomicRead: return {"atomically read", "load"};
    case Kind::kAtomicWrite: return {"atomically wrote", "store"};
    case Kind::kUpdate: return {"atomically updated", "update"};
    case Kind::kRetry: return {"failed to update", "retry"};
    case Kind::kSharedAcquire: return {"locked (shared)", "lock shared"};
    case Kind::kSharedRelease: return {"unlocked (shared)", "unlock shared"};
    case Kind::kWait: return {"waited with", "wait with"};
    case Kind::kResume: return {"resumed with", "resume with"};
    case Kind::kSignal: return {"signalled", "signal"};
    case Kind::kAwait: return {"awaited", "await"};
    case Kind::kBusy: return {"found busy", "try"};
    case Kind::kSkip: return {"ran", "…"};
  }
  return {"", ""};
}

std::string name(std::string_view text) {
  return support::cut_middle_to_width(support::terminal_text(text), kLongestName);
}

std::string place(std::string_view location) { return location == "-" ? "" : name(location); }

std::string who(const Block& block) {
  const std::string thread = name(block.thread);
  if (!block.label) return thread + " (outside any block)";
  if (block.label->empty()) return fmt::format("unnamed block ({})", thread);
  return fmt::format("{} ({})", name(*block.label), thread);
}

std::string short_name(const Block& block) {
  const std::string thread = name(block.thread);
  if (!block.label) return thread;
  return block.label->empty() ? "unnamed block of " + thread : name(*block.label);
}

std::string told(const EventView& event, bool again) {
  std::string out = fmt::format("{} {}", name(event.thread), verbs(event.kind).told);
  if (event.kind == Kind::kEnd && event.object.empty()) {
    out += " a block";
  } else if (event.kind != Kind::kSkip) {
    out += again ? " it" : " " + name(event.object);
  }
  const std::string where = place(event.location);
  if (!where.empty()) out += fmt::format(" ({})", where);
  return out;
}

std::string cell(const EventView& event) {
  return fmt::format("{} {}", verbs(event.kind).cell, name(event.object));
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
    std::string partner = short_name(block);
    if (std::ranges::find(names, partner) == names.end()) names.push_back(std::move(partner));
  }
  return names;
}

std::string not_atomic(const Cause& cause) {
  std::vector<std::string> partners;
  for (const Block& block : cause.partners) {
    std::string partner = who(block);
    if (std::ranges::find(partners, partner) == partners.end()) partners.push_back(partner);
  }
  if (partners.empty()) return "was not atomic";
  return fmt::format("was not atomic: {} interfered", listed(partners));
}

std::string headline(const Cause& cause) {
  std::vector<std::string> objects;
  for (const std::string_view object : cause.objects) objects.push_back(name(object));
  if (cause.pattern.empty()) return listed(objects);
  const std::string pattern = support::terminal_text(cause.pattern);
  return objects.empty() ? pattern : fmt::format("{} on {}", pattern, listed(objects));
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : count_of(count, "time"); }

std::string not_told(std::span<const Marks> marks) {
  std::size_t suppressed = 0, known = 0;
  for (const Marks& it : marks) {
    suppressed += it.suppressed.has_value();
    known += !it.suppressed && it.known.value_or(false);
  }
  std::vector<std::string> parts;
  if (suppressed > 0) parts.push_back(fmt::format("{} suppressed", suppressed));
  if (known > 0) parts.push_back(fmt::format("{} in the baseline", known));
  return parts.empty() ? "" : ", of which " + listed(parts);
}

std::string listed(const std::vector<std::string>& items) {
  if (items.size() > kMostListed) {
    std::vector<std::string> some(items.begin(), items.begin() + kMostListed - 1);
    some.push_back(fmt::format("{} more", items.size() - some.size()));
    return listed(some);
  }
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  return out;
}

}  // namespace omnium::report
