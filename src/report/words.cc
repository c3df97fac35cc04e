// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "finding/pattern.h"
#include "spec/specification.h"
#include "support/display.h"
#include "support/text_file.h"

namespace omnium::report {

Verbs verbs(Kind kind) {
  switch (kind) {
    case Kind::kRead: return {"read", "reads", "read"};
    case Kind::kWrite: return {"wrote", "writes", "write"};
    case Kind::kAcquire: return {"locked", "locks", "lock"};
    case Kind::kRelease: return {"unlocked", "unlocks", "unlock"};
    case Kind::kBegin: return {"entered", "enters", "begin"};
    case Kind::kEnd: return {"left", "leaves", "end"};
    case Kind::kFork: return {"started", "starts", "start"};
    case Kind::kJoin: return {"joined", "joins", "join"};
    case Kind::kAtomicRead: return {"atomically read", "atomically reads", "load"};
    case Kind::kAtomicWrite: return {"atomically wrote", "atomically writes", "store"};
    case Kind::kUpdate: return {"atomically updated", "atomically updates", "update"};
    case Kind::kRetry: return {"failed to update", "fails to update", "retry"};
    case Kind::kSharedAcquire: return {"locked (shared)", "locks (shared)", "lock shared"};
    case Kind::kSharedRelease: return {"unlocked (shared)", "unlocks (shared)", "unlock shared"};
    case Kind::kWait: return {"waited with", "waits with", "wait with"};
    case Kind::kResume: return {"resumed with", "resumes with", "resume with"};
    case Kind::kSignal: return {"signalled", "signals", "signal"};
    case Kind::kAwait: return {"awaited", "awaits", "await"};
    case Kind::kBusy: return {"found busy", "finds busy", "try"};
    case Kind::kSkip: return {"ran", "runs", "…"};
  }
  return {"", "", ""};
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

std::string told(const EventView& event, bool again, Status status) {
  const Verbs verb = verbs(event.kind);
  std::string out =
      fmt::format("{} {}", name(event.thread), is_predicted(status) ? verb.imagined : verb.told);
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

std::string claim(const Sentence& sentence, Status status) {
  return fmt::format("{} {} come before {}", who(sentence.from),
                     is_predicted(status) ? "would have to" : "must", who(sentence.to));
}

std::string evidence(const Sentence& sentence, Status status) {
  return fmt::format("{}, then {}", told(sentence.first, false, status),
                     told(sentence.second, sentence.same_object, status));
}

std::vector<std::string> partner_names(const Cause& cause) {
  std::vector<std::string> names;
  for (const Block& block : cause.partners) {
    std::string partner = short_name(block);
    if (std::ranges::find(names, partner) == names.end()) names.push_back(std::move(partner));
  }
  return names;
}

std::string other_variants(const Cause& cause) {
  std::string out;
  for (std::size_t i = 1; i < cause.variants.size(); ++i) {
    const Variant& it = cause.variants[i];
    std::vector<std::string> partners;
    for (const auto& label : it.partners) {
      partners.push_back(!label           ? "code outside any block"
                         : label->empty() ? "an unnamed block"
                                          : name(*label));
    }
    out += out.empty() ? "" : "; ";
    out += support::terminal_text(it.pattern.empty() ? "a cycle" : it.pattern);
    if (!partners.empty()) out += " with " + listed(partners);
    out += fmt::format(" ({})", times(it.count));
  }
  return out;
}

namespace {

// Why a cause comes last.
std::string harmless(const Cause& cause) {
  if (!is_noise(cause)) return "";
  const std::string object = cause.objects.empty() ? "the object" : name(cause.objects.front());
  if (cause.noise == Noise::kLazyInitialization) {
    return fmt::format(
        "Looks like lazy initialization that is checked twice: the block reads {} without a lock, "
        "then again with the lock that is held when it is set.",
        object);
  }
  std::string changed = object;
  if (const auto& sentences = cause.picture.sentences; !sentences.empty()) {
    const EventView& opens = sentences.front().first;
    const EventView& closes = sentences.back().second;
    if (!is_write(opens.kind) && !is_write(closes.kind)) {
      return fmt::format("Looks like {}: the block only reads, for statistics.",
                         a_noise(cause.noise));
    }
    changed = name(opens.object);
    if (opens.object != closes.object) changed += " and " + name(closes.object);
  }
  return fmt::format("Looks like {}: the block only changes {}, each time in one atomic step.",
                     a_noise(cause.noise), changed);
}

// Functions that nobody declared atomic, and that have this cause, too.
std::string other_functions(const Cause& cause) {
  if (cause.other_functions.empty()) return "";
  std::vector<std::string> names;
  for (const std::string_view function : cause.other_functions) names.push_back(name(function));
  return fmt::format("Not atomic in the same way: {}.", listed(names));
}

// Why a cause is not told in full.
std::string explained_by(const Cause& cause) {
  if (!follows(cause)) return "";
  const std::string id = support::terminal_text(cause.follows_from);
  return is_noise(cause) ? fmt::format("Like {}.", id)
                         : fmt::format(
                               "Follows from {}: that function, which it calls, is not "
                               "atomic either.",
                               id);
}

// "hold m from bank.cpp:44 to bank.cpp:55"
std::string longer_section(const Cause& cause, const std::string& lock, const std::string& from,
                           const std::string& to) {
  if (from == to) return fmt::format("hold {} from the first of these accesses to the last", lock);
  if (cause.picture.in_order) return fmt::format("hold {} from {} to {}", lock, from, to);
  const std::string block = name(cause.block.label.value_or(""));
  return fmt::format("hold {} {}around both accesses, {} and {}", lock,
                     block.empty() ? "" : fmt::format("in {} ", block), from, to);
}

// "Hint: hold m from bank.cpp:44 to bank.cpp:55."; empty if that is not known or would not help.
std::string lock_hint(const Cause& cause, const std::string& lock) {
  const std::string from = place(cause.picture.sentences.front().first.location);
  const std::string to = place(cause.picture.sentences.back().second.location);
  // In a hand-over the other needs the lock to answer.
  const bool hand_over = cause.pattern == to_string(Pattern{PatternName::kBrokenHandOver});
  // Whoever waits for a condition has to give the lock up.
  const bool waited = std::ranges::any_of(cause.picture.rows, [](const Row& it) {
    return it.mark == Row::Mark::kOpens && it.event.kind == Kind::kWait;
  });
  if (from.empty() || to.empty() || hand_over || waited) return "";
  std::string hint = fmt::format("Hint: {}.", longer_section(cause, lock, from, to));
  const std::string given_up = place(cause.picture.given_up_at);
  const std::string taken_again = place(cause.picture.taken_again_at);
  if (given_up.empty() || taken_again.empty()) return hint;
  return fmt::format("{} If it is given up on purpose ({}), check again after taking it ({}).",
                     hint, given_up, taken_again);
}

}  // namespace

std::string a_noise(Noise noise) {
  const bool countable = noise != Noise::kLazyInitialization;
  return fmt::format("{}{}", countable ? "a " : "", to_string(noise));
}

std::vector<std::string> remarks(const Cause& cause) {
  const bool predicted = is_predicted(cause.status);
  std::vector<std::string> out{meaning(cause), explained_by(cause), harmless(cause),
                               other_functions(cause)};
  if (cause.picture.held) {
    const std::string lock = name(*cause.picture.held);
    out.push_back(fmt::format(
        "Every access {} {}: this is not a data race, and ThreadSanitizer cannot see it.",
        predicted ? "holds" : "held", lock));
    // What is harmless needs no advice.
    if (!is_noise(cause)) out.push_back(lock_hint(cause, lock));
  }
  if (!cause.own_lock.empty()) {
    out.push_back(fmt::format(
        "Hint: {} is used like a lock: an atomic update takes it, a store gives it back. If it is "
        "one, say so in the program (omnium help false-alarms).",
        name(cause.own_lock)));
  }
  if (const std::string others = other_variants(cause); !others.empty()) {
    out.push_back(fmt::format("Also {}: {}.", predicted ? "possible" : "seen", others));
  }
  for (const std::string_view hunt : support::lines_of(cause.found_by)) {
    out.push_back(support::terminal_text(hunt));
  }
  out.push_back(cause.seen_by);
  std::erase(out, "");
  return out;
}

std::string seen_by(const Cause& cause, std::span<const Report> runs) {
  constexpr std::size_t kMostPaths = 3;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < cause.seen_in.size() && paths.size() < kMostPaths; ++i) {
    std::string path = support::terminal_text(runs[cause.seen_in[i].run].path);
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  }
  return fmt::format("{} in {} of {}, such as {}; shown as in {}.",
                     is_predicted(cause.status) ? "Possible" : "Seen",
                     grouped(cause.seen_in.size()), count_of(runs.size(), "run"), listed(paths),
                     support::terminal_text(runs[cause.shown_in].path));
}

std::string specification_line(const Cause& cause) {
  if (is_failure(cause)) return "";
  return not_atomic_rule(cause.block.label.value_or(""));
}

std::string suppression_line(const Cause& cause) {
  return fmt::format("suppress {} because REASON", support::terminal_text(cause.id));
}

std::string could_happen(Status status) {
  return is_predicted(status) ? fmt::format(" could happen ({})", to_string(status)) : "";
}

std::string meaning(const Cause& cause) {
  if (!cause.changed_read) return std::string(meaning(cause.status));
  return fmt::format(
      "Possible: {}, but sees another value than in the recording, so the program might go another "
      "way.",
      told(*cause.changed_read, false, cause.status));
}

std::string could_be_interrupted(const std::vector<std::string>& partners) {
  if (partners.empty()) return "could be interrupted";
  return fmt::format("could be interrupted by {}", listed(partners));
}

std::string not_atomic(const Cause& cause) {
  std::vector<std::string> partners;
  for (const Block& block : cause.partners) {
    std::string partner = who(block);
    if (std::ranges::find(partners, partner) == partners.end()) partners.push_back(partner);
  }
  if (is_predicted(cause.status)) return could_be_interrupted(partners);
  if (partners.empty()) return "was not atomic";
  return fmt::format("was not atomic: {} interfered", listed(partners));
}

std::string in_some_cycle(const Cause& cause) {
  std::vector<std::string> blocks = partner_names(cause);
  blocks.insert(blocks.begin(), short_name(cause.block));
  return fmt::format("{} {} part of a cycle of transactions without a serial order", listed(blocks),
                     blocks.size() == 1 ? "is" : "are");
}

std::string undescribed(std::uint64_t count) {
  return count == 1
             ? "1 violation was seen, but the program did not describe it"
             : count_of(count, "violation") + " were seen, but the program did not describe them";
}

std::vector<std::string> lock_waits(const Failure& failure) {
  std::vector<std::string> out;
  for (const LockWait& wait : failure.waits) {
    out.push_back(fmt::format("{} waits for {}, which {} holds", name(wait.thread), name(wait.lock),
                              name(wait.held_by)));
  }
  return out;
}

std::string headline(const Cause& cause) {
  if (is_failure(cause)) return name(cause.failure->what);
  std::vector<std::string> objects;
  for (const std::string_view object : cause.objects) objects.push_back(name(object));
  if (cause.pattern.empty()) return listed(objects);
  const std::string pattern = support::terminal_text(cause.pattern);
  return objects.empty() ? pattern : fmt::format("{} on {}", pattern, listed(objects));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string percent(const Sample& sample) {
  return fmt::format("{} %", sample.millionths / 1e4);
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
