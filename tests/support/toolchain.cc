// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/toolchain.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace omnium::test {

void use(const Toolchain& toolchain) {
  setenv("OMNIUM_CC", toolchain.cc.c_str(), 1);
  setenv("OMNIUM_CXX", toolchain.cxx.c_str(), 1);
  setenv("OMNIUM_RUNTIME_DIR", OMNIUM_BINARY_DIR "/stand_in", 1);
}

Ran omnium_cc(std::vector<std::string> words, const std::string& input) {
  words.insert(words.begin(), OMNIUM_BINARY_DIR "/omnium-cc");
  return run_program(words, input);
}

Ran omnium_cxx(std::vector<std::string> words, const std::string& input) {
  words.insert(words.begin(), OMNIUM_BINARY_DIR "/omnium-c++");
  return run_program(words, input);
}

std::string output_of(std::vector<std::string> words) {
  const Ran ran = run_program(words);
  EXPECT_EQ(ran.status, 0) << words[0] << "\n" << ran.err;
  return ran.out;
}

}  // namespace omnium::test
