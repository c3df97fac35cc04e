// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The only file that knows how the JSON library reads.
#include "report/json_reader.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engines/registry.h"
#include "report/words.h"
#include "support/text_file.h"

namespace omnium::report {

namespace {

using nlohmann::json;

// A value and the way to it, for messages: "causes[3].picture.rows[0]". Nodes live on the stack,
// the outer one longer than the inner.
struct Node {
  const json* value;
  const Node* parent = nullptr;
  std::string_view key = {};  // empty: an element of an array
  std::size_t index = 0;

  std::string path() const {
    std::string out = parent == nullptr ? "" : parent->path();
    if (parent == nullptr) return out;
    if (key.empty()) return out + fmt::format("[{}]", index);
    return out + (out.empty() ? "" : ".") + std::string(key);
  }
};

std::string spelled_out(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Turns one object into a report. The first thing that is wrong is kept; what is read after it does
// not matter.
class ObjectReader {
 public:
  ObjectReader(support::Interner& names, Position at, const std::vector<std::string>& stats)
      : names_(names), at_(std::move(at)), stats_(stats) {}

  // The reports of one object, in order; incomplete if something is wrong.
  void read(const json& value, std::vector<Report>& out) {
    const Node root{&value};
    const Node tool = member(root, "tool");
    if (text(tool) != "omnium") wrong(tool, "\"omnium\"");
    if (error_) return;
    if (value.contains("warnings")) {
      out.push_back(report_of(member(root, "finding")));
    } else if (value.contains("model")) {
      add_finding(root, out);
    } else {
      out.push_back(report_of(root));
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  void wrong(const Node& node, std::string_view expected) {
    if (error_) return;
    const std::string path = node.path();
    // Not all of what is nested: it could be very deep.
    const std::string got = node.value->is_null()         ? "nothing"
                            : node.value->is_structured() ? node.value->type_name()
                                                          : spelled_out(*node.value);
    error_ = Error{at_, fmt::format("{}{}expected {}, got {}", printable(path),
                                    path.empty() ? "" : ": ", expected, printable(got, 40))};
  }

  // What is absent is as null.
  Node member(const Node& of, std::string_view name) {
    static const json kNull;
    Node out{&kNull, &of, name};
    if (!of.value->is_object()) {
      wrong(of, "an object");
    } else if (const auto at = of.value->find(name); at != of.value->end()) {
      out.value = &*at;
    }
    return out;
  }

  // Of an array, or of nothing.
  template <class Read>
  auto list(const Node& of, Read&& read) {
    std::vector<decltype(read(of))> out;
    if (of.value->is_null()) return out;
    if (!of.value->is_array()) {
      wrong(of, "an array");
      return out;
    }
    out.reserve(of.value->size());
    for (std::size_t i = 0; i < of.value->size() && !error_; ++i) {
      out.push_back(read(Node{&(*of.value)[i], &of, {}, i}));
    }
    return out;
  }
  template <class Read>
  auto list(const Node& of, std::string_view name, Read&& read) {
    return list(member(of, name), read);
  }

  std::string_view text(const Node& node) {
    if (const auto* string = node.value->get_ptr<const json::string_t*>()) {
      return names_.name(names_.intern(*string));
    }
    wrong(node, "a string");
    return {};
  }
  std::string_view text(const Node& of, std::string_view name) { return text(member(of, name)); }
  std::string_view known_text(const Node& of, std::string_view name) {
    const Node node = member(of, name);
    return node.value->is_null() ? std::string_view() : text(node);
  }
  std::optional<std::string_view> maybe_text(const Node& of, std::string_view name) {
    const Node node = member(of, name);
    if (node.value->is_null()) return std::nullopt;
    return text(node);
  }

  std::uint64_t number(const Node& node, std::uint64_t most = ~std::uint64_t{0}) {
    const auto* value = node.value->get_ptr<const json::number_unsigned_t*>();
    if (value != nullptr && *value <= most) return *value;
    wrong(node, "a number");
    return 0;
  }
  std::uint64_t number(const Node& of, std::string_view name,
                       std::uint64_t most = ~std::uint64_t{0}) {
    return number(member(of, name), most);
  }
  std::uint32_t small_number(const Node& of, std::string_view name) {
    return static_cast<std::uint32_t>(number(of, name, ~std::uint32_t{0}));
  }
  // `otherwise` where there is nothing.
  std::uint64_t known_number(const Node& of, std::string_view name, std::uint64_t otherwise) {
    const Node node = member(of, name);
    return node.value->is_null() ? otherwise : number(node);
  }
  EventIndex event(const Node& of, std::string_view name) {
    return known_number(of, name, kNoEvent);
  }

  bool flag(const Node& node) {
    if (!node.value->is_boolean()) wrong(node, "true or false");
    return node.value->is_boolean() && node.value->get<bool>();
  }
  bool flag(const Node& of, std::string_view name) { return flag(member(of, name)); }

  // The value below `end` that is spelled like this.
  template <class Enum>
  Enum spelled(const Node& of, std::string_view name, Enum end, std::string_view expected) {
    const Node node = member(of, name);
    const std::string_view word = text(node);
    for (int i = 0; i < static_cast<int>(end); ++i) {
      if (to_string(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
    }
    wrong(node, expected);
    return Enum{};
  }
  DependencyKind dependency(const Node& of) {
    constexpr auto kEnd =
        static_cast<DependencyKind>(static_cast<int>(DependencyKind::kSignalAwait) + 1);
    return spelled(of, "kind", kEnd, "a kind of dependency");
  }

  Block block(const Node& node) {
    return {text(node, "thread"), maybe_text(node, "label"), event(node, "begin")};
  }
  Block block(const Node& of, std::string_view name) { return block(member(of, name)); }
  std::vector<Block> blocks(const Node& of, std::string_view name) {
    return list(of, name, [&](const Node& node) { return block(node); });
  }

  Step step(const Node& node) {
    return {block(node, "from"),       block(node, "to"), event(node, "source_event"),
            event(node, "sink_event"), dependency(node),  text(node, "object")};
  }

  EventView event_view(const Node& node) {
    EventView out;
    out.index = event(node, "event");
    if (!member(node, "operation").value->is_null()) {
      out.kind = spelled(node, "operation", Kind::kSkip, "a kind of event");
      out.object = text(node, "object");
    }
    out.location = known_text(node, "location");
    return out;
  }
  EventView event_view(const Node& of, std::string_view name) {
    const Node node = member(of, name);
    EventView out = event_view(node);
    out.thread = text(node, "thread");
    return out;
  }

  Row row(const Node& node, const std::vector<Column>& columns) {
    Row out;
    const Node column = member(node, "column");
    out.column = number(column);
    out.event = event_view(node);
    if (out.column < columns.size()) {
      out.event.thread = columns[out.column].thread;
    } else {
      wrong(column, "the number of a column");
    }
    const Node mark = member(node, "mark");
    if (!mark.value->is_null()) {
      const std::string_view word = text(mark);
      if (word != "opens" && word != "closes") wrong(mark, "opens or closes");
      out.mark = word == "opens" ? Row::Mark::kOpens : Row::Mark::kCloses;
    }
    out.skipped = known_number(node, "skipped", 0);
    return out;
  }

  Picture picture(const Node& of, std::string_view name) {
    const Node node = member(of, name);
    Picture out;
    if (node.value->is_null()) return out;
    out.sentences = list(node, "sentences", [&](const Node& it) {
      return Sentence{block(it, "from"), block(it, "to"), event_view(it, "first"),
                      event_view(it, "second"), flag(it, "same_object")};
    });
    out.columns = list(node, "columns", [&](const Node& it) {
      return Column{text(it, "thread"), maybe_text(it, "label")};
    });
    out.rows = list(node, "rows", [&](const Node& it) { return row(it, out.columns); });
    out.held = maybe_text(node, "held_lock");
    const Node in_order = member(node, "in_order");
    out.in_order = in_order.value->is_null() || flag(in_order);
    out.given_up_at = maybe_text(node, "given_up_at").value_or("");
    out.taken_again_at = maybe_text(node, "taken_again_at").value_or("");
    if (out.sentences.empty()) out.held.reset();  // a lock that is held at no access says nothing
    return out;
  }

  std::vector<SeenIn> seen_in(const Node& of) {
    return list(of, "seen_in", [&](const Node& it) {
      if (!it.value->is_array() || it.value->size() != 2) {
        wrong(it, "a run and a count");
        return SeenIn{};
      }
      const Node run{&(*it.value)[0], &it, {}, 0}, count{&(*it.value)[1], &it, {}, 1};
      return SeenIn{static_cast<std::uint32_t>(number(run, ~std::uint32_t{0})), number(count)};
    });
  }

  Variant variant(const Node& node) {
    Variant out;
    out.pattern = known_text(node, "pattern");
    out.partners = list(node, "partners", [&](const Node& it) {
      return it.value->is_null() ? std::nullopt : std::optional(text(it));
    });
    out.count = number(node, "count");
    out.seen_in = seen_in(node);
    return out;
  }

  std::optional<Failure> failure(const Node& of) {
    const Node node = member(of, "failure");
    if (node.value->is_null()) return std::nullopt;
    Failure out;
    out.what = text(node, "what");
    out.freed = known_text(node, "freed");
    out.waits = list(node, "waits", [&](const Node& it) {
      return LockWait{std::string(text(it, "thread")), std::string(text(it, "lock")),
                      std::string(text(it, "held_by"))};
    });
    out.output = list(node, "output", [&](const Node& it) { return std::string(text(it)); });
    return out;
  }

  Cause cause(const Node& node) {
    Cause out;
    out.id = text(node, "id");
    out.pattern = known_text(node, "pattern");
    out.objects = list(node, "objects", [&](const Node& it) { return text(it); });
    out.block = block(node, "block");
    out.outer = blocks(node, "outer");
    out.partners = blocks(node, "partners");
    out.count = number(node, "count");
    out.seen_in = seen_in(node);
    out.shown_in = static_cast<std::uint32_t>(known_number(node, "shown_in", 0));
    out.variants = list(node, "variants", [&](const Node& it) { return variant(it); });
    out.blamed = flag(node, "blamed");
    const Node explained = member(node, "explained");
    if (!explained.value->is_null()) out.explained = flag(explained);
    if (!member(node, "status").value->is_null()) {
      out.status = spelled(node, "status", static_cast<Status>(kStatuses), "certain or possible");
    }
    if (!member(node, "looks_like").value->is_null()) {
      out.noise = spelled(node, "looks_like", static_cast<Noise>(kNoises), "a kind of noise");
    }
    out.follows_from = known_text(node, "follows_from");
    out.other_functions =
        list(node, "other_functions", [&](const Node& it) { return text(it); });
    out.own_lock = known_text(node, "own_lock");
    out.found_by = known_text(node, "found_by");
    if (!member(node, "changed_read").value->is_null()) {
      out.changed_read = event_view(node, "changed_read");
    }
    const Node locations = member(node, "locations");
    out.block_location = known_text(locations, "block");
    out.waited_location = known_text(locations, "waited");
    out.event_location = known_text(locations, "event");
    out.picture = picture(node, "picture");
    out.failure = failure(node);
    out.stack = list(node, "stack", [&](const Node& it) {
      return StackFrame{std::string(text(it, "function")), std::string(known_text(it, "location"))};
    });
    out.marks.suppressed = maybe_text(node, "suppressed");
    const Node known = member(node, "known");
    if (!known.value->is_null()) out.marks.known = flag(known);
    return out;
  }

  Violation violation(const Node& node,
                      const std::unordered_map<std::string_view, std::uint32_t>& cause_of) {
    Violation out;
    const Node id = member(node, "id");
    const auto cause = cause_of.find(text(id));
    if (cause == cause_of.end()) {
      wrong(id, "the id of one of the causes");
    } else {
      out.cause = cause->second;
    }
    const Node transaction = member(node, "transaction");
    out.transaction = block(transaction);
    out.end = event(transaction, "end");
    out.event = event(node, "event");
    out.source = event(node, "source");
    if (out.event != kNoEvent) {
      out.kind = dependency(node);
      out.object = text(node, "object");
    }
    const Node locations = member(node, "locations");
    out.begin_location = known_text(locations, "begin");
    out.source_location = known_text(locations, "source");
    out.event_location = known_text(locations, "event");
    out.refuted = list(node, "refuted", [&](const Node& it) {
      return Block{out.transaction.thread, maybe_text(it, "label"), event(it, "begin")};
    });
    out.blamed = flag(node, "blamed");
    out.witness = list(node, "witness", [&](const Node& it) { return step(it); });
    return out;
  }

  // Of a model, which may have none.
  void add_finding(const Node& of, std::vector<Report>& out) {
    const Node finding = member(of, "finding");
    if (!finding.value->is_null()) out.push_back(report_of(finding));
  }

  void trace(const Node& node, Report& report) {
    report.path = text(node, "path");
    if (member(node, "events").value->is_null()) {  // a run, where nobody counts them
      report.run = {number(node, "threads"), number(node, "blocks"),
                    known_number(node, "lock_operations", 0),
                    known_number(node, "atomic_operations", 0),
                    known_number(node, "passed_over", 0)};
      return;
    }
    report.counts.events = number(node, "events");
    report.extent.threads = small_number(node, "threads");
    report.extent.variables = small_number(node, "variables");
    report.extent.locks = small_number(node, "locks");
    report.counts.blocks = number(node, "blocks");
    report.counts.transactions = number(node, "transactions");
  }

  void stats(const Node& node, Report& report) {
    if (node.value->is_null() || error_) return;
    report.with_stats = true;
    if (!node.value->is_object()) return wrong(node, "an object");
    for (const std::string& name : stats_) {
      report.stats.push_back({names_.name(names_.intern(name)), number(node, name)});
    }
  }

  // What one run says of itself, also as a part of a merged report.
  void run(const Node& root, Report& out) {
    out.run_id = known_text(root, "run_id");
    trace(member(root, "trace"), out);
    const Node predicted = member(root, "predicted");
    if (!predicted.value->is_null()) {
      out.predicted = {flag(predicted, "atomic"), list(predicted, "remarks", [&](const Node& it) {
                         return std::string(text(it));
                       })};
    }
    const Node sample = member(root, "sample");
    if (!sample.value->is_null()) {
      const Node percent = member(sample, "percent");
      const double share = percent.value->is_number() ? percent.value->get<double>() : 0;
      if (!(share > 0 && share <= 100)) return wrong(percent, "more than 0 and at most 100");
      out.sample = {static_cast<std::uint32_t>(share * 1e4 + 0.5), number(sample, "seed")};
    }
    const Node serializable = member(root, "serializable");
    if (!serializable.value->is_null()) out.serializable = flag(serializable);
    const Node detected_at = member(root, "detected_at");
    if (!detected_at.value->is_null()) out.detected_at = number(detected_at);
    const Node only_first = member(root, "only_first");
    if (!only_first.value->is_null()) out.only_first = flag(only_first);
    const Node stopped = member(root, "stopped");
    if (!stopped.value->is_null()) out.stopped = flag(stopped);
    out.instances = known_number(root, "instances", 0);
    out.undescribed = known_number(root, "undescribed", 0);
    out.runs = list(root, "runs", [&](const Node& it) {
      return Runs{text(it, "label"), number(it, "count"), number(it, "refuted")};
    });
    out.through_silent_locks = known_number(root, "through_silent_locks", 0);
    const Node seconds = member(root, "seconds");
    if (seconds.value->is_number()) out.seconds = seconds.value->get<double>();
    out.peak_bytes = known_number(root, "peak_bytes", 0);
  }

  // The runs that were merged, and what each cause says of them.
  void merged(const Node& root, Report& out) {
    out.merged = list(root, "merged", [&](const Node& it) {
      Report part;
      run(it, part);
      part.engine = out.engine;
      part.mode = out.mode;
      return part;
    });
    if (out.merged.empty()) return;
    const Node causes = member(root, "causes");
    const auto tell = [&](Cause& cause) {
      const auto is_wrong = [&](const SeenIn& it) { return it.run >= out.merged.size(); };
      if (cause.seen_in.empty()) return;
      if (cause.shown_in >= out.merged.size() || std::ranges::any_of(cause.seen_in, is_wrong)) {
        return wrong(causes, "runs that are in `merged`");
      }
      cause.seen_by = seen_by(cause, out.merged);
    };
    std::ranges::for_each(out.causes, tell);
    if (out.cycle_cause) tell(*out.cycle_cause);
  }

  Report report_of(const Node& root) {
    Report out;
    run(root, out);
    const Node engine = member(root, "engine");
    if (const EngineEntry* entry = find_engine(text(engine))) {
      out.engine = &entry->info;
    } else {
      wrong(engine, "an engine");
    }
    const Node conflicts = member(root, "conflicts");
    const Node waits = member(root, "waits");
    const auto which = find_conflicts(text(conflicts));
    const auto how = find_waits(text(waits));
    if (!which) wrong(conflicts, "data or all");
    if (!how) wrong(waits, "split or keep");
    if (which && how) out.mode = {*which, *how};
    out.causes = list(root, "causes", [&](const Node& it) { return cause(it); });
    std::unordered_map<std::string_view, std::uint32_t> cause_of;
    for (std::uint32_t i = 0; i < out.causes.size(); ++i) cause_of.emplace(out.causes[i].id, i);
    out.violations =
        list(root, "violations", [&](const Node& it) { return violation(it, cause_of); });
    out.refuted = blocks(root, "refuted");
    out.cycle = blocks(root, "cycle");
    const Node cycle_cause = member(root, "cycle_cause");
    if (!cycle_cause.value->is_null()) out.cycle_cause = cause(cycle_cause);
    if (out.cycle_cause.has_value() == out.cycle.empty()) wrong(cycle_cause, "one with a cycle");
    const Node read_again = member(root, "read_again");
    if (!read_again.value->is_null()) out.read_again = flag(read_again);
    stats(member(root, "stats"), out);
    merged(root, out);
    return out;
  }

  support::Interner& names_;
  Position at_;
  const std::vector<std::string>& stats_;  // names of counters, in order
  std::optional<Error> error_;
};

constexpr std::string_view kBlanks = " \t\r\n";

// Length of the object that `text` starts with: up to the brace that closes it, or all of it.
std::size_t object_length(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

// Lines and columns of offsets that never go back.
class Places {
 public:
  Places(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Position at(std::size_t offset) {
    for (std::size_t end; (end = text_.find('\n', line_start_)) < offset;) {
      line_start_ = end + 1;
      ++line_;
    }
    return {path_, line_, offset - line_start_ + 1};
  }

 private:
  std::string_view text_;
  const std::string& path_;
  std::uint64_t line_ = 1;
  std::size_t line_start_ = 0;
};

// The object as a tree, or where it is no JSON. The tree forgets the order of members, which
// matters to people who read counters: it comes out beside it.
tl::expected<json, std::size_t> tree_of(std::string_view text, std::vector<std::string>& stats) {
  int depth_of_stats = 0;
  const auto note_order = [&](int depth, json::parse_event_t event, const json& key) {
    if (event != json::parse_event_t::key) return true;
    if (depth_of_stats != 0 && depth == depth_of_stats + 1) stats.push_back(key);
    if (depth <= depth_of_stats || depth_of_stats == 0) depth_of_stats = key == "stats" ? depth : 0;
    return true;
  };
  // Noting is slow, and most results have no counters.
  const bool has_stats = text.find("\"stats\"") != std::string_view::npos;
  try {
    return json::parse(text.begin(), text.end(),
                       has_stats ? json::parser_callback_t(note_order) : nullptr);
  } catch (const json::parse_error& error) {
    return tl::unexpected(std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1));
  } catch (const json::exception&) {  // such as a number that is too large
    return tl::unexpected(std::size_t{0});
  }
}

}  // namespace

Result<StoredReports> StoredReports::parse(std::string_view text, const std::string& path) {
  StoredReports out;
  Places places(text, path);
  std::size_t at = text.find_first_not_of(kBlanks);
  if (at == std::string_view::npos) {
    return fail({path, 1, 1}, "expected a result of -f json, got nothing");
  }
  for (; at < text.size(); at = text.find_first_not_of(kBlanks, at)) {
    const Position place = places.at(at);
    if (text[at] != '{') {
      return fail(place, fmt::format("expected a result of -f json, got '{}'",
                                     printable(text.substr(at, 40), 40)));
    }
    const std::string_view object = text.substr(at, object_length(text.substr(at)));
    std::vector<std::string> stats;
    const auto tree = tree_of(object, stats);
    if (!tree) return fail(places.at(at + tree.error()), "this is not JSON");
    ObjectReader reader(out.names_, place, stats);
    reader.read(*tree, out.reports_);
    if (reader.error()) return tl::unexpected(*reader.error());
    at += object.size();
  }
  return out;
}

Result<StoredReports> StoredReports::read_file(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse(*text, path);
}

}  // namespace omnium::report
