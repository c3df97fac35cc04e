// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A folder that many hunters share: files are whole, never change, and killed writers harm nobody.
#include "hunt/corpus.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace omnium::hunt {
namespace {

namespace fs = std::filesystem;

class CorpusTest : public testing::Test {
 protected:
  CorpusTest() {
    std::string pattern = (fs::temp_directory_path() / "omnium-corpus-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(folder_ / "program") << "one";
  }
  ~CorpusTest() override { fs::remove_all(folder_); }

  Hunted hunted() const { return {(folder_ / "program").string(), {"8"}, "undeclared=functions"}; }
  Corpus open() const { return *Corpus::open((folder_ / "corpus").string(), hunted()); }

  fs::path folder_;
};

std::vector<std::string> temporary_files(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) out.push_back(name);
  }
  return out;
}

TEST_F(CorpusTest, OthersSeeWhatWasAddedOnceAndTheFirstOneStays) {
  Corpus one = open(), two = open();
  EXPECT_EQ(two.news(), std::vector<std::string>());
  EXPECT_TRUE(*one.add_text("target-1", "outcome confirmed\n"));
  EXPECT_FALSE(*two.add_text("target-1", "outcome given-up\n"));
  EXPECT_TRUE(*one.add_text("target-2", "outcome given-up\n"));
  EXPECT_EQ(two.news(), std::vector<std::string>{"target-2"}) << "what it wanted to add is no news";
  EXPECT_EQ(two.news(), std::vector<std::string>());
  EXPECT_EQ(one.news(), std::vector<std::string>());
  EXPECT_EQ(*two.read_text("target-1"), "outcome confirmed\n");
  EXPECT_EQ(temporary_files(one.folder()), std::vector<std::string>());
}

TEST_F(CorpusTest, OtherProgramsArgumentsAndOptionsHaveTheirOwnFolders) {
  const std::string corpus = (folder_ / "corpus").string();
  const std::string usual = open().folder();
  EXPECT_EQ(open().folder(), usual);
  Hunted other = hunted();
  other.arguments = {"9"};
  EXPECT_NE(Corpus::open(corpus, other)->folder(), usual);
  other = hunted();
  other.options = "";
  EXPECT_NE(Corpus::open(corpus, other)->folder(), usual);
  fs::rename(folder_ / "program", folder_ / "moved");
  other = hunted();
  other.program = (folder_ / "moved").string();
  EXPECT_EQ(Corpus::open(corpus, other)->folder(), usual) << "its place does not matter";
  std::ofstream(folder_ / "moved") << "two";
  EXPECT_NE(Corpus::open(corpus, other)->folder(), usual);
}

TEST_F(CorpusTest, DamagedTextIsAnError) {
  Corpus corpus = open();
  ASSERT_TRUE(*corpus.add_text("target-1", "outcome confirmed\nwhy # sum of all\n"));
  std::ifstream in(corpus.path_of("target-1"));
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    std::ofstream(corpus.path_of("cut")) << whole.substr(0, bytes);
    EXPECT_FALSE(corpus.read_text("cut")) << bytes;
    std::string changed = whole;
    changed[bytes] ^= 1;
    std::ofstream(corpus.path_of("changed")) << changed;
    EXPECT_FALSE(corpus.read_text("changed")) << bytes;
  }
  EXPECT_EQ(*corpus.read_text("target-1"), "outcome confirmed\nwhy # sum of all\n");
}

TEST_F(CorpusTest, OldLeftoversAreRemovedAndFreshOnesStay) {
  const std::string folder = open().folder();
  std::ofstream(fs::path(folder) / ".new-old") << "half of";
  std::ofstream(fs::path(folder) / ".new-fresh") << "half of";
  fs::last_write_time(fs::path(folder) / ".new-old",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(open().news(), std::vector<std::string>());
  EXPECT_EQ(temporary_files(folder), std::vector<std::string>{".new-fresh"});
}

TEST_F(CorpusTest, AFolderThatCannotBeWrittenIsAnError) {
  std::ofstream(folder_ / "file") << "";
  EXPECT_FALSE(Corpus::open((folder_ / "file").string(), hunted()));
  Corpus corpus = open();
  fs::remove_all(corpus.folder());
  EXPECT_FALSE(corpus.add_text("target-1", "outcome confirmed\n"));
}

std::string long_text(int number) {
  std::string out;
  for (int i = 0; i < 2000; ++i) out += fmt::format("step {} {}\n", number, i);
  return out;
}

// Adds for ever, with names that the others use, too.
[[noreturn]] void add_for_ever(Corpus corpus, int first) {
  for (int i = first;; i = (i + 7) % 1000) {
    (void)corpus.add_text(fmt::format("target-{}", i), long_text(i));
  }
}

TEST_F(CorpusTest, WritersThatAreKilledAtAnyMomentLeaveWholeFilesOnly) {
  Corpus reader = open();
  std::vector<std::string> seen;
  for (int round = 0; round < 12; ++round) {
    std::vector<pid_t> writers;
    for (int i = 0; i < 3; ++i) {
      const pid_t writer = ::fork();
      if (writer == 0) add_for_ever(reader, round * 31 + i);
      writers.push_back(writer);
    }
    // Whoever reads meanwhile sees whole files, too.
    for (int look = 0; look < 5; ++look) {
      for (const std::string& name : reader.news()) {
        const auto text = reader.read_text(name);
        ASSERT_TRUE(text) << name;
        EXPECT_EQ(*text, long_text(std::stoi(name.substr(name.find('-') + 1))));
        seen.push_back(name);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(500 * (round + look)));
    }
    for (const pid_t writer : writers) ::kill(writer, SIGKILL);
    for (const pid_t writer : writers) ::waitpid(writer, nullptr, 0);
  }
  for (const std::string& name : reader.news()) {
    EXPECT_TRUE(reader.read_text(name)) << name;
    seen.push_back(name);
  }
  EXPECT_GT(seen.size(), 0u);
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << "nothing is news twice";
}

TEST(HashOfWay, FoldersAndCommentsDoNotCount) {
  const std::string way = hash_of_way("module /home/ann/bank\nstep 0 read 0:1cc8\n# thread 1\n");
  EXPECT_EQ(way, hash_of_way("module /tmp/bank\nstep 0 read 0:1cc8\n"));
  EXPECT_NE(way, hash_of_way("module /home/ann/bank\nstep 0 read 0:1cc9\n"));
  EXPECT_NE(way, hash_of_way("module /home/ann/shop\nstep 0 read 0:1cc8\n"));
}

}  // namespace
}  // namespace omnium::hunt
