// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Several reports of one run, each in the format of its extension.
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

constexpr const char* kBank =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end|a.cc:4\n";

// Without what differs from run to run.
std::string same_part(std::string text) {
  const std::size_t seconds = text.find("\"seconds\"");
  return text.substr(0, seconds);
}

TEST(Outputs, OneRunManyReports) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("bank.std", kBank);
  for (const std::string command : {"check", "predict"}) {
    const Ran all = omnium({command, "-o", scratch.path("r.json"), "-o", scratch.path("r.sarif"),
                            "-o", "-", "-o", scratch.path("r.html"), "-o", scratch.path("r.md"),
                            "-o", scratch.path("r.xml"), "-o", scratch.path("r.dot"), trace});
    const Ran text = omnium({command, trace});
    EXPECT_EQ(all.status, text.status);
    EXPECT_EQ(all.out, text.out);
    for (const auto& [file, format] : {std::pair{"r.json", "json"}, std::pair{"r.sarif", "sarif"},
                                       std::pair{"r.md", "markdown"}, std::pair{"r.dot", "dot"}}) {
      EXPECT_EQ(same_part(read_whole(scratch.path(file))),
                same_part(omnium({command, "-f", format, trace}).out))
          << command << " " << file;
    }
    EXPECT_NE(read_whole(scratch.path("r.html")).find("<html"), std::string::npos);
    EXPECT_NE(read_whole(scratch.path("r.xml")).find("<testsuites"), std::string::npos);
  }
}

TEST(Outputs, ModelsToo) {
  ScratchDirectory scratch;
  const Ran ran = omnium({"model", "-o", scratch.path("r.json"), "-o", scratch.path("r.sarif"),
                          OMNIUM_SOURCE_DIR "/examples/models/set_add.omp"});
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(read_whole(scratch.path("r.json")).find("\"states\""), std::string::npos);
  EXPECT_NE(read_whole(scratch.path("r.sarif")).find("\"ruleId\""), std::string::npos);
}

TEST(Outputs, ByExtension) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("bank.std", kBank);
  const auto starts = [&](const std::string& file, const std::string& start,
                          std::vector<std::string> more) {
    std::vector<std::string> words{"check", trace, "-o", scratch.path(file)};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(omnium(words).status, 66);
    EXPECT_TRUE(read_whole(scratch.path(file)).starts_with(start))
        << file << ": " << read_whole(scratch.path(file)).substr(0, 80);
  };
  starts("r.svg", "<?xml", {});
  starts("r.sarif.json", "{\n \"$schema\"", {});
  starts("r", "════ Omnium", {});
  starts("r.txt", "════ Omnium", {});
  starts("r.html", "════ Omnium", {"-f", "text"});  // what is said counts
  starts("r.pdf", "{\"tool\":\"omnium\"", {"-f", "json"});
}

TEST(Outputs, Mistakes) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("bank.std", kBank);
  struct Wrong {
    std::vector<std::string> words;
    std::string message;
  };
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"-f", "html", "-f", "sarif"}, "option --format is given twice; for several reports"},
           {{"-o", "a.pdf"}, "cannot tell the format of 'a.pdf' from its extension; add -f NAME ("},
           {{"-f", "html", "-o", "a.html", "-o", "b.sarif"}, "with several -o each file has the"},
           {{"-o", "a.html", "-o", "a.html"}, "-o a.html is given twice"},
           {{"-o", ""}, "-o needs the name of a file"},
           {{"-e", "all", "-o", "a.html"}, "-e all prints a table: choose"},
           {{"--timeout", "3"}, "--timeout limits each engine of a comparison: add -e all"}}) {
    std::vector<std::string> words{"check", trace};
    words.insert(words.end(), wrong.words.begin(), wrong.words.end());
    const Ran ran = omnium(words);
    EXPECT_EQ(ran.status, 2) << wrong.message;
    EXPECT_TRUE(ran.err.starts_with("omnium: error: " + wrong.message)) << ran.err;
  }
}

}  // namespace
}  // namespace omnium::test
