// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Merging is associative, commutative and idempotent, and loses no run and no cause.
#include <algorithm>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "merge/merger.h"
#include "merge/output.h"
#include "merge/specifications.h"
#include "report/json.h"
#include "report/json_reader.h"
#include "support/byte_sink.h"

namespace omnium::test {
namespace {

using nlohmann::json;

std::string merged(const std::vector<std::string>& results) {
  merge::Merger merger;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto added = merger.add_text(results[i], fmt::format("result {}", i));
    EXPECT_TRUE(added) << added.error().to_string();
  }
  support::StringSink out;
  const auto written = merge::write_json(
      merger.state(), [](report::Report&) {}, out);
  EXPECT_TRUE(written) << written.error().to_string();
  return out.text();
}

// Results of made-up runs, few enough of everything for the same to come again and again.
class Results {
 public:
  explicit Results(std::uint64_t seed) : dice_(seed) {}

  // As the renderer writes it.
  std::string next() {
    const int run = roll(6);
    json causes = json::array(), violations = json::array();
    for (int id = 0; id < 5; ++id) {
      if (roll(2) == 0) continue;
      causes.push_back(cause(fmt::format("av-{}", id)));
      violations.push_back(violation(causes.back()));
    }
    const bool violated = !causes.empty();
    if (roll(3) == 0) causes.push_back(failure(fmt::format("fl-{}", roll(2))));
    json result{{"tool", "omnium"},
                {"run_id", fmt::format("{:032x}", run)},
                {"trace",
                 {{"path", fmt::format("run{}.omt", run % 4)},
                  {"events", 100 + run},
                  {"threads", 2},
                  {"variables", 3},
                  {"locks", 1},
                  {"blocks", 7},
                  {"transactions", 9}}},
                {"engine", roll(8) == 0 ? "velodrome" : "reach"},
                {"conflicts", "data"},
                {"waits", "split"},
                {"serializable", !violated},
                {"violations", violations},
                {"causes", causes},
                {"instances", roll(9)},
                {"runs", json::array({{{"label", "inc"}, {"count", 3 + run}, {"refuted", 1}}})},
                {"cycle", nullptr},
                {"seconds", 0.25},
                {"peak_bytes", 1000 * roll(9)}};
    if (causes.empty() && roll(2) == 0) add_cycle(result);
    if (roll(6) == 0) predict(result);
    if (roll(4) == 0) result["stopped"] = true;
    return as_we_write(result);
  }

  static std::string as_we_write(const json& result) {
    const auto stored = report::StoredReports::parse(result.dump(), "made up");
    EXPECT_TRUE(stored) << stored.error().to_string();
    return json_line(stored->reports().front()) + "\n";
  }

  int roll(int sides) { return static_cast<int>(dice_() % static_cast<unsigned>(sides)); }

 private:
  json block(std::string_view label) {
    return {{"thread", fmt::format("t{}", roll(3))}, {"label", label}, {"begin", roll(50)}};
  }

  json cause(const std::string& id) {
    json out{{"id", id},
             {"pattern", roll(2) == 0 ? "lost update" : "stale check"},
             {"objects", {"x"}},
             {"block", block("inc")},
             {"count", 1 + roll(5)},
             {"blamed", true},
             {"locations", {{"event", fmt::format("a.cc:{}", roll(3))}}}};
    for (int i = roll(3); i >= 0; --i) out["partners"].push_back(block(roll(2) == 0 ? "a" : "b"));
    if (roll(3) == 0) out["looks_like"] = "reference count";
    if (roll(4) == 0) {
      out["found_by"] = fmt::format("Found in run {}, \"\\u000a\\\\noise\".\n{}", roll(9), roll(9));
    }
    if (roll(5) == 0) out["suppressed"] = fmt::format("reason {}", roll(2));
    if (roll(5) == 0) out["known"] = roll(2) == 0;
    if (roll(3) == 0) {
      for (const std::string_view partner : {"a", "b"}) {
        out["variants"].push_back(
            {{"pattern", "lost update"}, {"partners", {partner, nullptr}}, {"count", 1 + roll(4)}});
      }
    }
    return out;
  }

  json failure(const std::string& id) {
    json out{{"id", id},
             {"pattern", "use after free"},
             {"objects", json::array()},
             {"block", {{"thread", ""}, {"label", nullptr}, {"begin", nullptr}}},
             {"count", 1 + roll(5)},
             {"blamed", true},
             {"locations", {{"event", fmt::format("a.cc:{}", roll(3))}}},
             {"failure",
              {{"what", "use after free"},
               {"freed", fmt::format("a.cc:{}", roll(3))},
               {"output", {fmt::format("line {}", roll(3))}}}},
             {"found_by", fmt::format("To run it again: omnium replay failure-{}.omh", roll(3))}};
    return out;
  }

  json violation(const json& cause) {
    json out{{"id", cause["id"]},           {"transaction", block("inc")},
             {"event", roll(99)},           {"source", roll(99)},
             {"kind", "write-read"},        {"object", "x"},
             {"locations", json::object()}, {"blamed", true}};
    return out;
  }

  void add_cycle(json& result) {
    result["serializable"] = false;
    result["cycle"] = json::array({block("p"), block("q")});
    result["cycle_cause"] = cause(fmt::format("ns-{}", roll(2)));
  }

  void predict(json& result) {
    result["predicted"] = {{"atomic", false}, {"remarks", {fmt::format("remark {}", roll(3))}}};
    result["serializable"] = nullptr;
    result["violations"] = json::array();
    result["cycle"] = nullptr;
    result.erase("cycle_cause");
    for (json& cause : result["causes"]) cause["status"] = roll(2) == 0 ? "certain" : "possible";
  }

  std::mt19937_64 dice_;
};

TEST(Merge, IsAssociativeCommutativeAndIdempotent) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Results make(seed);
    std::vector<std::string> results;
    for (int i = 1 + make.roll(8); i > 0; --i) results.push_back(make.next());
    const std::string whole = merged(results);
    EXPECT_EQ(merged({whole}), whole);
    EXPECT_EQ(merged({whole, whole}), whole);
    std::mt19937_64 order(seed);
    std::ranges::shuffle(results, order);
    EXPECT_EQ(merged(results), whole);
    // Any parts, also ones that overlap.
    const auto cut = static_cast<std::ptrdiff_t>(make.roll(static_cast<int>(results.size()) + 1));
    const auto overlap = std::min<std::ptrdiff_t>(cut + make.roll(3), std::ssize(results));
    const std::string one = merged({results.begin(), results.begin() + overlap});
    const std::string two = merged({results.begin() + cut, results.end()});
    EXPECT_EQ(merged({one, two}), whole);
    EXPECT_EQ(merged({two, results.front(), one}), whole);
    if (testing::Test::HasFailure()) return;
  }
}

// What is read and written again is the same, so every command understands merged results.
TEST(Merge, GivesResultsThatCanBeRead) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Results make(seed);
    const std::string whole = merged({make.next(), make.next(), make.next()});
    const auto stored = report::StoredReports::parse(whole, "merged");
    ASSERT_TRUE(stored) << stored.error().to_string();
    support::StringSink again;
    for (const report::Report& report : stored->reports()) render_json(report, again);
    ASSERT_EQ(again.text(), whole) << "seed " << seed;
  }
}

TEST(Merge, AddsCountsOfDifferentRuns) {
  Results make(1);
  std::vector<std::string> results;
  std::map<std::string, std::map<std::string, std::uint64_t>> counts;  // by cause, by run
  for (int i = 0; i < 40; ++i) {
    results.push_back(make.next());
    const json one = json::parse(results.back());
    if (one["engine"] != "reach" || one.contains("predicted")) continue;
    for (const json& cause : one["causes"]) {
      std::uint64_t& count = counts[cause["id"]][one["run_id"]];
      count = std::max(count, cause["count"].get<std::uint64_t>());
    }
  }
  const std::string whole = merged(results);
  const json first = json::parse(whole.substr(0, whole.find('\n')));
  ASSERT_EQ(first["engine"], "reach");
  ASSERT_EQ(first["causes"].size(), counts.size());
  // A failure is no violation.
  const auto violated =
      std::ranges::count_if(counts, [](const auto& it) { return it.first.starts_with("av-"); });
  EXPECT_LT(static_cast<std::size_t>(violated), counts.size());
  EXPECT_EQ(first["violations"].size(), static_cast<std::size_t>(violated));
  for (const json& cause : first["causes"]) {
    const auto& expected = counts.at(cause["id"]);
    std::uint64_t sum = 0;
    for (const auto& [run, count] : expected) sum += count;
    EXPECT_EQ(cause["count"], sum);
    EXPECT_EQ(cause["seen_in"].size(), expected.size());
    for (const json& seen : cause["seen_in"]) {
      EXPECT_EQ(seen[1], expected.at(first["merged"][seen[0].get<std::size_t>()]["run_id"]));
    }
  }
}

TEST(Merge, SaysWhatIsWrong) {
  merge::Merger merger;
  EXPECT_TRUE(merger.add_text("", "of a hunt that found nothing"));
  Results make(3);
  const std::string right = make.next();
  for (std::size_t cut = 1; cut + 1 < right.size(); cut += 7) {
    const auto added = merger.add_text(right.substr(0, cut), "cut.json");
    ASSERT_FALSE(added) << cut;
    EXPECT_EQ(added.error().at.file, "cut.json");
  }
  EXPECT_FALSE(merger.add_text(R"({"tool":"other"})", "other.json"));
  EXPECT_FALSE(merger.add_text("t1|begin(inc)|a.cc:1\n", "trace.std"));
}

// The results of one trace, stopped in the middle and checked to its end.
TEST(Merge, SaysWhatWasStopped) {
  for (const bool finds : {false, true}) {
    Results make(5);
    json whole = json::parse(make.next());
    for (const char* member : {"predicted", "cycle_cause", "stopped"}) whole.erase(member);
    whole["engine"] = "reach";
    whole["cycle"] = nullptr;
    whole["serializable"] = !finds;
    if (!finds) whole["causes"] = whole["violations"] = json::array();
    json part = whole;
    part["stopped"] = true;
    part["serializable"] = nullptr;
    part["instances"] = 99;
    part["trace"]["events"] = 1;
    part["causes"] = part["violations"] = json::array();
    const std::string partial = Results::as_we_write(part);
    const json stopped = json::parse(merged({partial}));
    EXPECT_EQ(stopped["stopped"], true);
    EXPECT_EQ(stopped["serializable"], nullptr);
    EXPECT_EQ(stopped["merged"][0]["stopped"], true);
    const std::string complete = merged({Results::as_we_write(whole)});
    EXPECT_EQ(complete.find("stopped"), std::string::npos);
    EXPECT_EQ(merged({partial, Results::as_we_write(whole)}), complete);
    EXPECT_EQ(merged({complete, merged({partial})}), complete);
  }
}

// Sums that are too large for a number are the largest number, in whatever order they are made.
TEST(Merge, SumsDoNotOverflow) {
  std::vector<std::string> results;
  for (int i = 0; i < 3; ++i) {
    json result = json::parse(Results(11).next());
    result["run_id"] = fmt::format("{:032x}", i);
    result["trace"]["events"] = ~std::uint64_t{0} - 5;
    for (json& cause : result["causes"]) cause["count"] = ~std::uint64_t{0} - 2;
    ASSERT_FALSE(result["causes"].empty());
    results.push_back(Results::as_we_write(result));
  }
  const json all = json::parse(merged(results));
  EXPECT_EQ(all["trace"]["events"], ~std::uint64_t{0});
  EXPECT_EQ(all["causes"][0]["count"], ~std::uint64_t{0});
  EXPECT_EQ(json::parse(merged({merged({results[0], results[1]}), results[2]})), all);
}

// A result that is damaged in the middle never gets into what is written.
TEST(Merge, WritesOnlyWhatCanBeReadAgain) {
  std::mt19937_64 dice(17);
  Results make(17);
  std::vector<std::string> rights;
  for (int i = 0; i < 12; ++i) rights.push_back(make.next());
  int written = 0, rejected = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string wrong = rights[dice() % rights.size()];
    const std::size_t at = dice() % (wrong.size() - 1);
    switch (dice() % 3) {
      case 0: wrong[at] = static_cast<char>(wrong[at] ^ (1 << dice() % 8)); break;
      case 1: wrong.erase(at, dice() % 20); break;
      default: wrong.insert(at, wrong.substr(dice() % wrong.size(), dice() % 40)); break;
    }
    merge::Merger merger;
    support::StringSink out;
    const bool fine = merger.add_text(wrong, "wrong.json") &&
                      merger.add_text(rights[0], "0.json") &&
                      merge::write_json(
                          merger.state(), [](report::Report&) {}, out);
    if (fine) {
      const auto again = report::StoredReports::parse(out.text(), "merged");
      ASSERT_TRUE(again) << again.error().to_string() << "\n" << wrong;
    }
    ++(fine ? written : rejected);
  }
  EXPECT_GT(written, 100);
  EXPECT_GT(rejected, 100);
}

TEST(MergeSpecifications, KeepsEveryRuleOnce) {
  const std::string given = "atomic *\n", found = "# Blocks that were not atomic, found by x.\n";
  const std::vector<std::string> paths{"a.spec", "b.spec"};
  const std::string a = given + found + "not-atomic put  # round 1: 3\nnot-atomic get\n";
  const std::string b = given + found + "not-atomic put  # round 1: 2\nnot-atomic add\n";
  const auto one = merge::merged_specification(std::vector{a, b}, paths);
  ASSERT_TRUE(one);
  EXPECT_EQ(*one, given + found + "not-atomic add\nnot-atomic get\nnot-atomic put  # round 1: 2\n");
  EXPECT_EQ(*merge::merged_specification(std::vector{b, a}, paths), *one);
  EXPECT_EQ(*merge::merged_specification(std::vector{*one, a}, paths), *one);
  EXPECT_FALSE(merge::merged_specification(std::vector{a, found}, paths));
  EXPECT_FALSE(merge::merged_specification(std::vector{a, given}, paths));
}

// Blocks may have any name, and rules may be found by several commands.
TEST(MergeSpecifications, ReadsNothingIntoNames) {
  const std::string found = "# Blocks that were not atomic, found by ";
  const std::vector<std::string> paths{"a.spec", "b.spec"};
  const std::string a = found + "omnium run.\nnot-atomic \\" + found + "x  # round 1: 3\n";
  const std::string b = found + "omnium refine.\nnot-atomic put\n";
  const auto one = merge::merged_specification(std::vector{a, b}, paths);
  ASSERT_TRUE(one) << one.error().to_string();
  EXPECT_EQ(*one,
            found + "omnium refine.\nnot-atomic \\" + found + "x  # round 1: 3\nnot-atomic put\n");
  EXPECT_EQ(*merge::merged_specification(std::vector{b, a}, paths), *one);
}

}  // namespace
}  // namespace omnium::test
