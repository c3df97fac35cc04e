// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Runs the command line as a user would.
#pragma once

#include <string>
#include <vector>

namespace omnium::test {

struct Ran {
  int status = -1;  // exit status; -1 if it was killed
  std::string out, err;
};

// The omnium that was built with these tests, not on a terminal.
Ran omnium(const std::vector<std::string>& arguments, const std::string& input = "");

// Any program, found on PATH, with its arguments.
Ran run_program(std::vector<std::string> words, const std::string& input = "");

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
