// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/text_file.h"
#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

constexpr const char* kLostUpdate =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:9\nt1|w(x)|a.cc:3\nt1|end|a.cc:4\n";
// Atomic as recorded, not in every order.
constexpr const char* kCouldBeLost =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt1|w(x)|a.cc:3\nt1|end|a.cc:4\nt2|w(x)|a.cc:5\n";
constexpr const char* kFine = "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt1|end|a.cc:4\n";

TEST(Check, ExitStatusIsTheVerdict) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string fine = scratch.file("fine.std", kFine);
  EXPECT_EQ(omnium({"check", fine}).status, 0);
  EXPECT_EQ(omnium({"check", bad}).status, 66);
  EXPECT_EQ(omnium({"check", fine, bad}).status, 66);
  EXPECT_EQ(omnium({"check", "-e", "conflict-graph", bad}).status, 66);
  EXPECT_EQ(omnium({"check", "-"}, kLostUpdate).status, 66);
}

// Two critical sections of a block with another one in between, and nothing recorded in any of
// them.
TEST(Check, LocksWithoutAccessesAreMentioned) {
  ScratchDirectory scratch;
  const std::string sections =
      "t1|begin(inc)|\nt1|acq(m)|\nt1|rel(m)|\nt2|acq(m)|\nt2|rel(m)|\nt1|acq(m)|\nt1|rel(m)|\n"
      "t1|end|\n";
  const std::string silent = scratch.file("silent.std", sections);
  const Ran ran = omnium({"check", silent});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("With --conflicts all, 1"), std::string::npos) << ran.out;
  const Ran told = omnium({"check", "-f", "json", silent});
  EXPECT_EQ(json::parse(told.out)["through_silent_locks"], 1);
  // The same lock guards something that is recorded.
  const std::string guarding =
      scratch.file("guarding.std", "t2|racq(m)|\nt2|ar(x)|\nt2|rrel(m)|\n" + sections);
  EXPECT_EQ(omnium({"check", guarding}).out.find("With --conflicts all"), std::string::npos);
  EXPECT_EQ(omnium({"check", "--conflicts", "all", silent}).status, 66);
}

TEST(Check, JsonOneObjectPerLine) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string fine = scratch.file("fine.std", kFine);
  const Ran ran = omnium({"check", "-f", "json", "--stats", bad, fine});
  EXPECT_EQ(ran.status, 66);
  const std::size_t end = ran.out.find('\n');
  const json first = json::parse(ran.out.substr(0, end));
  const json second = json::parse(ran.out.substr(end + 1));
  EXPECT_EQ(first["serializable"], false);
  EXPECT_EQ(first["violations"][0]["locations"]["event"], "a.cc:3");
  EXPECT_EQ(first["violations"][0]["pattern"], "lost update");
  EXPECT_TRUE(first.contains("stats"));
  EXPECT_EQ(second["serializable"], true);
  EXPECT_EQ(second["trace"]["path"], fine);
}

TEST(Check, ABadTraceDoesNotHideTheOthers) {
  ScratchDirectory scratch;
  const std::string malformed = scratch.file("malformed.std", "t1|begin(a)|1\n# c\nt1|rel(m)|2\n");
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const Ran ran = omnium({"check", malformed, bad});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find(malformed + ":3"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("lost update on x"), std::string::npos);
}

TEST(Check, WarnsOfRulesThatMatchNothing) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string other = scratch.file("other.std", "t1|begin(dec)|1\nt1|end|2\n");
  const std::string spec = scratch.file("x.spec", "atomic in?\natomic dec\n\nnot-atomic main\n");
  const std::string exclude = scratch.file("x.exclude", "nobody\n");
  const std::string warning = "omnium: warning: " + spec;
  const std::string main = warning + ":4: 'not-atomic main' matches no block\n";
  const std::string dec = warning + ":2: 'atomic dec' matches no block\n";
  EXPECT_EQ(omnium({"check", "-s", spec, "--exclude", exclude, bad}).err, dec + main);
  EXPECT_EQ(omnium({"check", "-s", spec, bad, other}).err, main);
  EXPECT_EQ(omnium({"check", "-e", "all", "-s", spec, bad}).err, dec + main);
  EXPECT_EQ(omnium({"predict", "-s", spec, bad}).err, dec + main);
  EXPECT_EQ(omnium({"refine", "-s", spec, "-o", scratch.path("new"), bad, other}).err, main);
}

TEST(Check, BadInputIsTwoWithAMessage) {
  ScratchDirectory scratch;
  const std::string fine = scratch.file("fine.std", kFine);
  const std::vector<std::vector<std::string>> calls = {
      {"check"},
      {"check", scratch.path("missing.std")},
      {"check", scratch.path("")},
      {"check", "-e", "nonesuch", fine},
      {"check", "--nonesuch", fine},
      {"check", "-f", "nonesuch", fine},
      {"check", "--color", "nonesuch", fine},
      {"check", "-s", scratch.path("missing.spec"), fine},
      {"check", "-s", scratch.file("bad.spec", "atomic\n"), fine},
      {"check", "-o", scratch.path("no/such/report"), fine},
      {"nonesuch"},
      {"help", "nonesuch"},
  };
  for (const auto& call : calls) {
    const Ran ran = omnium(call);
    EXPECT_EQ(ran.status, 2) << testing::PrintToString(call);
    EXPECT_NE(ran.err.find("error: "), std::string::npos) << testing::PrintToString(call);
    EXPECT_EQ(ran.out, "") << testing::PrintToString(call);
  }
  EXPECT_NE(omnium({"check", "-e", "nonesuch", fine}).err.find("conflict-graph"),
            std::string::npos);
  EXPECT_NE(omnium({"check", "--nonesuch", fine}).err.find("--engine"), std::string::npos);
}

TEST(Check, OutputAppearsWholeOrNotAtAll) {
  ScratchDirectory scratch;
  const std::string malformed = scratch.file("malformed.std", "t1|end|1\n");
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  EXPECT_EQ(omnium({"check", "-o", scratch.path("report"), malformed}).status, 2);
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"bad.std", "malformed.std"}));
  const Ran ran = omnium({"check", "-f", "json", "-o", scratch.path("report"), bad});
  EXPECT_EQ(ran.status, 66);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(json::parse(read_whole(scratch.path("report")))["violations"].size(), 1u);
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"bad.std", "malformed.std", "report"}));
}

TEST(Check, SpecificationsAndExclusions) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string spec = scratch.file("s.spec", "not-atomic inc\n");
  const std::string names = scratch.file("names", "inc\n");
  EXPECT_EQ(omnium({"check", "-s", spec, bad}).status, 0);
  EXPECT_EQ(omnium({"check", "--exclude", names, bad}).status, 0);
  const Ran ran = omnium({"check", "--not-atomic", "inc", "--not-atomic", "in", bad});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "omnium: warning: --not-atomic 'in' matches no block\n");
  EXPECT_EQ(omnium({"check", "-e", "all", "--not-atomic", "inc", bad}).status, 0);
  EXPECT_EQ(omnium({"info", "--labels", bad}).out, "inc\n");
}

TEST(Check, RunsAreCountedOfWhatOughtToBeAtomic) {
  const ScratchDirectory scratch;
  const std::string bank = OMNIUM_SOURCE_DIR "/examples/traces/bank.std";
  const auto runs = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"check", "-f", "json", bank};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(omnium(arguments).out)["runs"].dump();
  };
  EXPECT_EQ(runs({}), R"([{"count":2,"label":"deposit","refuted":0},)"
                      R"({"count":1,"label":"transfer","refuted":1}])");
  EXPECT_EQ(runs({"-s", scratch.file("s.spec", "not-atomic transfer\n")}),
            R"([{"count":2,"label":"deposit","refuted":0}])");
  EXPECT_EQ(runs({"-e", "aerodrome"}), "null");
}

TEST(Check, ColourOnlyWhenAsked) {
  ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  EXPECT_EQ(omnium({"check", bad}).out.find('\x1b'), std::string::npos);
  EXPECT_NE(omnium({"check", "--color", "always", bad}).out.find('\x1b'), std::string::npos);
}

// script(1) gives the command a terminal.
TEST(Check, OnATerminalTheLastLinesSayWhatToDoNext) {
  const ScratchDirectory scratch;
  const std::string bad = scratch.file("lost update.std", kLostUpdate);
  const std::string fine = scratch.file("fine.std", kFine);
  const std::string handover = scratch.file("handover.std", kCouldBeLost);
  const auto next = [&](const std::string& arguments) {
    const std::string command = OMNIUM_BINARY_DIR "/omnium " + arguments;
    const Ran ran = shell("script -qec \"" + command + "\" /dev/null </dev/null | tr -d '\\r'");
    const auto at = ran.out.find("Next: ");
    return at == std::string::npos ? "" : ran.out.substr(at);
  };
  EXPECT_EQ(next("check '" + bad + "'"),
            "Next: view it in a browser: omnium check -f html -o report.html '" + bad + "'\n");
  EXPECT_EQ(next("check " + fine), "Next: check other interleavings: omnium predict " + fine +
                                       "\n  or make them happen: omnium hunt -- PROGRAM "
                                       "[ARGUMENTS]\n");
  EXPECT_EQ(next("predict " + handover),
            "Next: make it happen: omnium hunt -- PROGRAM [ARGUMENTS]\n");
  EXPECT_EQ(next("predict " + fine), "");
  EXPECT_EQ(next("check -f json " + fine), "");
  EXPECT_EQ(omnium({"check", fine}).out.find("Next"), std::string::npos);
}

TEST(Check, EveryInstance) {
  ScratchDirectory scratch;
  const std::string twice = scratch.file(
      "twice.std", "t1|begin(a)|\nt1|r(x)|\nt2|w(x)|\nt1|r(x)|\nt2|w(x)|\nt1|r(x)|\nt1|end|\n");
  const json first = json::parse(omnium({"check", "-f", "json", twice}).out);
  const json all = json::parse(omnium({"check", "--all", "-f", "json", twice}).out);
  EXPECT_EQ(first["violations"].size(), 1u);
  EXPECT_EQ(first["instances"], 2);
  EXPECT_EQ(all["violations"].size(), 2u);
}

}  // namespace
}  // namespace omnium::test
