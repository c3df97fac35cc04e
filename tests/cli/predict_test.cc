// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/display.h"
#include "tests/support/golden.h"
#include "tests/support/one_line.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

const std::string kTraces = OMNIUM_SOURCE_DIR "/tests/paper/traces/";

// The lines of a trace, by their threads.
std::map<std::string, std::string> by_thread(const std::string& path) {
  std::map<std::string, std::string> out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') out[line.substr(0, line.find('|'))] += line + "\n";
  }
  return out;
}

// Every thread does what it did in the recording, as far as it gets.
void expect_prefixes(const std::string& witness, const std::string& trace) {
  const auto recorded = by_thread(trace);
  const auto reordered = by_thread(witness);
  EXPECT_GT(reordered.size(), 1u);
  for (const auto& [thread, lines] : reordered) {
    EXPECT_TRUE(recorded.at(thread).starts_with(lines)) << thread << "\n" << lines;
  }
}

// A lost update that did not happen: t2 came after the block.
std::string lost_update(const ScratchDirectory& scratch) {
  return scratch.file("lost.std",
                      "t1|begin(inc)|a.c:1\nt1|acq(m)|a.c:2\nt1|r(x)|a.c:3\nt1|rel(m)|a.c:4\n"
                      "t1|acq(m)|a.c:5\nt1|w(x)|a.c:6\nt1|rel(m)|a.c:7\nt1|end(inc)|a.c:8\n"
                      "t2|acq(m)|b.c:1\nt2|w(x)|b.c:2\nt2|rel(m)|b.c:3\n");
}

// The same in the order in which it happens.
std::string that_happened(const ScratchDirectory& scratch) {
  return scratch.file("happened.std",
                      "t1|begin(inc)|a.c:1\nt1|acq(m)|a.c:2\nt1|r(x)|a.c:3\nt1|rel(m)|a.c:4\n"
                      "t2|acq(m)|b.c:1\nt2|w(x)|b.c:2\nt2|rel(m)|b.c:3\n"
                      "t1|acq(m)|a.c:5\nt1|w(x)|a.c:6\nt1|rel(m)|a.c:7\nt1|end(inc)|a.c:8\n");
}

// Two locks in both orders.
std::string crossed_locks(const ScratchDirectory& scratch) {
  return scratch.file(
      "crossed.std",
      "t1|begin(f)|a.c:1\nt1|acq(l)|a.c:2\nt1|acq(m)|a.c:3\nt1|w(x)|a.c:4\nt1|rel(l)|a.c:5\n"
      "t1|rel(m)|a.c:6\nt1|end(f)|a.c:7\nt2|acq(m)|b.c:1\nt2|acq(l)|b.c:2\nt2|r(x)|b.c:3\n"
      "t2|rel(l)|b.c:4\nt2|rel(m)|b.c:5\n");
}

// What was left out of it could be what a prediction needs.
// A block that waits between two reads is cut there, unless that is not wanted.
TEST(Predict, BlocksAreCutWhereTheyWait) {
  const ScratchDirectory scratch;
  const std::string trace =
      scratch.file("wait.std",
                   "t1|acq(m)|\nt1|begin(look)|\nt1|r(x)|\nt1|wait(m)|\nt1|resume(m)|\nt1|r(x)|\n"
                   "t1|end(look)|\nt1|rel(m)|\nt2|w(x)|\n");
  EXPECT_EQ(omnium({"predict", "--possible", trace}).status, 0);
  const Ran kept = omnium({"predict", "--possible", "--waits", "keep", "-f", "json", trace});
  EXPECT_EQ(kept.status, 66);
  EXPECT_NE(kept.out.find("\"waits\":\"keep\""), std::string::npos) << kept.out;
  EXPECT_EQ(omnium({"predict", "--waits", "cut", trace}).status, 2);
}

TEST(Predict, RefusesRecordingsForCheck) {
  ScratchDirectory scratch;
  const std::string trace =
      scratch.file("thin.std", "t1|signal(recorded for check)|\nt1|begin(a)|\nt1|r(x)|\nt1|end|\n");
  const Ran ran = omnium({"predict", trace});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("recorded with --for check"), std::string::npos) << ran.err;
  EXPECT_EQ(omnium({"check", trace}).status, 0);
}

TEST(Predict, ExitStatusIsTheVerdict) {
  EXPECT_EQ(omnium({"predict", "--possible", kTraces + "ws_rw_r.std"}).status, 0);
  EXPECT_EQ(omnium({"predict", kTraces + "ws_ww_w.std"}).status, 66);
  EXPECT_EQ(
      omnium({"predict", "--possible", "--atomicity", "view", kTraces + "ws_ww_w.std"}).status, 0);
  EXPECT_EQ(omnium({"predict", "--possible", "-m", "block", kTraces + "ws_ww_w.std"}).status, 0);
}

// In the only bad order t2 reads what it did not read in the recording: it might not write then.
TEST(Predict, PossibleCountsOnRequest) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("possible.std",
                                         "t1|begin(inc)|a.c:1\nt1|r(x)|a.c:2\nt1|w(x)|a.c:3\n"
                                         "t1|end(inc)|a.c:4\nt2|r(x)|b.c:1\nt2|w(x)|b.c:2\n");
  const Ran told = omnium({"predict", trace});
  EXPECT_EQ(told.status, 0);
  EXPECT_NE(told.out.find("COULD HAPPEN (possible)"), std::string::npos) << told.out;
  EXPECT_EQ(omnium({"predict", "--possible", trace}).status, 66);
  const std::string stored = scratch.file("r.json", omnium({"predict", "-f", "json", trace}).out);
  EXPECT_EQ(omnium({"report", stored}).status, 0);
  const json result = json::parse(std::ifstream(stored));
  EXPECT_EQ(result["atomic"], false);
  EXPECT_EQ(result["warnings"][0]["status"], "possible");
  EXPECT_EQ(result["finding"]["causes"][0]["status"], "possible");
  const json sarif = json::parse(omnium({"predict", "-f", "sarif", trace}).out);
  EXPECT_EQ(sarif["runs"][0]["results"][0]["level"], "note");
}

// A potential deadlock is told, and only counts if it is asked for.
TEST(Predict, DeadlocksCountOnRequest) {
  ScratchDirectory scratch;
  const std::string trace = crossed_locks(scratch);
  const Ran told = omnium({"predict", trace});
  EXPECT_EQ(told.status, 0);
  EXPECT_NE(told.out.find("potential deadlock:"), std::string::npos) << told.out;
  EXPECT_EQ(omnium({"predict", "--deadlocks", trace}).status, 66);
  EXPECT_EQ(omnium({"predict", "--deadlocks", kTraces + "ws_rw_r.std"}).status, 0);
}

// Ids, suppressions and baselines of `check` and `predict` are the same.
TEST(Predict, WhatCheckKnowsIsKnown) {
  ScratchDirectory scratch;
  const std::string trace = lost_update(scratch), happened = that_happened(scratch);
  EXPECT_EQ(omnium({"check", trace}).status, 0);
  const std::string seen = scratch.path("seen.json");
  EXPECT_EQ(omnium({"check", "-f", "json", "-o", seen, happened}).status, 66);
  const std::string id = json::parse(std::ifstream(seen))["causes"][0]["id"];
  const json predicted = json::parse(omnium({"predict", "-f", "json", trace}).out);
  ASSERT_EQ(predicted["warnings"].size(), 1u);
  EXPECT_EQ(predicted["warnings"][0]["id"], id);
  EXPECT_EQ(predicted["finding"]["causes"][0]["id"], id);
  const std::string rule = scratch.file("id.supp", "suppress " + id + " because fixed soon\n");
  const std::string other = scratch.file("other.supp", "suppress av-00000000 because other\n");
  for (const char* format : {"text", "json", "sarif", "html"}) {
    const auto status = [&](const char* option, const std::string& file) {
      return omnium({"predict", option, file, "-f", format, trace}).status;
    };
    EXPECT_EQ(status("--suppressions", rule), 0) << format;
    EXPECT_EQ(status("--suppressions", other), 66) << format;
    EXPECT_EQ(status("--baseline", seen), 0) << format;
  }
  const std::string foreseen = scratch.path("foreseen.json");
  omnium({"predict", "-f", "json", "-o", foreseen, trace});
  EXPECT_EQ(omnium({"check", "--baseline", foreseen, happened}).status, 0);
}

// A result of `predict` is rendered by `report` with the same words, and fails likewise.
TEST(Predict, StoredResultsAreTold) {
  ScratchDirectory scratch;
  const std::string trace = lost_update(scratch), result = scratch.path("result.json");
  const Ran text = omnium({"predict", trace});
  omnium({"predict", "-f", "json", "-o", result, trace});
  const Ran again = omnium({"report", result});
  EXPECT_EQ(again.out, text.out);
  EXPECT_EQ(again.status, text.status);
  EXPECT_NE(text.out.find("COULD HAPPEN"), std::string::npos) << text.out;
  const std::string old = scratch.file("old.json", R"({"tool":"omnium","warnings":[]})");
  const Ran rejected = omnium({"predict", "--baseline", old, trace});
  EXPECT_EQ(rejected.status, 2);
  EXPECT_NE(rejected.err.find("finding: expected an object, got nothing"), std::string::npos)
      << rejected.err;
  EXPECT_EQ(text.out.find("was not atomic"), std::string::npos) << text.out;
}

// A hundred transactions with one cause are one entry; the rest of the trace is not in the page.
TEST(Predict, AFindingIsAsLargeAsItsCause) {
  ScratchDirectory scratch;
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += "t1|begin(inc)|a.c:1\nt1|r(x)|a.c:2\nt1|w(p" + std::to_string(i) +
            ")|a.c:3\nt1|w(x)|a.c:4\nt1|end(inc)|a.c:5\n";
  }
  for (int i = 0; i < 100; ++i) text += "t2|w(p" + std::to_string(i) + ")|b.c:1\n";
  const std::string trace = scratch.file("many.std", text + "t2|w(x)|b.c:2\n");
  const std::string small = lost_update(scratch);
  const json result = json::parse(omnium({"predict", "-f", "json", trace}).out);
  EXPECT_EQ(result["warnings"].size(), 100u);
  std::uint64_t counted = 0;
  for (const json& cause : result["finding"]["causes"]) counted += cause["count"].get<int>();
  EXPECT_EQ(counted, 100u);
  EXPECT_LE(result["finding"]["causes"].size(), 2u);
  const auto size = [](const std::string& of) {
    return omnium({"predict", "-f", "html", of}).out.size();
  };
  EXPECT_LT(size(trace), size(small) + 50'000);
}

TEST(Predict, BadInputIsTwoWithAMessage) {
  ScratchDirectory scratch;
  const std::string malformed = scratch.file("bad.std", "t1|begin(a)|1\nt1|rel(m)|2\n");
  const Ran ran = omnium({"predict", malformed});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find(malformed + ":2"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out, "");
  const std::string fine = kTraces + "ws_rw_r.std";
  EXPECT_EQ(omnium({"predict", "-m", "guess", fine}).status, 2);
  EXPECT_EQ(omnium({"predict", "--atomicity", "full", fine}).status, 2);
  EXPECT_EQ(omnium({"predict", "-f", "smoke", fine}).status, 2);
  EXPECT_EQ(omnium({"predict", "--budget", "many", fine}).status, 2);
  EXPECT_EQ(omnium({"predict", scratch.path("missing.std")}).status, 2);
}

TEST(Predict, JsonAndTheWitnessThatCheckRefuses) {
  ScratchDirectory scratch;
  const std::string trace = kTraces + "ws_vector_remove.std";
  EXPECT_EQ(omnium({"check", trace}).status, 0);
  const Ran ran = omnium({"predict", "-f", "json", "--witness", scratch.path("found"), trace});
  EXPECT_EQ(ran.status, 66);
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["method"], "commit-node");
  EXPECT_EQ(report["atomicity"], "conflict");
  EXPECT_EQ(report["atomic"], false);
  EXPECT_EQ(report["assumptions"], json({{"no_deadlock_potential", true},
                                         {"outside_units_lock_free", true},
                                         {"nested_locks", true}}));
  EXPECT_EQ(report["deadlock_potential"], json::array());
  EXPECT_TRUE(report["stats"].contains("distinct_trees"));
  ASSERT_EQ(report["warnings"].size(), 1u);
  const json& warning = report["warnings"][0];
  EXPECT_EQ(warning["transaction"],
            json({{"thread", "t1"}, {"label", "Vector"}, {"begin", 0}, {"end", 10}}));
  EXPECT_EQ(warning["commit_nodes"].size(), 2u);
  EXPECT_EQ(warning["partners"][0]["label"], "removeAllElements");
  EXPECT_EQ(warning["status"], "certain");
  const std::string witness = warning["witness"];
  EXPECT_EQ(omnium({"check", witness}).status, 66);
  expect_prefixes(witness, trace);
}

// Inner operations of re-entrant locks and blocks that the specification takes out are part of it.
TEST(Predict, AWitnessHasTheEventsAsRecorded) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file(
      "reentrant.std",
      "t1|begin(outer)|1\nt1|begin(inc)|2\nt1|acq(m)|3\nt1|acq(m)|4\nt1|r(x)|5\nt1|rel(m)|6\n"
      "t1|rel(m)|7\nt1|w(x)|8\nt1|end(inc)|9\nt1|end(outer)|10\nt2|acq(m)|11\nt2|w(x)|12\n"
      "t2|rel(m)|13\n");
  const std::string spec = scratch.file("inc.spec", "atomic inc\n");
  const Ran ran =
      omnium({"predict", "-f", "json", "-s", spec, "--witness", scratch.path("found"), trace});
  EXPECT_EQ(ran.status, 66) << ran.err;
  const json report = json::parse(ran.out);
  const json& warning = report["warnings"][0];
  EXPECT_EQ(warning["transaction"]["label"], "inc");
  expect_prefixes(warning["witness"], trace);
  EXPECT_EQ(omnium({"check", "-s", spec, warning["witness"]}).status, 66);
}

// The page of the format names every member that is written.
TEST(Predict, JsonIsAsDocumented) {
  std::ifstream in(OMNIUM_SOURCE_DIR "/docs/formats/predict.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const json report = json::parse(omnium({"predict", "-m", "all", "--speculative", "-f", "json",
                                          kTraces + "ws_vector_remove.std"})
                                      .out);
  for (const auto& [key, value] : report.items()) {
    EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << key;
  }
  ASSERT_FALSE(report["warnings"].empty());
  for (const auto& [key, value] : report["warnings"][0].items()) {
    EXPECT_NE(page.find("`warnings[]." + key + "`"), std::string::npos) << key;
  }
  for (const auto& [key, value] : report["methods"][0].items()) {
    EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << key;
  }
}

TEST(Predict, AllMethodsSideBySide) {
  const Ran ran = omnium({"predict", "-m", "all", "-f", "json", kTraces + "ws_ww_w.std"});
  EXPECT_EQ(ran.status, 66);
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["method"], "all");
  ASSERT_EQ(report["methods"].size(), 3u);
  EXPECT_EQ(report["methods"][1]["method"], "block");
  EXPECT_EQ(report["methods"][1]["atomic"], true);
  EXPECT_EQ(report["differences"][0]["warned_by"], json({"commit-node", "reduction"}));
  const Ran text = omnium({"predict", "-m", "all", kTraces + "ws_ww_w.std"});
  EXPECT_NE(text.out.find("only commit-node and reduction: t1"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("space"), std::string::npos) << text.out;
  const Ran figures = omnium({"predict", "-m", "all", "--stats", kTraces + "ws_ww_w.std"});
  EXPECT_NE(figures.out.find("warnings       time        space\n"), std::string::npos);
}

TEST(Predict, WhatIsKnownIsNoNews) {
  ScratchDirectory scratch;
  const std::string trace = kTraces + "ws_vector_remove.std";
  const std::string first = scratch.path("first.json");
  omnium({"predict", "-f", "json", "-o", first, trace});
  const std::string by_block = scratch.file("block.supp", "suppress block Vector because old\n");
  const std::string by_object = scratch.file("x.supp", "suppress object nothing because no\n");
  const Ran suppressed = omnium({"predict", "--suppressions", by_block, trace});
  EXPECT_EQ(suppressed.status, 0);
  const std::string told = in_one_line(suppressed.out);
  EXPECT_TRUE(told.starts_with(trace + ": 1 finding could happen:")) << told;
  EXPECT_NE(told.find("of which 1 suppressed"), std::string::npos) << told;
  EXPECT_EQ(suppressed.err, "omnium: " + by_block +
                                ":1: suppress block Vector: matched 1 cause with 1 violation\n");
  const Ran stale = omnium({"predict", "--suppressions", by_object, trace});
  EXPECT_EQ(stale.status, 66);
  EXPECT_NE(stale.err.find("stale"), std::string::npos) << stale.err;
  for (const char* format : {"text", "json", "sarif"}) {
    EXPECT_EQ(omnium({"predict", "--baseline", first, "-f", format, trace}).status, 0) << format;
  }
  const Ran known = omnium({"predict", "--baseline", first, "-f", "json", trace});
  EXPECT_EQ(json::parse(known.out)["warnings"][0]["known"], true);
  EXPECT_NE(in_one_line(known.err).find("1 cause known, 0 new, 0 baseline findings not seen"),
            std::string::npos)
      << known.err;
  EXPECT_EQ(omnium({"predict", "-m", "all", "--baseline", first, trace}).status, 2);
}

// Two increments with atomic loads and stores: t2 would have to see the old value.
TEST(Predict, SpeculativeIsListedOnRequestAndNoWarning) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file(
      "loads.std",
      "t1|begin(inc)|a.c:1\nt1|ar(x)|a.c:2\nt1|aw(x)|a.c:3\nt1|end(inc)|a.c:4\nt2|ar(x)|b.c:1\n"
      "t2|aw(x)|b.c:2\n");
  const Ran plain = omnium({"predict", "--possible", trace});
  EXPECT_EQ(plain.status, 0);
  EXPECT_NE(plain.out.find("no violation predicted"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("--speculative"), std::string::npos) << plain.out;
  EXPECT_FALSE(json::parse(omnium({"predict", "-f", "json", trace}).out).contains("speculative"));
  const Ran listed = omnium({"predict", "--possible", "--speculative", trace});
  EXPECT_EQ(listed.status, 0);
  EXPECT_NE(listed.out.find("\n  inc (t1), event 0 (a.c:1)"), std::string::npos) << listed.out;
  const json result = json::parse(omnium({"predict", "--speculative", "-f", "json", trace}).out);
  EXPECT_EQ(result["atomic"], false);
  EXPECT_TRUE(result["warnings"].empty());
  EXPECT_EQ(result["speculative"][0]["transaction"]["label"], "inc");
}

// What the recording itself shows is counted, not told again.
TEST(Predict, WhatHappenedIsNoPrediction) {
  ScratchDirectory scratch;
  const std::string trace = that_happened(scratch);
  const Ran ran = omnium({"predict", "--possible", trace});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.find("COULD HAPPEN"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 transaction is violated in the recording itself: omnium check"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find("atomic in every"), std::string::npos) << ran.out;
  const json result = json::parse(omnium({"predict", "-f", "json", trace}).out);
  EXPECT_EQ(result["recorded"], 1);
  EXPECT_EQ(result["atomic"], false);
  EXPECT_TRUE(result["warnings"].empty());
}

// Without a search nothing is decided: that is told, and nothing is claimed.
TEST(Predict, UndecidedIsNeitherFoundNorAtomic) {
  const std::string trace = kTraces + "ws_vector_remove.std";
  const Ran ran = omnium({"predict", "--possible", "--budget", "0", trace});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("no violation predicted"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 transaction was not decided within the budget"), std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find("atomic in every"), std::string::npos) << ran.out;
  const json result = json::parse(omnium({"predict", "--budget", "0", "-f", "json", trace}).out);
  EXPECT_EQ(result["atomic"], false);
  EXPECT_TRUE(result["warnings"].empty());
  ASSERT_EQ(result["undecided"].size(), 1u);
  EXPECT_EQ(result["undecided"][0]["transaction"]["label"], "Vector");
}

// Seen from the folder of the trace: where lines are broken depends on its path.
std::string text_of(const std::string& trace) {
  const std::filesystem::path path(trace);
  return shell("cd '" + path.parent_path().string() + "' && " OMNIUM_BINARY_DIR "/omnium predict " +
               path.filename().string())
      .out;
}

TEST(Predict, Text) {
  ScratchDirectory scratch;
  std::string out;
  for (const std::string& trace :
       {kTraces + "ws_vector_remove.std", kTraces + "ws_rw_r.std", crossed_locks(scratch)}) {
    out += text_of(trace) + "\n";
  }
  expect_golden("tests/cli/golden/predict.txt", out);
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("SUMMARY")) continue;
    EXPECT_LE(support::display_width(line), 80u) << line;
  }
}

}  // namespace
}  // namespace omnium::test
