// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium doctor` compiles and checks a program, so it is tried where programs are.
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

TEST(Doctor, SaysWhatIsThereAndWhatIsMissing) {
  const Ran fine = omnium({"doctor"});
  EXPECT_EQ(fine.status, 0) << fine.out;
  for (const char* line : {"ok       system ", "ok       runtime ", "ok       gcc "}) {
    EXPECT_NE(fine.out.find(std::string("\n") + line), std::string::npos) << fine.out;
  }
  // Without any program on the way.
  const Ran poor = shell("env PATH=/nowhere " OMNIUM_BINARY_DIR "/omnium doctor");
  EXPECT_EQ(poor.status, 2) << poor.out;
  EXPECT_NE(poor.out.find("\nmissing  compiler    needed: gcc"), std::string::npos) << poor.out;
  EXPECT_NE(poor.out.find("\nless     gdb         not found: `omnium gdb`"), std::string::npos)
      << poor.out;
}

}  // namespace
}  // namespace omnium::test
