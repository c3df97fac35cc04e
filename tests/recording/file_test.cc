// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The file of a raw log is the recorder's own.
#include "runtime/record/file.h"

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using runtime::record::open_file;
using runtime::record::open_file_of_child;

// Does the action return true in a process of its own? The file is a variable of the process.
bool holds_in_child(const std::function<bool()>& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action() ? 0 : 1);
  return wait_for(child, "the recorder") == 0;
}

std::string of_this_process(const std::string& path) {
  return path + "." + std::to_string(::getpid());
}

TEST(RawLogFile, NobodyElseMayReadIt) {
  ScratchDirectory scratch;
  EXPECT_TRUE(holds_in_child([&] {
    wire::RawHeader* header = nullptr;
    const std::string path = scratch.path("log");
    ::umask(0);
    struct stat facts {};
    return open_file(path.c_str(), header) == 0 && ::stat(path.c_str(), &facts) == 0 &&
           (facts.st_mode & 0777) == 0600 && open_file_of_child(header) == 0 &&
           ::stat(of_this_process(path).c_str(), &facts) == 0 && (facts.st_mode & 0777) == 0600;
  }));
}

// The name of a child's file can be guessed.
TEST(RawLogFile, OfAChildIsNew) {
  ScratchDirectory scratch;
  const std::string target = scratch.file("target", "");
  const auto refuses = [&](const std::function<bool(const std::string& path)>& prepare) {
    return holds_in_child([&] {
      wire::RawHeader* header = nullptr;
      const std::string path = scratch.path("log-of-" + std::to_string(::getpid()));
      return open_file(path.c_str(), header) == 0 && prepare(of_this_process(path)) &&
             open_file_of_child(header) == EEXIST;
    });
  };
  EXPECT_TRUE(refuses(
      [&](const std::string& path) { return ::symlink(target.c_str(), path.c_str()) == 0; }));
  EXPECT_TRUE(refuses(
      [&](const std::string& path) { return ::link(target.c_str(), path.c_str()) == 0; }));
  EXPECT_TRUE(refuses([](const std::string& path) { return ::mkfifo(path.c_str(), 0666) == 0; }));
  EXPECT_EQ(std::filesystem::file_size(target), 0u);
}

TEST(RawLogFile, LinksAreNotFollowed) {
  ScratchDirectory scratch;
  const std::string target = scratch.file("target", ""), path = scratch.path("log");
  ASSERT_EQ(::symlink(target.c_str(), path.c_str()), 0);
  EXPECT_TRUE(holds_in_child([&] {
    wire::RawHeader* header = nullptr;
    return open_file(path.c_str(), header) == ELOOP;
  }));
  EXPECT_EQ(std::filesystem::file_size(target), 0u);
}

}  // namespace
}  // namespace omnium::test
