// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace omnium::test {

void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = std::string(OMNIUM_SOURCE_DIR "/") + file;
  if (std::getenv("OMNIUM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; run again with OMNIUM_UPDATE_GOLDEN=1";
  std::ostringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(text, expected.str()) << "differs from " << file
                                  << "; OMNIUM_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace omnium::test
