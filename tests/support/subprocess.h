// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Runs the command line as a user would.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace omnium::test {

struct Ran {
  int status = -1;  // exit status; -1 if it was killed
  std::string out, err;
};

// The omnium that was built with these tests, not on a terminal.
Ran omnium(const std::vector<std::string>& arguments, const std::string& input = "");

// Any program, found on PATH, with its arguments.
Ran run_program(std::vector<std::string> words, const std::string& input = "");
// A command line of the shell.
Ran shell(const std::string& command);

// The wait status of a child of the test. If it does not end in time it is killed, and the test has
// failed. What is left of its process group is killed anyway.
int wait_for(pid_t child, std::string_view what);

// A program that runs beside the test, with the signals of a program on a terminal and in a process
// group of its own: if nobody has waited for it, the group is killed in the end.
class Started {
 public:
  explicit Started(std::vector<std::string> words, const std::string& input = "");
  ~Started();
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  pid_t process() const { return child_; }
  void send(int signal) const;
  bool ends_within(int milliseconds) const;
  int wait();  // its wait status, as above
  std::string out() const, err() const;

 private:
  std::vector<std::string> words_;
  std::FILE *in_, *out_, *err_;  // files, not pipes: nobody has to read them
  pid_t child_ = 0;              // 0: it was waited for
};

// A directory of its own for this test; gone at the end.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  std::vector<std::string> names() const;  // of what is in it, sorted

 private:
  std::string path_;
};

std::string read_whole(const std::string& path);

}  // namespace omnium::test
