// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `check -e all` and `refine`.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engines/registry.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

constexpr const char* kNested =
    "t1|begin(outer)|1\nt1|begin(inner)|2\nt1|r(x)|3\nt2|w(x)|4\nt1|w(x)|5\nt1|end|6\nt1|end|7\n";
constexpr const char* kFine = "t1|begin(a)|1\nt1|r(x)|2\nt1|end|3\n";

TEST(AllEngines, OneRowEach) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("nested.std", kNested);
  const Ran ran = omnium({"check", "-e", "all", "-f", "json", trace});
  EXPECT_EQ(ran.status, 66) << ran.err;
  const json result = json::parse(ran.out);
  ASSERT_EQ(result["engines"].size(), all_engines().size());
  EXPECT_TRUE(result["disagreements"].empty());
  for (const json& engine : result["engines"]) {
    EXPECT_EQ(engine["serializable"], false) << engine;
    EXPECT_GT(engine["peak_bytes"], 0) << engine;
    EXPECT_TRUE(engine["error"].is_null()) << engine;
  }
  EXPECT_EQ(result["engines"][0]["instances"], 1);
}

TEST(AllEngines, TextFitsTheTerminal) {
  ScratchDirectory scratch;
  const Ran ran = omnium({"check", "-e", "all", scratch.file("nested.std", kNested)});
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(scratch.path("")) != std::string::npos) continue;
    EXPECT_LE(line.size(), 80u) << line;
  }
  for (const EngineEntry& engine : all_engines()) {
    EXPECT_NE(ran.out.find(engine.info.name), std::string::npos);
  }
}

TEST(AllEngines, StandardInputAndStatuses) {
  EXPECT_EQ(omnium({"check", "-e", "all", "-"}, kNested).status, 66);
  EXPECT_EQ(omnium({"check", "-e", "all", "-"}, kFine).status, 0);
  EXPECT_EQ(omnium({"check", "-e", "all", "/dev/stdin"}, kNested).status, 66);
  const Ran malformed = omnium({"check", "-e", "all", "-"}, "t1|r(x)|\nt1|end|\n");
  EXPECT_EQ(malformed.status, 2);
  EXPECT_NE(malformed.err.find(":2: error: thread t1 ends a block"), std::string::npos)
      << malformed.err;
  EXPECT_EQ(omnium({"check", "-e", "all", "/no/such/file"}).status, 2);
}

TEST(AllEngines, SeveralTracesAndErrorsAreAsWithOneEngine) {
  ScratchDirectory scratch;
  const std::string nested = scratch.file("nested.std", kNested);
  const std::string fine = scratch.file("fine.std", kFine);
  EXPECT_EQ(omnium({"check", "-e", "all", nested, fine}).status, 66);
  const std::string wrong = scratch.file("wrong.std", "t1|r(x)|\nt1|q(x)|\n");
  const Ran one = omnium({"check", wrong});
  EXPECT_NE(one.err.find(wrong + ":2:4: error: "), std::string::npos) << one.err;
  EXPECT_EQ(omnium({"check", "-e", "all", wrong}).err, one.err);
}

// [Davida tables IV to VI] Means over many traces; distinct witnesses by transactions and labels.
TEST(AllEngines, MeansOfSeveralTraces) {
  ScratchDirectory scratch;
  const std::string twice = std::string(kNested) + kNested;
  const Ran ran = omnium({"check", "-e", "all", "--no-merge", "--all-edges", "-f", "json",
                          scratch.file("once.std", kNested), scratch.file("twice.std", twice)});
  std::istringstream lines(ran.out);
  std::vector<json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(json::parse(line));
  ASSERT_EQ(objects.size(), 3u);
  ASSERT_EQ(objects[1]["engines"].size(), all_engines().size() + 2);
  const json& davida = objects[1]["engines"][4];
  EXPECT_EQ(davida["engine"], "davida");
  EXPECT_EQ(davida["witnesses"], 2);
  EXPECT_EQ(davida["distinct_witnesses"], 1) << "the labels are the same";
  EXPECT_EQ(davida["distinct_sequences"], 2) << "the transactions are not";
  EXPECT_EQ(davida["visited"], 4);
  EXPECT_EQ(davida["detected_at"], 4);
  EXPECT_EQ(objects[2]["mean_of"], 2);
  EXPECT_EQ(objects[2]["engines"][4]["witnesses"], 1.5);
  EXPECT_EQ(objects[2]["engines"][4]["visited"], 3);
  EXPECT_EQ(objects[2]["engines"][7]["engine"], "velodrome --no-merge");
  EXPECT_GE(objects[2]["engines"][7]["nodes_made"], objects[2]["engines"][1]["nodes_made"]);
}

TEST(First, StopsAtTheFirstViolation) {
  for (const EngineEntry& engine : all_engines()) {
    const std::string twice = std::string(kNested) + kNested;
    const std::string name(engine.info.name);
    const Ran ran = omnium({"check", "-e", name, "--first", "-f", "json", "-"}, twice);
    EXPECT_EQ(ran.status, 66) << ran.err;
    const json result = json::parse(ran.out);
    const bool at_end = engine.info.name == "conflict-graph";
    EXPECT_EQ(result["detected_at"], at_end ? 13 : 4) << engine.info.name;
    EXPECT_EQ(result["trace"]["events"], at_end ? 14 : 5) << engine.info.name;
    EXPECT_EQ(result["only_first"], true);
  }
  EXPECT_EQ(omnium({"check", "--first", "-"}, kFine).status, 0);
  EXPECT_EQ(omnium({"check", "--first", "-e", "all", "-"}, kFine).status, 2);
  EXPECT_EQ(omnium({"check", "--no-merge", "-"}, kFine).status, 2);
}

TEST(AllEngines, AnEngineThatIsTooSlowIsStopped) {
  ScratchDirectory scratch;
  const std::string trace = scratch.path("large.omt");
  ASSERT_EQ(
      omnium({"generate", "longtx", "--events", "3M", "--variables", "20K", "-o", trace}).status,
      0);
  const Ran ran = omnium({"check", "-e", "all", "--timeout", "2", "-f", "json", trace});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const json result = json::parse(ran.out);
  bool stopped = false;
  for (const json& engine : result["engines"]) stopped |= engine["error"] == "timeout";
  EXPECT_TRUE(stopped) << "aerodrome-basic looks at 20,000 variables per end";
  EXPECT_EQ(omnium({"check", "-e", "all", "--timeout", "soon", trace}).status, 2);
}

TEST(Refine, WritesASpecificationThatNothingViolates) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("nested.std", kNested);
  const std::string spec = scratch.path("new.spec");
  const Ran ran = omnium({"refine", trace, "-o", spec});
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_EQ(ran.out,
            "round  dropped  violations  distinct witnesses\n"
            "    1        1           1                   1\n"
            "         outer\n"
            "    2        1           1                   1\n"
            "         inner\n"
            "    3        0           0                   0\n");
  const std::string text = read_whole(spec);
  EXPECT_NE(text.find("not-atomic outer  # round 1: 1 violation, first in "), std::string::npos);
  EXPECT_NE(text.find("not-atomic inner  # round 2: "), std::string::npos);
  EXPECT_EQ(omnium({"check", "-s", spec, trace}).status, 0);
}

TEST(Refine, StartsFromASpecification) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("nested.std", kNested);
  const std::string old = scratch.file("old.spec", "not-atomic outer");
  const std::string spec = scratch.path("new.spec");
  EXPECT_EQ(omnium({"refine", "-s", old, trace, "-o", spec}).status, 66);
  const std::string text = read_whole(spec);
  EXPECT_TRUE(text.starts_with("not-atomic outer\n#")) << text;
  EXPECT_NE(text.find("not-atomic inner  # round 1"), std::string::npos) << text;
}

TEST(Refine, NothingToDropAndBadInput) {
  ScratchDirectory scratch;
  const std::string fine = scratch.file("fine.std", kFine);
  const std::string spec = scratch.path("new.spec");
  EXPECT_EQ(omnium({"refine", fine, "-o", spec}).status, 0);
  EXPECT_EQ(omnium({"refine", fine}).status, 2) << "-o is missing";
  EXPECT_EQ(omnium({"refine", "/no/such/file", "-o", scratch.path("none.spec")}).status, 2);
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"fine.std", "new.spec"}));
}

TEST(Profile, TakesOutMainAndThreadStarts) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("main.std",
                                         "t1|begin(main)|1\nt1|r(x)|2\nt1|fork(t2)|3\n"
                                         "t2|begin(job)|4\nt2|w(x)|5\nt2|end|6\n"
                                         "t1|join(t2)|7\nt1|w(x)|8\nt1|end|9\n");
  EXPECT_EQ(omnium({"check", "--waits", "keep", trace}).status, 66);
  EXPECT_EQ(omnium({"check", "--waits", "keep", "--profile", "naive", trace}).status, 0);
  EXPECT_EQ(
      omnium({"check", "--waits", "keep", "--profile", "paper", "-"}, read_whole(trace)).status, 0);
  EXPECT_EQ(omnium({"check", "--profile", "none", trace}).status, 2);
  const std::string spec = scratch.file("main.spec", "atomic main\n");
  EXPECT_EQ(omnium({"check", "--waits", "keep", "--profile", "naive", "-s", spec, trace}).status,
            66)
      << "the file's rules win";
}

// A recording says which block is a thread's body. If it is none, the next one does not take its
// place; and what waited is known by its events.
TEST(Profile, OfRecordings) {
  const auto status = [](std::string_view profile, std::string_view remark,
                         std::string_view before_job) {
    const std::string trace = std::string(remark) + "t1|fork(t2)|1\n" + std::string(before_job) +
                              "t2|begin(job)|4\nt2|acq(m)|5\nt2|r(x)|6\nt2|wait(m)|7\n"
                              "t1|w(x)|8\nt2|resume(m)|9\nt2|w(x)|10\nt2|rel(m)|11\nt2|end|12\n";
    return omnium({"check", "--waits", "keep", "--profile", std::string(profile), "-"}, trace)
        .status;
  };
  EXPECT_EQ(status("naive", "", ""), 0) << "a trace without remarks: job is the body";
  EXPECT_EQ(status("naive", "", "t2|signal(t2 begins)|2\n"), 66);
  EXPECT_EQ(status("naive", "", "t2|signal(t2 begins)|2\nt2|signal(t2 body)|3\n"), 0);
  EXPECT_EQ(status("naive", "t1|signal(blocks are not declared)|0\n", ""), 66);
  EXPECT_EQ(status("paper", "", "t2|signal(t2 begins)|2\n"), 0) << "it waits";
}

// [Velodrome section 2] The hand-over by a flag "yields only serializable traces", and the Atomizer
// warns all the same. [Table 2] What it warns about and one trace shows, another trace may miss.
TEST(Atomizer, WarnsOfWhatTheExactCheckConfirmsOrNot) {
  ScratchDirectory scratch;
  const std::string traces = std::string(OMNIUM_SOURCE_DIR) + "/tests/paper/traces/";
  const std::string serial = scratch.file(
      "serial.std", "t1|begin(inc)|1\nt1|r(x)|2\nt1|w(x)|3\nt1|end|4\nt2|w(x)|5\n");
  const std::string interleaved = scratch.file(
      "interleaved.std", "t1|begin(inc)|1\nt1|r(x)|2\nt2|w(x)|3\nt1|w(x)|4\nt1|end|5\n");
  const Ran ran = omnium({"check", "--atomizer", "--as-published", "-f", "json",
                          traces + "velo_flag.std", serial, interleaved});
  EXPECT_EQ(ran.status, 66) << ran.err;
  const json result = json::parse(ran.out);
  EXPECT_EQ(result["traces"], 3);
  std::size_t false_alarms = 0;
  for (const json& block : result["blocks"]) {
    if (block["label"] == "inc") {
      EXPECT_EQ(block["ran"], 2);
      EXPECT_EQ(block["violated"], 1);
      EXPECT_EQ(block["warned"], 2);
      EXPECT_EQ(block["missed"], 1);
      EXPECT_EQ(block["false_alarm"], false);
    } else {
      EXPECT_EQ(block["violated"], 0) << block;
      false_alarms += block["false_alarm"] == true;
    }
  }
  EXPECT_GT(false_alarms, 0u) << ran.out;
  const Ran text = omnium({"check", "--atomizer", "--as-published", serial, interleaved});
  EXPECT_EQ(text.out,
            "2 traces: in how many of them each block\n"
            "block    ran  violated  warned  missed\n"
            "inc        2         1       2       1\n"
            "Reduction warns about 1 block: 1 violated in some trace, 0 in none (false alarms "
            "there).\n"
            "The exact check gave no false alarm and missed a violated block in 1 trace.\n");
  EXPECT_EQ(omnium({"check", "--atomizer", "-e", "davida", serial}).status, 2);
}

// [Velodrome section 5] The error graph of Set.add names the inner methods.
TEST(ErrorGraph, NamesTheInnerMethods) {
  const Ran ran = omnium({"check", "-f", "dot", "-"},
                         "T1|begin(Set.add)|1\nT1|begin(Vector.contains)|2\nT1|r(v)|3\nT1|end|4\n"
                         "T2|begin(Set.add)|5\nT2|begin(Vector.add)|6\nT2|w(v)|7\nT2|end|8\n"
                         "T2|end|9\nT1|w(v)|10\nT1|end|11\n");
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_NE(ran.out.find(R"([label="Vector.contains: read v (3)\nVector.add: write v (7)\n "])"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(R"([label="Vector.add: write v (7)\nwrite v (10)\n " style=dashed])"),
            std::string::npos)
      << ran.out;
}

}  // namespace
}  // namespace omnium::test
