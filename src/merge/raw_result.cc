// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/raw_result.h"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "merge/json_scan.h"

namespace omnium::merge {

namespace {

constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t hash, std::string_view more) {
  return (hash ^ XXH3_64bits(more.data(), more.size())) * kMix;
}

struct CauseMember {
  std::string_view key;
  std::string_view RawCause::*target;
  bool merged;  // computed anew
};

constexpr CauseMember kCauseMembers[] = {
    {"id", &RawCause::id, false},
    {"pattern", &RawCause::pattern, false},
    {"partners", &RawCause::partners, false},
    {"status", &RawCause::status, false},
    {"explained", &RawCause::explained, false},
    {"picture", &RawCause::picture, false},
    {"failure", &RawCause::failure, false},
    {"count", &RawCause::count, true},
    {"seen_in", &RawCause::seen_in, true},
    {"shown_in", &RawCause::shown_in, true},
    {"variants", &RawCause::variants, true},
    {"looks_like", &RawCause::looks_like, true},
    {"found_by", &RawCause::found_by, true},
    {"suppressed", &RawCause::suppressed, true},
    {"known", &RawCause::known, true},
    {"remarks", nullptr, true},
};

const CauseMember* find_member(std::string_view key) {
  const auto* at = std::ranges::find(kCauseMembers, key, &CauseMember::key);
  return at == std::end(kCauseMembers) ? nullptr : at;
}

std::size_t read_cause(std::string_view text, std::size_t at, RawCause& out) {
  const std::size_t end = for_each_member(text, at, [&](std::string_view key, std::size_t from) {
    const std::string_view value = value_at(text, from);
    const CauseMember* member = find_member(key);
    if (member != nullptr && member->target != nullptr) out.*member->target = value;
    if (member == nullptr || !member->merged) {
      out.witness_hash = mixed(mixed(out.witness_hash, key), value);
    }
    return value.empty() ? kNowhere : from + value.size();
  });
  if (end != kNowhere) out.whole = text.substr(at, end - at);
  return out.id.size() > 2 && out.id.front() == '"' ? end : kNowhere;
}

std::size_t read_violation(std::string_view text, std::size_t at, RawResult& out) {
  std::string_view id;
  RawViolation violation;
  const std::size_t end = for_each_member(text, at, [&](std::string_view key, std::size_t from) {
    if (key == "witness" && text[from] == '[') {
      return for_each_element(text, from, [&](std::size_t step) {
        ++violation.steps;
        return end_of_value(text, step);
      });
    }
    const std::string_view value = value_at(text, from);
    if (key == "id") id = value;
    return value.empty() ? kNowhere : from + value.size();
  });
  if (end == kNowhere) return end;
  violation.whole = text.substr(at, end - at);
  const auto [known, is_new] = out.shortest_of_id.emplace(id, violation);
  if (!is_new && violation.steps < known->second.steps) known->second = violation;
  return end;
}

std::size_t read_report(std::string_view text, std::size_t at, RawResult& out) {
  out.head = "{";
  const std::size_t end = for_each_member(text, at, [&](std::string_view key, std::size_t from) {
    if (key == "causes") {
      return for_each_element(text, from, [&](std::size_t cause) {
        return read_cause(text, cause, out.causes.emplace_back());
      });
    }
    if (key == "violations") {
      return for_each_element(text, from, [&](std::size_t violation) {
        return read_violation(text, violation, out);
      });
    }
    if (key == "cycle_cause") return read_cause(text, from, out.cycle_cause);
    const std::string_view value = value_at(text, from);
    if (key == "cycle") {
      out.cycle = value;
    } else if (key != "refuted" && key != "stats") {
      out.is_merged |= key == "merged";
      out.head += fmt::format("{}\"{}\":{}", out.head.size() > 1 ? "," : "", key, value);
    }
    return value.empty() ? kNowhere : from + value.size();
  });
  out.head += "}";
  if (end != kNowhere) out.whole = text.substr(at, end - at);
  return end;
}

}  // namespace

bool is_merged_member(std::string_view key) {
  const CauseMember* member = find_member(key);
  return member != nullptr && member->merged;
}

std::size_t read_raw(std::string_view text, std::size_t at, std::vector<RawResult>& out) {
  // Predictions and models have their findings one level below.
  std::size_t finding = kNowhere;
  bool is_wrapped = false;
  std::string_view tool;
  const std::size_t end = for_each_member(text, at, [&](std::string_view key, std::size_t from) {
    const std::string_view value = value_at(text, from);
    if (key == "finding") finding = from;
    if (key == "tool") tool = value;
    is_wrapped |= key == "warnings" || key == "model";
    return value.empty() ? kNowhere : from + value.size();
  });
  if (end == kNowhere || tool != "\"omnium\"") return kNowhere;
  if (is_wrapped && (finding == kNowhere || text[finding] != '{')) return end;
  const std::size_t read = read_report(text, is_wrapped ? finding : at, out.emplace_back());
  return read == kNowhere ? kNowhere : end;
}

}  // namespace omnium::merge
