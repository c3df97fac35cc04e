// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "merge/output.h"

#include <algorithm>
#include <deque>
#include <future>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "merge/json_scan.h"
#include "merge/raw_result.h"
#include "report/json.h"
#include "report/json_reader.h"
#include "report/words.h"

namespace omnium::merge {

namespace {

constexpr std::size_t kCausesAtOnce = 256;
// Texts that are read together, so that each input is opened seldom: a few megabytes.
constexpr std::size_t kTextsAtOnce = 8 * kCausesAtOnce;
constexpr std::size_t kReaders = 2;
constexpr std::size_t kMostRemarks = 8;

// What a result says may be any number: a sum that is too large stays the largest number, in
// whatever order it is made.
template <class Number>
void add_to(Number& sum, Number more) {
  constexpr Number kMost = std::numeric_limits<Number>::max();
  sum = more > kMost - sum ? kMost : sum + more;
}

void add_counts(const report::Report& run, report::Report& to) {
  if (run.run) {
    to.run = to.run.value_or(report::RunCounts{});
    add_to(to.run->threads, run.run->threads);
    add_to(to.run->blocks, run.run->blocks);
    add_to(to.run->lock_operations, run.run->lock_operations);
    add_to(to.run->atomic_operations, run.run->atomic_operations);
    add_to(to.run->passed_over, run.run->passed_over);
  }
  add_to(to.counts.events, run.counts.events);
  add_to(to.counts.blocks, run.counts.blocks);
  add_to(to.counts.transactions, run.counts.transactions);
  add_to(to.extent.threads, run.extent.threads);
  add_to(to.extent.variables, run.extent.variables);
  add_to(to.extent.locks, run.extent.locks);
  add_to(to.instances, run.instances);
  add_to(to.undescribed, run.undescribed);
  add_to(to.through_silent_locks, run.through_silent_locks);
  to.seconds += run.seconds;
  to.peak_bytes = std::max(to.peak_bytes, run.peak_bytes);
}

void add_prediction(const report::Predicted& run, report::Report& to) {
  if (!to.predicted) to.predicted = {true, {}};
  to.predicted->atomic &= run.atomic;
  for (const std::string& remark : run.remarks) {
    auto& all = to.predicted->remarks;
    if (all.size() < kMostRemarks && std::ranges::find(all, remark) == all.end()) {
      all.push_back(remark);
    }
  }
}

// The runs as a whole, without findings.
report::Report whole_of(std::vector<report::Report> runs) {
  report::Report out;
  out.engine = runs.front().engine;
  out.mode = runs.front().mode;
  out.path = runs.front().path;
  if (runs.size() > 1) out.path += fmt::format(" and {} more", runs.size() - 1);
  std::map<std::string_view, report::Runs> blocks;
  bool undecided = false, violated = false;
  for (const report::Report& run : runs) {
    add_counts(run, out);
    if (run.predicted) add_prediction(*run.predicted, out);
    undecided |= !run.serializable;
    out.stopped |= run.stopped;
    violated |= run.serializable == false;
    for (const report::Runs& it : run.runs) {
      report::Runs& block = blocks[it.label];
      block.label = it.label;
      add_to(block.count, it.count);
      add_to(block.refuted, it.refuted);
    }
  }
  if (violated || !undecided) out.serializable = !violated;
  for (const auto& [label, block] : blocks) out.runs.push_back(block);
  out.merged = std::move(runs);
  return out;
}

std::uint64_t total(const std::vector<report::SeenIn>& list) {
  std::uint64_t out = 0;
  for (const report::SeenIn& it : list) add_to(out, it.count);
  return out;
}

// Writes one kind of results.
class GroupWriter {
 public:
  GroupWriter(const State& state, const Group& group, const Mark& mark, support::ByteSink& out)
      : state_(state), group_(group), mark_(mark), out_(out) {}

  Result<void> write() {
    std::vector<bool> has_cycle(group_.runs.size()), has_cause(group_.runs.size());
    const auto note = [](const Entries& entries, std::vector<bool>& has) {
      for (const auto& [id, entry] : entries) {
        for (const report::SeenIn& it : entry.seen_in.all()) has[it.run] = true;
      }
    };
    note(group_.cycles, has_cycle);
    note(group_.causes, has_cause);
    // A run with nothing but a cycle is told with that.
    std::vector<std::uint32_t> runs;
    for (std::uint32_t i = 0; i < group_.runs.size(); ++i) {
      if (has_cause[i] || !has_cycle[i]) runs.push_back(i);
    }
    if (!runs.empty()) {
      if (auto done = write_causes(std::move(runs)); !done) return done;
    }
    std::map<std::string, const Entry*> cycles;
    for (const auto& [id, entry] : group_.cycles) cycles.emplace(id, &entry);
    for (const auto& [id, entry] : cycles) {
      if (auto done = write_cycle(*entry); !done) return done;
    }
    return {};
  }

 private:
  using Order = std::vector<const Entries::value_type*>;

  // The report of these runs, in the order in which it lists them.
  report::Report head_of(std::vector<std::uint32_t> runs) {
    std::ranges::sort(runs, {}, [&](std::uint32_t i) {
      return std::tie(group_.runs[i].path, group_.runs[i].run_id);
    });
    place_.assign(group_.runs.size(), 0);
    std::vector<report::Report> parts;
    for (const std::uint32_t run : runs) {
      place_[run] = static_cast<std::uint32_t>(parts.size());
      parts.push_back(group_.runs[run]);
    }
    return whole_of(std::move(parts));
  }

  Result<void> write_causes(std::vector<std::uint32_t> runs) {
    report::Report head = head_of(std::move(runs));
    const auto is_violation = [](const auto& it) { return !it.second.is_failure; };
    if (std::ranges::any_of(group_.causes, is_violation) && !head.predicted) {
      head.serializable = false;
    }
    Order order;
    for (const auto& it : group_.causes) order.push_back(&it);
    std::ranges::sort(order, {}, [](const Entries::value_type* it) {
      return std::tuple(it->second.is_noise(), it->second.rank.transactions,
                        std::string_view(it->first));
    });
    report::JsonStream json(head, out_);
    for (std::size_t i = 0; i < order.size(); i += kTextsAtOnce) {
      const auto violations = texts_of(order, i, &Entry::other);
      if (!violations) return tl::unexpected(violations.error());
      for (const std::string& violation : *violations) {
        if (!violation.empty()) json.violation(violation);
      }
    }
    json.begin_causes();
    // To read them takes longer than to write them: other threads read the next ones.
    std::deque<std::future<Result<std::vector<report::StoredReports>>>> ahead;
    std::size_t next = 0;
    const auto start_readers = [&] {
      for (; next < order.size() && ahead.size() < kReaders; next += kTextsAtOnce) {
        const auto read = [&, first = next] { return read_causes(head, order, first); };
        ahead.push_back(std::async(std::launch::async, read));
      }
    };
    for (start_readers(); !ahead.empty();) {
      auto read = ahead.front().get();
      ahead.pop_front();
      start_readers();
      if (!read) return tl::unexpected(read.error());
      for (report::StoredReports& some : *read) {
        mark_(some.reports().front());
        for (report::Cause& cause : some.reports().front().causes) {
          cause.seen_by = seen_by(cause, head.merged);
          json.cause(cause);
        }
      }
    }
    json.finish();
    report::Report rest;  // what is known of the runs themselves
    rest.undescribed = head.undescribed;
    if (order.empty()) rest.serializable = head.serializable;
    mark_(rest);
    return {};
  }

  // The causes from `first` on, as many as are read together; with their violations, which are
  // written as they are, but only if they can be read.
  Result<std::vector<report::StoredReports>> read_causes(const report::Report& head,
                                                         const Order& order,
                                                         std::size_t first) const {
    const auto raw = texts_of(order, first, &Entry::cause);
    if (!raw) return tl::unexpected(raw.error());
    const auto violations = texts_of(order, first, &Entry::other);
    if (!violations) return tl::unexpected(violations.error());
    const auto read_some = [&](std::size_t from, std::size_t to) {
      std::string texts, others;
      for (std::size_t i = from; i < to; ++i) {
        if (i > from) texts += ',';
        texts += text_of(order[first + i]->second, (*raw)[i]);
        if (!others.empty() && !(*violations)[i].empty()) others += ',';
        others += (*violations)[i];
      }
      return read_members(
          head, fmt::format("\"causes\":[{}],\"violations\":[{}],\"cycle\":null", texts, others));
    };
    std::vector<report::StoredReports> out;
    for (std::size_t i = 0; i < raw->size(); i += kCausesAtOnce) {
      const std::size_t end = std::min(i + kCausesAtOnce, raw->size());
      auto read = read_some(i, end);
      // One by one, to tell the file that it is in.
      for (std::size_t j = i; j < end && !read; ++j) {
        const auto one = read_some(j, j + 1);
        const Piece& piece = order[first + j]->second.cause;
        if (!one) return fail({state_.inputs[piece.input].path}, one.error().message);
      }
      if (!read) return tl::unexpected(read.error());
      read->reports().front().violations.clear();
      out.push_back(std::move(*read));
    }
    return out;
  }

  Result<void> write_cycle(const Entry& entry) {
    std::vector<std::uint32_t> runs;
    for (const report::SeenIn& it : entry.seen_in.all()) runs.push_back(it.run);
    report::Report head = head_of(std::move(runs));
    head.serializable = false;
    const auto raw = state_.text_of(entry.cause), transactions = state_.text_of(entry.other);
    if (!raw) return tl::unexpected(raw.error());
    if (!transactions) return tl::unexpected(transactions.error());
    auto read = read_members(head, fmt::format("\"causes\":[],\"cycle\":{},\"cycle_cause\":{}",
                                               *transactions, text_of(entry, *raw)));
    if (!read) return tl::unexpected(read.error());
    report::Report& found = read->reports().front();
    mark_(found);
    head.cycle = found.cycle;
    head.cycle_cause = std::move(found.cycle_cause);
    head.cycle_cause->seen_by = seen_by(*head.cycle_cause, head.merged);
    render_json(head, out_);
    return {};
  }

  // A report of this kind that has these members and nothing else.
  static Result<report::StoredReports> read_members(const report::Report& kind,
                                                    std::string_view members) {
    return report::StoredReports::parse(
        fmt::format("{{\"tool\":\"omnium\",\"trace\":{{\"path\":\"\",\"threads\":0,\"blocks\":0}},"
                    "\"engine\":\"{}\",\"conflicts\":\"{}\",\"waits\":\"{}\",{}}}",
                    kind.engine->name, to_string(kind.mode.conflicts), to_string(kind.mode.waits),
                    members),
        kind.path);
  }

  // Runs as the report numbers them.
  std::string json_of(const Counts& counts, std::uint64_t& sum) const {
    std::vector<report::SeenIn> list = counts.all();
    for (report::SeenIn& it : list) it.run = place_[it.run];
    std::ranges::sort(list, {}, &report::SeenIn::run);
    sum = total(list);
    std::string out;
    for (const report::SeenIn& it : list) {
      out += fmt::format("{}[{},{}]", out.empty() ? "" : ",", it.run, it.count);
    }
    return fmt::format("\"count\":{},\"seen_in\":[{}]", sum, out);
  }

  std::string json_of(const std::map<std::string, Counts>& variants,
                      std::string_view pattern) const {
    using Variant = std::tuple<bool, std::uint64_t, std::string, std::string>;
    const std::string shown = fmt::format("\"pattern\":{},", pattern);
    std::vector<Variant> list;  // the shown pattern first, then the most frequent ones
    for (const auto& [key, counts] : variants) {
      std::uint64_t sum = 0;
      std::string json = json_of(counts, sum);
      list.emplace_back(!key.starts_with(shown), ~sum, key, std::move(json));
    }
    std::ranges::sort(list);
    std::string out;
    for (const auto& [other, sum, key, json] : list) {
      out += fmt::format("{}{{{},{}}}", out.empty() ? "" : ",", key, json);
    }
    return fmt::format(",\"variants\":[{}]", out);
  }

  // A piece of each of the entries from `first` on, empty where there is none.
  Result<std::vector<std::string>> texts_of(const Order& order, std::size_t first,
                                            Piece Entry::*piece) const {
    std::vector<Piece> pieces;
    for (std::size_t i = first; i < std::min(first + kTextsAtOnce, order.size()); ++i) {
      pieces.push_back(order[i]->second.*piece);
    }
    return state_.texts_of(pieces);
  }

  // The cause as JSON, with what was merged of it. `raw` is how it stood in its result.
  std::string text_of(const Entry& entry, std::string_view raw) const {
    std::string out = "{", pattern;
    for_each_member(raw, 0, [&](std::string_view key, std::size_t at) {
      const std::string_view value = value_at(raw, at);
      if (key == "pattern") pattern = value;
      if (!is_merged_member(key)) out += fmt::format("\"{}\":{},", key, value);
      return at + value.size();
    });
    std::uint64_t sum = 0;
    out += json_of(entry.seen_in, sum);
    out += fmt::format(",\"shown_in\":{}", place_[entry.shown_in]);
    if (entry.variants.size() > 1) out += json_of(entry.variants, pattern);
    const auto known = [&](std::string_view key, std::string_view value) {
      if (!value.empty()) out += fmt::format(",\"{}\":{}", key, value);
    };
    if (!entry.rare) return out + "}";
    known("looks_like", entry.rare->looks_like);
    known("suppressed", entry.rare->suppressed);
    known("known", entry.rare->known);
    if (!entry.rare->found_by.empty()) {
      known("found_by", fmt::format("\"{}\"", fmt::join(entry.rare->found_by, "\\u000a")));
    }
    return out + "}";
  }

  const State& state_;
  const Group& group_;
  const Mark& mark_;
  support::ByteSink& out_;
  std::vector<std::uint32_t> place_;  // of each run of the group in the report that is written
};

}  // namespace

Result<void> write_json(const State& state, const Mark& mark, support::ByteSink& out) {
  for (const auto& [kind, group] : state.groups) {
    if (auto done = GroupWriter(state, group, mark, out).write(); !done) return done;
  }
  return {};
}

}  // namespace omnium::merge
