// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Many traces: --files-from, --shard, --jobs, and merging what shards found.
#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    std::string list;
    for (int i = 0; i < kTraces; ++i) {
      const std::string path = scratch_.path(fmt::format("{}.omt", i));
      std::vector<std::string> words{"generate", "random", "--events", "300", "--seed",
                                     std::to_string(i), "-o", path};
      if (i % 2 == 0) words.push_back("--violate");
      ASSERT_EQ(omnium(words).status, 0);
      traces_.push_back(path);
      list += path + "\n";
    }
    // Something that did not happen, but could.
    for (const std::string object : {"x", "y", "x[3]"}) {
      traces_.push_back(scratch_.file(
          fmt::format("lucky-{}.std", object),
          fmt::format("t1|begin(inc)|a.cc:1\nt1|r({0})|a.cc:2\nt1|w({0})|a.cc:3\n"
                      "t1|end(inc)|a.cc:4\nt2|w({0})|b.cc:7\n",
                      object)));
      list += traces_.back() + "\n";
    }
    list_ = scratch_.file("traces.txt", list);
  }

  // Without what differs from run to run.
  static std::string stable(const std::string& text) {
    static const std::regex effort(R"("seconds":[0-9.]+,"peak_bytes":[0-9]+)");
    return std::regex_replace(text, effort, "");
  }

  std::string merged(std::vector<std::string> words) const {
    words.insert(words.begin(), "merge");
    return stable(omnium(words).out);
  }

  static constexpr int kTraces = 13;
  ScratchDirectory scratch_;
  std::vector<std::string> traces_;
  std::string list_;
};

TEST_F(Shards, ManyAtOnceIsTheSame) {
  for (const std::string command : {"check", "predict"}) {
    for (const std::string format : {"text", "json", "sarif"}) {
      std::vector<std::string> words{command, "-f", format, "--files-from", list_};
      const Ran one = omnium(words);
      words.insert(words.end(), {"-j", "3"});
      const Ran three = omnium(words);
      EXPECT_EQ(one.status, three.status) << one.err;
      EXPECT_EQ(one.err, three.err);
      static const std::regex times(R"("seconds":[0-9.e-]+|"peak_bytes":[0-9]+)");
      EXPECT_EQ(std::regex_replace(one.out, times, ""), std::regex_replace(three.out, times, ""))
          << command << " " << format;
    }
  }
  const std::string a = scratch_.path("a.spec"), b = scratch_.path("b.spec");
  const Ran one = omnium({"refine", "-o", a, "--files-from", list_});
  EXPECT_EQ(one.out, omnium({"refine", "-j", "0", "-o", b, "--files-from", list_}).out);
  EXPECT_EQ(read_whole(a), read_whole(b));
}

TEST_F(Shards, ListsComeFromStandardInputToo) {
  const Ran all = omnium({"check", "--files-from", list_});
  EXPECT_EQ(omnium({"check", "--files-from", "-"}, read_whole(list_)).out, all.out);
  std::vector<std::string> words{"check"};
  words.insert(words.end(), traces_.begin(), traces_.end());
  EXPECT_EQ(omnium(words).out, all.out);
  const Ran missing =
      omnium({"check", "-j", "2", "--files-from", "-"}, traces_[1] + "\nnone.omt\n");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.out.find("1.omt: "), std::string::npos) << missing.out;
  EXPECT_NE(missing.err.find("none.omt"), std::string::npos) << missing.err;
  for (const std::string wrong : {"0/3", "4/3", "1", "a/b", "1/0"}) {
    EXPECT_EQ(omnium({"check", "--shard", wrong, traces_[0]}).status, 2) << wrong;
  }
  EXPECT_EQ(omnium({"check", "-j", "many", traces_[0]}).status, 2);
  EXPECT_EQ(omnium({"check"}).status, 2);
}

TEST_F(Shards, MergedTheyAreTheWhole) {
  for (const std::string command : {"check", "predict"}) {
    const std::string whole = scratch_.path("whole.json");
    ASSERT_EQ(omnium({command, "-f", "json", "-o", whole, "--files-from", list_}).status, 66);
    const std::string expected = merged({whole});
    for (const int parts : {2, 5, 20}) {
      std::vector<std::string> results;
      for (int i = 1; i <= parts; ++i) {
        results.push_back(scratch_.path(fmt::format("{}-of-{}.json", i, parts)));
        const Ran ran = omnium({command, "-f", "json", "-o", results.back(), "--files-from", list_,
                                "--shard", fmt::format("{}/{}", i, parts)});
        ASSERT_TRUE(ran.status == 0 || ran.status == 66) << ran.err;
      }
      EXPECT_EQ(merged(results), expected) << command << " " << parts;
      std::ranges::reverse(results);
      results.push_back(results.front());  // a task that ran twice
      EXPECT_EQ(merged(results), expected) << command << " " << parts;
    }
  }
}

TEST_F(Shards, SpecificationsMerge) {
  const auto rules = [](const std::string& text) {
    return std::regex_replace(text, std::regex("  # .*"), "");
  };
  const std::string whole = scratch_.path("whole.spec");
  ASSERT_EQ(omnium({"refine", "-o", whole, "--files-from", list_}).status, 66);
  ASSERT_EQ(omnium({"merge", "-o", whole, whole}).status, 0);
  std::vector<std::string> words{"merge"};
  for (int i = 1; i <= 3; ++i) {
    words.push_back(scratch_.path(fmt::format("{}.spec", i)));
    ASSERT_NE(omnium({"refine", "-o", words.back(), "--files-from", list_, "--shard",
                      fmt::format("{}/3", i)})
                  .status,
              2);
  }
  EXPECT_EQ(rules(omnium(words).out), rules(read_whole(whole)));
  words.push_back(list_);
  EXPECT_EQ(omnium(words).status, 2);
}

TEST_F(Shards, MergeRendersEveryFormat) {
  const std::string one = scratch_.path("one.json"), two = scratch_.path("two.json");
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", one, traces_[0], traces_[2]}).status, 66);
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", two, traces_[1]}).status, 0);
  const Ran text = omnium({"merge", "-f", "text", one, two});
  EXPECT_EQ(text.status, 66);
  EXPECT_NE(text.out.find("Seen in 2 of 3 runs"), std::string::npos) << text.out;
  const std::string all = scratch_.path("all.json");
  EXPECT_EQ(omnium({"merge", "-o", all, one, two}).status, 66);
  EXPECT_EQ(omnium({"report", all}).out, text.out);
  EXPECT_EQ(omnium({"merge", two}).status, 0);
  EXPECT_EQ(omnium({"merge", "--baseline", one, all}).status, 0);
  for (const std::string format : {"html", "sarif", "junit", "github", "dot", "perfetto"}) {
    EXPECT_EQ(omnium({"merge", "-f", format, one, two}).out,
              omnium({"report", "-f", format, all}).out)
        << format;
  }
  const std::string nothing = scratch_.file("nothing.json", "");
  EXPECT_EQ(omnium({"merge", nothing}).status, 0);
  EXPECT_EQ(omnium({"merge", "-o", scratch_.path("none"), one, list_}).status, 2);
  EXPECT_EQ(omnium({"merge", scratch_.path("missing.json")}).status, 2);
}

// The lines of docs/scaling.md.
TEST_F(Shards, GnuParallel) {
  if (shell("command -v parallel").status != 0) GTEST_SKIP() << "GNU parallel is not installed";
  const std::string program = OMNIUM_BINARY_DIR "/omnium";
  const Ran ran = shell(fmt::format(
      "cd {} && {{ seq 4 | parallel {} check --files-from traces.txt --shard {{}}/4 -f json -o "
      "shard-{{}}.json; {} merge shard-*.json -o all.json; }}",
      scratch_.path("."), program, program));
  EXPECT_EQ(ran.status, 66) << ran.err;
  const std::string whole = scratch_.path("whole.json");
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", whole, "--files-from", list_}).status, 66);
  EXPECT_EQ(merged({scratch_.path("all.json")}), merged({whole}));
}

}  // namespace
}  // namespace omnium::test
