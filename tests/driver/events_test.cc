// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the compilers' instrumentation lets the runtime see, for every compiler and every level of
// optimization. Sizes of single accesses are the compiler's choice; the bytes are not.
#include <bitset>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/toolchain.h"

namespace omnium::test {
namespace {

using Bytes = std::bitset<512>;

// "0-4 8-12": half-open ranges.
std::string ranges(const Bytes& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!bytes[i] || (i > 0 && bytes[i - 1])) continue;
    std::size_t end = i;
    while (end < bytes.size() && bytes[end]) ++end;
    out += fmt::format("{}{}-{}", out.empty() ? "" : " ", i, end);
  }
  return out.empty() ? "nothing" : out;
}

// "reads 0-4, writes 0-4", from the stand-in's log.
std::string seen(const std::string& log) {
  Bytes read, written;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    std::size_t size = 0, offset = 0;
    char plus = '\0';
    if (!(words >> kind >> size >> plus >> offset)) continue;  // a function
    for (std::size_t i = offset; i < offset + size; ++i) {
      if (kind == "read" || kind == "load" || kind == "update") read.set(i);
      if (kind == "write" || kind == "store" || kind == "update") written.set(i);
    }
  }
  return fmt::format("reads {}, writes {}", ranges(read), ranges(written));
}

struct Expected {
  const char* name;
  const char* what;
};
constexpr Expected kEvents[] = {
    {"increment", "reads 0-4, writes 0-4"},
    {"copy-in", "reads nothing, writes 0-24"},
    {"copy-out", "reads 0-24, writes nothing"},
    {"copy-word", "reads nothing, writes 0-8"},
    {"move-in", "reads nothing, writes 0-24"},
    {"fill", "reads nothing, writes 0-24"},
    {"builtin-copy", "reads nothing, writes 0-24"},
    {"builtin-fill", "reads nothing, writes 0-24"},
    {"struct-in", "reads nothing, writes 0-40"},
    {"struct-out", "reads 0-40, writes nothing"},
    {"struct-zero", "reads nothing, writes 0-40"},
    {"swap-pair", "reads 0-16, writes 0-16"},
    {"array-copy", "reads nothing, writes 0-24"},
    {"string-out", "reads 0-11, writes nothing"},
    {"add-loop", "reads 0-256, writes 0-256"},
    {"sum-loop", "reads 0-256, writes nothing"},
    {"strided-loop", "reads 0-256, writes nothing"},
    {"conditional-loop", "reads nothing, writes 0-256"},
    {"four-doubles", "reads 0-32, writes 0-32"},
    {"atomic-1", "reads 0-1, writes 0-1"},
    {"atomic-2", "reads 0-2, writes 0-2"},
    {"atomic-4", "reads 0-4, writes 0-4"},
    {"atomic-8", "reads 0-8, writes 0-8"},
    {"atomic-16", "reads 0-16, writes 0-16"},
    {"variable-array", "reads nothing, writes 0-20"},
};

void expect_events(const Toolchain& toolchain, const std::vector<std::string>& flags) {
  use(toolchain);
  ScratchDirectory scratch;
  const std::string program = scratch.path("events");
  std::vector<std::string> words = {
      "-std=c++17", "-Wall", "-Werror",
      "-o",         program, OMNIUM_SOURCE_DIR "/tests/driver/programs/events.cc"};
  words.insert(words.end(), flags.begin(), flags.end());
  const Ran compiled = omnium_cxx(words);
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string where = fmt::format("{} {}", toolchain.cxx, fmt::join(flags, " "));
  for (const Expected& expected : kEvents) {
    EXPECT_EQ(seen(output_of({program, expected.name})), expected.what)
        << where << " " << expected.name;
  }
  // gcc does not count the read of a bit field's neighbours.
  const std::string bits = seen(output_of({program, "bit-field"}));
  EXPECT_TRUE(bits.ends_with("writes 0-1")) << where << " " << bits;
}

void expect_events(const std::vector<std::string>& flags) {
  for (const Toolchain& toolchain : kToolchains) expect_events(toolchain, flags);
}

TEST(Events, WithoutOptimization) { expect_events({"-O0"}); }
TEST(Events, Optimized) {
  expect_events({"-O1"});
  expect_events({"-O2"});
}
TEST(Events, Vectorized) { expect_events({"-O3"}); }
TEST(Events, VectorizedForWiderVectors) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no processor to run it on";
  expect_events({"-O3", "-mavx2", "-mfma"});
}
TEST(Events, LinkTimeOptimization) {
  for (const Toolchain& toolchain : kToolchains) expect_events(toolchain, toolchain.lto);
}
TEST(Events, FortifiedCopies) { expect_events({"-O2", "-D_FORTIFY_SOURCE=2"}); }

}  // namespace
}  // namespace omnium::test
