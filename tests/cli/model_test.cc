// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

std::string example(const std::string& name) {
  return std::string(OMNIUM_SOURCE_DIR) + "/examples/models/" + name + ".omp";
}

TEST(Model, Help) {
  const Ran ran = omnium({"help", "model"});
  EXPECT_EQ(ran.status, 0);
  expect_golden("tests/cli/golden/help-model.txt", ran.out);
}

TEST(Model, SaysThatAllRunsAreSerializable) {
  const Ran ran = omnium({"model", example("bank_one_section")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("all runs serializable"), std::string::npos);
  EXPECT_NE(ran.out.find("transitions"), std::string::npos);
}

TEST(Model, WritesAViolatingRunThatCheckRejects) {
  ScratchDirectory scratch;
  for (const std::string name : {"set_add", "bank_two_sections", "early_release"}) {
    for (const std::string conflicts : {"all", "data"}) {
      const std::string trace = scratch.path(name + ".std");
      const Ran ran = omnium({"model", "--conflicts", conflicts, "--trace", trace, example(name)});
      EXPECT_EQ(ran.status, 66) << name;
      EXPECT_NE(ran.out.find("the shortest counterexample"), std::string::npos);
      const Ran checked = omnium({"check", "--conflicts", conflicts, "--waits", "keep", trace});
      EXPECT_EQ(checked.status, 66) << name;
    }
  }
}

TEST(Model, ReportsDeadlocks) {
  const Ran ran = omnium({"model", "-f", "json", example("philosophers_3")});
  EXPECT_EQ(ran.status, 0);
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["answer"], "serializable");
  EXPECT_EQ(report["deadlock"]["waiting"].size(), 3u);
  EXPECT_EQ(report["deadlock"]["run"].size(), 3u);
  EXPECT_TRUE(report["run"].is_null());
  const Ran text = omnium({"model", example("philosophers_3")});
  EXPECT_NE(text.out.find("deadlock: after 3 events"), std::string::npos);
}

TEST(Model, JsonHoldsTheFinding) {
  const Ran ran = omnium({"model", "-f", "json", example("three_threads")});
  EXPECT_EQ(ran.status, 66);
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["answer"], "not-serializable");
  EXPECT_EQ(report["run"].size(), 5u);
  EXPECT_EQ(report["finding"]["serializable"], false);
  EXPECT_EQ(report["finding"]["violations"].size(), 1u);
}

TEST(Model, GivesUp) {
  const Ran ran = omnium({"model", "--max-states", "100", example("philosophers_5")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.out.find("no verdict: gave up after"), std::string::npos);
}

TEST(Model, WrongModelsHaveAPlace) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.omp", "thread t {\n  x = 1;\n}\n");
  Ran ran = omnium({"model", bad});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, bad + ":2:3: error: unknown variable 'x'\n");
  EXPECT_EQ(ran.out, "");
  const std::string wraps =
      scratch.file("wraps.omp", "shared int[0..1] n = 1;\nthread t { n = n + 1; }\n");
  ran = omnium({"model", wraps});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, wraps + ":2:12: error: 2 is outside the range 0..1\n");
}

TEST(Model, WrongUsage) {
  EXPECT_EQ(omnium({"model"}).status, 2);
  EXPECT_EQ(omnium({"model", "/no/such.omp"}).status, 2);
  EXPECT_EQ(omnium({"model", "--conflicts", "some", example("set_add")}).status, 2);
  EXPECT_EQ(omnium({"model", "--max-states", "0", example("set_add")}).status, 2);
  EXPECT_EQ(omnium({"model", "-f", "xml", example("set_add")}).status, 2);
  EXPECT_EQ(omnium({"model", "--trace", "run.unknown", example("set_add")}).status, 2);
}

// From a trace to its model and back: what the trace did is one of the runs.
TEST(Model, FromATrace) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file(
      "t.std", "a|begin(inc)|x.cc:1\na|r(n)|x.cc:2\nb|w(n)|x.cc:9\na|end(inc)|x.cc:4\n");
  const std::string model = scratch.path("t.omp");
  EXPECT_EQ(omnium({"model", "--from", trace, "-o", model}).status, 0);
  EXPECT_EQ(omnium({"model", model}).status, 0);
  const std::string longer = scratch.file(
      "u.std", "a|begin(inc)|x.cc:1\na|r(n)|x.cc:2\na|w(n)|x.cc:3\na|end(inc)|x.cc:4\nb|w(n)|y\n");
  EXPECT_EQ(omnium({"check", longer}).status, 0);
  EXPECT_EQ(omnium({"model", "--from", longer, "-o", model}).status, 0);
  EXPECT_EQ(omnium({"model", model}).status, 66);
}

}  // namespace
}  // namespace omnium::test
