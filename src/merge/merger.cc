// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/merger.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "merge/json_scan.h"
#include "report/json.h"
#include "support/run_id.h"
#include "support/text_file.h"

namespace omnium::merge {

namespace {

std::string_view unquoted(std::string_view json) { return json.substr(1, json.size() - 2); }

std::optional<std::uint64_t> number_of(std::string_view json) {
  std::uint64_t out = 0;
  const char* end = json.data() + json.size();
  const auto [at, error] = std::from_chars(json.data(), end, out);
  if (json.empty() || error != std::errc() || at != end) return std::nullopt;
  return out;
}

int status_of(std::string_view json) {
  for (int i = 0; i < report::kStatuses; ++i) {
    if (!json.empty() && unquoted(json) == to_string(static_cast<report::Status>(i))) return i;
  }
  return 0;
}

std::size_t elements_of(std::string_view json) {
  std::size_t count = 0;
  for_each_element(json, 0, [&](std::size_t at) {
    ++count;
    return end_of_value(json, at);
  });
  return count;
}

// Pairs of a run and a count; empty if it is something else.
std::vector<report::SeenIn> seen_in_of(std::string_view json) {
  std::vector<report::SeenIn> out;
  bool wrong = false;
  const std::size_t end = for_each_element(json, 0, [&](std::size_t pair) {
    std::vector<std::uint64_t> numbers;
    const std::size_t after = for_each_element(json, pair, [&](std::size_t at) {
      const std::string_view value = value_at(json, at);
      const auto number = number_of(value);
      wrong |= !number;
      numbers.push_back(number.value_or(0));
      return at + value.size();
    });
    wrong |= numbers.size() != 2 || numbers.front() > ~std::uint32_t{0};
    if (!wrong) out.push_back({static_cast<std::uint32_t>(numbers[0]), numbers[1]});
    return after;
  });
  if (end == kNowhere || wrong) out.clear();
  return out;
}

// The value of one member; empty if there is none.
std::string_view member_of(std::string_view json, std::string_view name) {
  std::string_view out;
  for_each_member(json, 0, [&](std::string_view key, std::size_t at) {
    const std::string_view value = value_at(json, at);
    if (key == name) out = value;
    return at + value.size();
  });
  return out;
}

// The members of a variant that tell it from others. Labels of partners are in no order.
std::string variant_key(std::string_view pattern, std::vector<std::string_view> labels) {
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return fmt::format("{}{}{}\"partners\":[{}]", pattern.empty() ? "" : "\"pattern\":", pattern,
                     pattern.empty() ? "" : ",", fmt::join(labels, ","));
}

std::string only_variant(const RawCause& raw) {
  std::vector<std::string_view> labels;
  for_each_element(raw.partners, 0, [&](std::size_t at) {
    const std::string_view partner = value_at(raw.partners, at);
    const std::string_view label = member_of(partner, "label");
    labels.push_back(label.empty() ? "null" : label);
    return at + partner.size();
  });
  return variant_key(raw.pattern, std::move(labels));
}

// Sentences of several hunts are the lines of one string. We write the end of a line as "\u000a",
// and other programs that handle results may write it in another way.
void add_found_by(std::string_view json, std::set<std::string>& to) {
  if (json.empty()) return;
  constexpr std::string_view kEndsOfLine[] = {"\\u000a", "\\u000A", "\\n"};
  std::string_view rest = unquoted(json);
  for (std::size_t at = 0; at < rest.size();) {
    const auto* end = std::ranges::find_if(
        kEndsOfLine, [&](std::string_view it) { return rest.substr(at).starts_with(it); });
    if (end != std::end(kEndsOfLine)) {
      to.emplace(rest.substr(0, at));
      rest.remove_prefix(at + end->size());
      at = 0;
    } else {
      at += rest[at] == '\\' ? 2 : 1;
    }
  }
  to.emplace(rest);
  while (to.size() > kMostFoundBy) to.erase(std::prev(to.end()));
}

std::string kind_of(const report::Report& report) {
  return fmt::format("{} {} {} {} {}", report.engine->name, to_string(report.mode.conflicts),
                     to_string(report.mode.waits), report.run.has_value(),
                     report.predicted.has_value());
}

// Of two results of one run, the one that says more: first of all the one that was not stopped.
bool says_more(const report::Report& a, const report::Report& b) {
  const auto key = [](const report::Report& it) {
    return std::tuple(it.stopped, it.serializable.value_or(true), ~it.instances, json_of_part(it));
  };
  return key(a) < key(b);
}

std::uint32_t add_run(Group& group, report::Report run) {
  const auto next = static_cast<std::uint32_t>(group.runs.size());
  const auto [known, is_new] = group.run_of_id.emplace(run.run_id, next);
  if (is_new) {
    group.runs.push_back(std::move(run));
  } else if (report::Report& old = group.runs[known->second]; says_more(run, old)) {
    old = std::move(run);
  }
  return known->second;
}

Rank rank_of(const RawCause& raw, std::string_view other) {
  Rank out;
  out.unexplained = raw.explained == "false";
  out.no_picture = raw.picture.empty();
  out.transactions = static_cast<std::uint32_t>(elements_of(raw.partners));
  out.picture_bytes = raw.picture.size();
  out.hash = raw.witness_hash ^ std::hash<std::string_view>()(other);
  return out;
}

void add_rare(const RawCause& raw, Entry& entry) {
  const bool is_usual =
      raw.looks_like.empty() && raw.suppressed.empty() && raw.known.empty() && raw.found_by.empty();
  if (is_usual && !entry.rare) return;
  const bool is_first = entry.status < 0;
  if (!entry.rare) entry.rare = std::make_unique<Entry::Rare>();
  Entry::Rare& rare = *entry.rare;
  // What looks like noise in one run may not in another.
  if (is_first || raw.looks_like < rare.looks_like) rare.looks_like = raw.looks_like;
  rare.suppressed = std::max(rare.suppressed, std::string(raw.suppressed));
  rare.known = std::max(rare.known, std::string(raw.known));
  add_found_by(raw.found_by, rare.found_by);
}

// None if it cannot be read.
bool add_variants(const RawCause& raw, const std::vector<report::SeenIn>& seen,
                  const std::vector<std::uint32_t>& runs, Entry& entry) {
  const auto add = [&](const std::string& key, const std::vector<report::SeenIn>& counts) {
    Counts& to = entry.variants[key];
    for (const report::SeenIn& it : counts) {
      if (it.run >= runs.size()) return false;
      to.add({runs[it.run], it.count});
    }
    return true;
  };
  if (raw.variants.empty()) return add(only_variant(raw), seen);
  bool right = true;
  const std::size_t end = for_each_element(raw.variants, 0, [&](std::size_t at) {
    const std::string_view variant = value_at(raw.variants, at);
    const std::string_view partners = member_of(variant, "partners");
    std::vector<std::string_view> labels;
    for_each_element(partners, 0, [&](std::size_t label) {
      labels.push_back(value_at(partners, label));
      return label + labels.back().size();
    });
    std::vector<report::SeenIn> counts = seen_in_of(member_of(variant, "seen_in"));
    if (counts.empty()) counts = {{0, number_of(member_of(variant, "count")).value_or(0)}};
    right &= add(variant_key(member_of(variant, "pattern"), std::move(labels)), counts);
    return at + variant.size();
  });
  return right && end != kNowhere;
}

}  // namespace

Result<void> Merger::add_file(const std::string& path) {
  std::error_code ignored;
  const bool is_file = path != "-" && std::filesystem::is_regular_file(path, ignored);
  auto text = support::read_text_file(path == "-" ? "/dev/stdin" : path);
  if (!text) return tl::unexpected(text.error());
  if (!is_file) return add_text(std::move(*text), path);
  state_.inputs.push_back({path, "", true});
  return add(*text, static_cast<std::uint32_t>(state_.inputs.size() - 1));
}

Result<void> Merger::add_text(std::string text, const std::string& path) {
  state_.inputs.push_back({path, "", false});
  const auto input = static_cast<std::uint32_t>(state_.inputs.size() - 1);
  auto added = add(text, input);
  state_.inputs[input].text = std::move(text);
  return added;
}

Error Merger::wrong(const Place& place, std::string_view at, std::string_view message) const {
  const std::string_view before =
      place.text.substr(0, static_cast<std::size_t>(at.data() - place.text.data()));
  const auto line = static_cast<std::uint64_t>(std::ranges::count(before, '\n')) + 1;
  return {{state_.inputs[place.input].path, line}, std::string(message)};
}

Result<void> Merger::add(std::string_view text, std::uint32_t input) {
  const std::string& path = state_.inputs[input].path;
  Place place{text, input, {}};
  std::vector<RawResult> results;
  for (std::size_t at = skip_blanks(text, 0); at < text.size(); at = skip_blanks(text, at)) {
    const std::size_t begin = at;
    at = read_raw(text, at, results);
    if (at != kNowhere) continue;
    // The reader of results tells best what is wrong.
    const auto read = report::StoredReports::parse(text, path);
    return tl::unexpected(read ? wrong(place, text.substr(begin), "expected a result of -f json")
                               : read.error());
  }
  if (results.empty()) return {};
  std::string heads;
  for (const RawResult& raw : results) heads += raw.head + "\n";
  auto read = report::StoredReports::parse(heads, path);
  if (!read) return tl::unexpected(read.error());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (auto added = add_result(results[i], read->reports()[i], place); !added) return added;
  }
  heads_.push_back(std::move(*read));
  return {};
}

Result<void> Merger::add_result(const RawResult& raw, report::Report& head, Place& place) {
  Group& group = state_.groups[kind_of(head)];
  std::vector<report::Report> runs = std::move(head.merged);
  if (!raw.is_merged) {
    // A result without an id is told by what it says.
    if (head.run_id.empty()) head.run_id = support::run_id_of(raw.whole);
    runs.push_back(std::move(head));
  }
  place.runs.clear();
  for (report::Report& run : runs) place.runs.push_back(add_run(group, std::move(run)));
  for (const RawCause& cause : raw.causes) {
    const auto violation = raw.shortest_of_id.find(cause.id);
    const std::string_view other =
        violation == raw.shortest_of_id.end() ? std::string_view() : violation->second.whole;
    if (auto added = add_cause(group, group.causes, cause, other, place); !added) return added;
  }
  if (raw.cycle_cause.id.empty()) return {};
  return add_cause(group, group.cycles, raw.cycle_cause, raw.cycle, place);
}

Result<void> Merger::add_cause(const Group& group, Entries& entries, const RawCause& raw,
                               std::string_view other, const Place& place) {
  const auto is_wrong = [&] {
    return tl::unexpected(wrong(place, raw.whole, "a cause has no count, or names no run"));
  };
  std::vector<report::SeenIn> seen = seen_in_of(raw.seen_in);
  std::uint64_t shown_in = number_of(raw.shown_in).value_or(0);
  if (raw.seen_in.empty()) {
    const auto count = number_of(raw.count);
    if (!count || place.runs.size() != 1) return is_wrong();
    seen = {{0, *count}};
    shown_in = 0;
  }
  if (seen.empty() || shown_in >= place.runs.size()) return is_wrong();
  const int status = status_of(raw.status);
  Entry& entry = entries[std::string(unquoted(raw.id))];
  if (entry.status >= 0 && status > entry.status) return {};
  if (status < entry.status) entry = {};
  const Rank rank = rank_of(raw, other);
  const std::uint32_t run = place.runs[shown_in];
  const auto id_of = [&](std::uint32_t it) -> const std::string& { return group.runs[it].run_id; };
  if (entry.status < 0 || rank < entry.rank ||
      (rank == entry.rank && id_of(run) < id_of(entry.shown_in))) {
    const auto piece = [&](std::string_view of) {
      const auto offset = of.empty() ? 0 : of.data() - place.text.data();
      return Piece{place.input, static_cast<std::uint64_t>(offset), of.size()};
    };
    entry.rank = rank;
    entry.shown_in = run;
    entry.cause = piece(raw.whole);
    entry.other = piece(other);
  }
  add_rare(raw, entry);
  entry.status = status;
  entry.is_failure |= !raw.failure.empty();
  for (const report::SeenIn& it : seen) {
    if (it.run >= place.runs.size()) return is_wrong();
    entry.seen_in.add({place.runs[it.run], it.count});
  }
  return add_variants(raw, seen, place.runs, entry) ? Result<void>() : is_wrong();
}

}  // namespace omnium::merge
