// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Programs that want to harm the process that watches them (docs/security.md).
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

constexpr char kBank[] = OMNIUM_BINARY_DIR "/fake-bank";

// `omnium run OPTIONS -- fake-bank hello WORDS modules find`: the finding after the attack must be
// told, and soon.
Ran attacked_by(const std::vector<std::string>& words, std::vector<std::string> options = {}) {
  options.insert(options.begin(), "run");
  options.insert(options.end(), {"--", kBank, "hello"});
  options.insert(options.end(), words.begin(), words.end());
  options.insert(options.end(), {"hello", "modules", "find"});
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = omnium(options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 40) << words.front();
  EXPECT_EQ(ran.status, 66) << words.front() << ": " << ran.err.substr(0, 2000);
  return ran;
}

TEST(Enemy, CannotShortenTheCounters) { EXPECT_EQ(attacked_by({"truncate"}).out, "-1\ndone\n"); }

TEST(Enemy, CannotCloseTheChannelForOthers) { attacked_by({"empty"}); }

TEST(Enemy, FilesThatAreNoProgramsAreNotRead) {
  ScratchDirectory scratch;
  const std::string pipe = scratch.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string folder = scratch.path("folder");
  std::filesystem::create_directory(folder);
  for (const std::string& file :
       {pipe, folder, std::string("/dev/zero"), std::string("/dev/tty"), std::string("/dev/stdin"),
        scratch.file("noise", "\x7f" "ELF but no more"), scratch.file("empty", "")}) {
    attacked_by({"claim=" + file, "find"});
  }
}

// Debug information may lie in another file, whose name is in the first.
TEST(Enemy, AFileThatLeadsToAPipeIsNotFollowed) {
  ScratchDirectory scratch;
  const std::string program = scratch.path("program"), link = scratch.path("program.debug");
  const std::string make = fmt::format(
      "cd {0} && objcopy --only-keep-debug {1} program.debug && objcopy --strip-debug "
      "--add-gnu-debuglink=program.debug {1} program && rm program.debug && mkfifo program.debug",
      scratch.path(""), kBank);
  ASSERT_EQ(shell(make).status, 0);
  attacked_by({"claim=" + program, "find"});
}

TEST(Enemy, MayAskForFunctionsAsOftenAsItLikes) {
  ScratchDirectory scratch;
  attacked_by({fmt::format("claim-often={}", kBank)},
              {"-s", scratch.file("all.spec", "atomic *\n")});
}

TEST(Enemy, MayTalkALot) {
  const Ran ran = attacked_by({"chatter"});
  EXPECT_LT(ran.err.size(), 100'000u);
  EXPECT_NE(ran.err.find("99900 further warnings are not shown"), std::string::npos);
}

TEST(Enemy, MayRepeatItself) { attacked_by({"repeat"}); }

TEST(Enemy, DescriptorsThatNobodyAskedForAreClosed) { attacked_by({"descriptors"}); }

TEST(Enemy, CannotSpeakForManyProcesses) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  attacked_by({"as-others"});
  ::getrusage(RUSAGE_CHILDREN, &after);
  EXPECT_LT(after.ru_maxrss, 600 * 1024) << "kilobytes";
}

}  // namespace
}  // namespace omnium::test
