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
  EXPECT_EQ(ran.out, example("bank_one_section") + ": all runs serializable\n");
  const Ran figures = omnium({"model", "--stats", example("bank_one_section")});
  EXPECT_NE(figures.out.find("transitions"), std::string::npos);
}

TEST(Model, WritesAViolatingRunThatCheckRejects) {
  ScratchDirectory scratch;
  for (const std::string name : {"set_add", "bank_two_sections", "early_release"}) {
    for (const std::string conflicts : {"all", "data"}) {
      const std::string trace = scratch.path(name + ".std");
      const Ran ran = omnium({"model", "--conflicts", conflicts, "--trace", trace, example(name)});
      EXPECT_EQ(ran.status, 66) << name;
      EXPECT_NE(ran.out.find("counterexample"), std::string::npos);
      const std::size_t verdict = ran.out.find(": not serializable: ");
      EXPECT_EQ(ran.out.find("not serializable", verdict + 3), std::string::npos) << ran.out;
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
  EXPECT_EQ(ran.err, "");
  const Ran stored =
      omnium({"model", "-f", "json", "--max-states", "100", example("philosophers_5")});
  EXPECT_NE(stored.err.find("no verdict: gave up after"), std::string::npos);
}

TEST(Model, WrongModelsHaveAPlace) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.omp", "thread t {\n  x = 1;\n}\n");
  Ran ran = omnium({"model", bad});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, bad + ":2:3: error: unknown variable 'x'\n    x = 1;\n    ^\n");
  EXPECT_EQ(ran.out, "");
  const std::string wraps =
      scratch.file("wraps.omp", "shared int[0..1] n = 1;\nthread t { n = n + 1; }\n");
  ran = omnium({"model", wraps});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, wraps + ":2:12: error: 2 is outside the range 0..1\n"
                             "  thread t { n = n + 1; }\n"
                             "             ^\n");
}

// What people who know other languages write, and slips: the place, a caret, what was meant.
TEST(Model, MistakesAreShownWhereTheyAre) {
  struct Case {
    std::string text, told;  // behind the path
  };
  const Case cases[] = {
      {"shared bool x;\nthread t { x := true; }\n",
       ":2:14: error: unexpected ':='; an assignment is written with '='\n"
       "  thread t { x := true; }\n               ^\n"},
      {"shared bool x;\nthread t {\n  x = true\n}\n",
       ":3:11: error: expected ';'\n    x = true\n            ^\n"},
      {"shared bool x;\nthread t {\n  atomc b { x = true; }\n}\n",
       ":3:3: error: unknown statement 'atomc'; did you mean 'atomic'?\n"
       "    atomc b { x = true; }\n    ^\n"},
      {"thrad t { }\n",
       ":1:1: error: unknown word 'thrad'; did you mean 'thread'?\n  thrad t { }\n  ^\n"},
      {"lock mutex;\nthread t {\tacquire mutx; }\n",
       ":2:20: error: unknown lock 'mutx'; did you mean 'mutex'?\n"
       "  thread t { acquire mutx; }\n                     ^\n"},
      {"shared bool \"\u00e4\u00f6\"; shared bool y; thread t { y = z; }\n",
       ":1:49: error: unknown variable 'z'\n"
       "  shared bool \"\u00e4\u00f6\"; shared bool y; thread t { y = z; }\n"
       "                                                  ^\n"},
      {"thread t {", ":1:11: error: expected '}', got the end\n  thread t {\n            ^\n"},
  };
  ScratchDirectory scratch;
  for (const Case& one : cases) {
    const std::string path = scratch.file("m.omp", one.text);
    const Ran ran = omnium({"model", path});
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err, path + one.told);
  }
  const std::string long_line = "thread t { " + std::string(500, ' ') + "oops }\n";
  const Ran ran = omnium({"model", scratch.file("long.omp", long_line)});
  EXPECT_NE(ran.err.find("…"), std::string::npos) << ran.err;
  EXPECT_LT(ran.err.size(), 400u) << ran.err;
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
