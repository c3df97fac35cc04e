// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

const std::string kTraces = OMNIUM_SOURCE_DIR "/tests/paper/traces/";

std::vector<std::string> sorted_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(Predict, ExitStatusIsTheVerdict) {
  EXPECT_EQ(omnium({"predict", kTraces + "ws_rw_r.std"}).status, 0);
  EXPECT_EQ(omnium({"predict", kTraces + "ws_ww_w.std"}).status, 66);
  EXPECT_EQ(omnium({"predict", "--atomicity", "view", kTraces + "ws_ww_w.std"}).status, 0);
  EXPECT_EQ(omnium({"predict", "-m", "block", kTraces + "ws_ww_w.std"}).status, 0);
  EXPECT_EQ(omnium({"predict", "-m", "reduction", kTraces + "ws_rw_r.std"}).status, 66);
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
  EXPECT_EQ(warning["status"], "confirmed");
  const std::string witness = warning["witness"];
  EXPECT_EQ(omnium({"check", witness}).status, 66);
  EXPECT_EQ(sorted_lines(witness), sorted_lines(trace));
}

// Inner operations of re-entrant locks and blocks that the specification takes out are part of it.
TEST(Predict, AWitnessHasAllRecordedEvents) {
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
  EXPECT_EQ(sorted_lines(warning["witness"]), sorted_lines(trace));
  EXPECT_EQ(omnium({"check", "-s", spec, warning["witness"]}).status, 66);
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
}

// Confirmed warnings have the ids of findings, the others their own.
TEST(Predict, WhatIsKnownIsNoNews) {
  ScratchDirectory scratch;
  const std::string trace = kTraces + "ws_vector_remove.std";
  const std::string first = scratch.path("first.json"), vague = scratch.path("vague.json");
  omnium({"predict", "-f", "json", "-o", first, trace});
  omnium({"predict", "-f", "json", "--budget", "0", "-o", vague, trace});
  const std::string by_block = scratch.file("block.supp", "suppress block Vector because old\n");
  const std::string by_object = scratch.file("x.supp", "suppress object nothing because no\n");
  const Ran suppressed = omnium({"predict", "--suppressions", by_block, trace});
  EXPECT_EQ(suppressed.status, 0);
  EXPECT_EQ(suppressed.out, trace +
                                ": 1 warning, 1 confirmed, of which 1 suppressed (commit-node, "
                                "conflict-atomicity, 17 events)\n");
  EXPECT_EQ(suppressed.err, "omnium: " + by_block +
                                ":1: suppress block Vector: matched 1 cause with 1 violation\n");
  const Ran stale = omnium({"predict", "--suppressions", by_object, trace});
  EXPECT_EQ(stale.status, 66);
  EXPECT_NE(stale.err.find("stale"), std::string::npos) << stale.err;
  for (const char* format : {"text", "json", "sarif"}) {
    EXPECT_EQ(omnium({"predict", "--baseline", first, "-f", format, trace}).status, 0) << format;
    EXPECT_EQ(omnium({"predict", "--baseline", vague, "-f", format, trace}).status, 66) << format;
    EXPECT_EQ(omnium({"predict", "--budget", "0", "--baseline", vague, "-f", format, trace}).status,
              0)
        << format;
  }
  const Ran known = omnium({"predict", "--baseline", first, "-f", "json", trace});
  EXPECT_EQ(json::parse(known.out)["warnings"][0]["known"], true);
  EXPECT_NE(known.err.find("1 cause known, 0 new, 0 baseline findings not seen"), std::string::npos)
      << known.err;
  EXPECT_EQ(omnium({"predict", "-m", "all", "--baseline", first, trace}).status, 2);
}

TEST(Predict, Text) {
  std::string out;
  for (const char* name : {"ws_vector_remove", "ws_rw_r"}) {
    std::string text = omnium({"predict", kTraces + name + ".std"}).out;
    text.erase(0, kTraces.size());
    out += text + "\n";
  }
  ScratchDirectory scratch;
  const std::string crossed = scratch.file(
      "crossed.std",
      "t1|begin(f)|a.c:1\nt1|acq(l)|a.c:2\nt1|acq(m)|a.c:3\nt1|w(x)|a.c:4\nt1|rel(l)|a.c:5\n"
      "t1|rel(m)|a.c:6\nt1|end(f)|a.c:7\nt2|acq(m)|b.c:1\nt2|acq(l)|b.c:2\nt2|r(x)|b.c:3\n"
      "t2|rel(l)|b.c:4\nt2|rel(m)|b.c:5\n");
  out +=
      omnium({"predict", crossed}).out.substr(crossed.size() - std::string("crossed.std").size());
  expect_golden("tests/cli/golden/predict.txt", out);
}

}  // namespace
}  // namespace omnium::test
