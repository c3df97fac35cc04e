// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The quick end of accesses inside the program: which shadows end them there.
#include <cstdint>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/toolchain.h"

namespace omnium::test {
namespace {

// As in programs/inlined.c.
constexpr std::uint64_t kNow = std::uint64_t{15} << 26 | 3 << 16 | 7;
constexpr std::uint64_t kKnown = 0x2000000000000123;
constexpr std::uint64_t kRead = 0x123000002ffff, kReadLast = 0x123003fc00101;
constexpr std::uint64_t kOther = std::uint64_t{15} << 26 | 4 << 16 | 7;

struct Shadow {
  const char* what;
  std::uint64_t cell;
  bool read_is_quick, write_is_quick;
};
constexpr Shadow kShadows[] = {
    {"nobody", 0, false, false},
    {"written now", kNow << 30, true, true},
    {"read now", kNow, true, false},
    {"written and read now", kNow << 30 | kNow, true, false},
    {"written now, read by another", kNow << 30 | kOther, true, false},
    {"written by another, read now", kOther << 30 | kNow, true, false},
    {"written by another", kOther << 30, false, false},
    {"read by another", kOther, false, false},
    {"known", kKnown, true, false},
    {"one of many", std::uint64_t{2} << 60 | kOther << 30 | kNow, false, false},
    {"another form", std::uint64_t{1} << 60 | kNow << 30, false, false},
    {"locked", std::uint64_t{1} << 63 | kNow << 30, false, false},
    {"some bytes only", kNow >> 1 | 0x4000000, false, false},
};

class Inlined : public testing::TestWithParam<Toolchain> {
 protected:
  void SetUp() override {
    use(GetParam());
    setenv("OMNIUM_FUNCTIONS", "none", 1);
    const Ran compiled = omnium_cc({"-O1", "-Wall", "-Werror", "-o", program(),
                                    OMNIUM_SOURCE_DIR "/tests/driver/programs/inlined.c"});
    ASSERT_EQ(compiled.status, 0) << compiled.err;
  }

  void TearDown() override { unsetenv("OMNIUM_FUNCTIONS"); }

  std::string program() const { return scratch_.path("inlined"); }

  std::string calls(std::uint64_t first, std::uint64_t rest, int offset = 0) const {
    return output_of({program(), fmt::format("{:x}", first), fmt::format("{:x}", rest),
                      fmt::format("{:x}", rest), fmt::format("{:x}", rest),
                      fmt::format("{}", offset)});
  }

 private:
  ScratchDirectory scratch_;
};
INSTANTIATE_TEST_SUITE_P(, Inlined, testing::ValuesIn(kToolchains),
                         [](const auto& toolchain) { return toolchain.param.cc; });

constexpr char kReads[] = "read 4 +0\nread 8 +0\nread 16 +0\n";
constexpr char kWrites[] = "write 4 +0\nwrite 8 +0\nwrite 16 +0\n";

TEST_P(Inlined, CallsWhereTheShadowMatters) {
  for (const Shadow& shadow : kShadows) {
    EXPECT_EQ(calls(shadow.cell, shadow.cell), std::string(shadow.read_is_quick ? "" : kReads) +
                                                   (shadow.write_is_quick ? "" : kWrites))
        << shadow.what;
  }
}

TEST_P(Inlined, EveryWordCounts) {
  EXPECT_EQ(calls(kNow << 30, kOther << 30), "read 8 +0\nread 16 +0\nwrite 8 +0\nwrite 16 +0\n");
}

// The shadow of a recorded thread is a cell of two words for eight bytes.
TEST_P(Inlined, ReadsLookAtTheSecondWordAsWell) {
  EXPECT_EQ(calls(kOther, kRead), "read 4 +0\nread 16 +0\nwrite 4 +0\nwrite 8 +0\nwrite 16 +0\n");
  EXPECT_EQ(calls(kOther, kReadLast),
            "read 4 +0\nread 16 +0\nwrite 4 +0\nwrite 8 +0\nwrite 16 +0\n");
}

TEST_P(Inlined, AddressesThatAreNotAlignedAreNotQuick) {
  EXPECT_EQ(calls(kNow << 30, kNow << 30, 2), "read 4 +2\nread 8 +2\nwrite 4 +2\nwrite 8 +2\n");
}

TEST_P(Inlined, CanBeLeftOut) {
  setenv("OMNIUM_INLINE", "none", 1);
  const std::string object = program() + ".o";
  const Ran plain =
      omnium_cc({"-O1", "-c", "-o", object, OMNIUM_SOURCE_DIR "/tests/driver/programs/inlined.c"});
  setenv("OMNIUM_INLINE", "everything", 1);
  const Ran wrong = omnium_cc({"-c", "a.c"});
  unsetenv("OMNIUM_INLINE");
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(run_program({"nm", object}).out.find("__omnium_"), std::string::npos);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "omnium: error: OMNIUM_INLINE must be accesses or none, got 'everything'\n");
}

TEST_P(Inlined, ReadsThroughAPipeAndSaysWhatTheAssemblerSays) {
  const Ran piped = omnium_cc(
      {"-pipe", "-O1", "-o", program(), OMNIUM_SOURCE_DIR "/tests/driver/programs/inlined.c"});
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(calls(kNow << 30, kNow << 30), "");
  const Ran wrong = omnium_cc({"-x", "c", "-c", "-o", program(), "-"},
                              "void f(void) { __asm__(\"no such instruction\"); }\n");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("no such instruction"), std::string::npos) << wrong.err;
  if (GetParam().cc.starts_with("clang")) {  // gcc cannot
    const Ran object = omnium_cc({"-x", "c", "-c", "-o", "-", "-"}, "int x;\n");
    EXPECT_TRUE(
        object.out.starts_with("\x7f"
                               "ELF"))
        << object.err;
  }
  setenv("OMNIUM_AS", "/no/such/assembler", 1);
  const Ran missing = omnium_cc({"-x", "c", "-c", "-o", program(), "-"}, "int x;\n");
  unsetenv("OMNIUM_AS");
  EXPECT_NE(missing.status, 0);
  EXPECT_NE(missing.err.find("omnium: error: /no/such/assembler: No such file or directory"),
            std::string::npos)
      << missing.err;
}

}  // namespace
}  // namespace omnium::test
