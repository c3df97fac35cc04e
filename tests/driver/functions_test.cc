// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions are marked before they are inlined, and only the program's own.
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/toolchain.h"

namespace omnium::test {
namespace {

// "+f" for the entry of f and "-f" for its exit. The C++ library's implicit functions are left out:
// clang marks what nobody wrote.
std::string calls(const std::string& log) {
  std::string out;
  std::istringstream lines(log);
  for (std::string what, name; lines >> what >> name;) {
    if (name.starts_with("_ZN") || name.starts_with("_ZS") || name == "?") continue;
    out += fmt::format("{}{}{}", out.empty() ? "" : " ", what == "enter" ? '+' : '-', name);
  }
  return out;
}

std::size_t hooks_in_library(const std::string& log) {
  std::size_t count = 0;
  std::istringstream lines(log);
  bool inside = false;
  for (std::string what, name; lines >> what >> name;) {
    if (name == "library") inside = what == "enter";
    count += inside && name != "library" ? 1 : 0;
  }
  return count;
}

TEST(Functions, SurviveInliningAndExceptions) {
  setenv("OMNIUM_FUNCTIONS", "all", 1);
  for (const Toolchain& toolchain : kToolchains) {
    use(toolchain);
    const bool is_gcc = toolchain.cc == "gcc";
    for (const std::string level : {"-O0", "-O1", "-O2", "-O3"}) {
      ScratchDirectory scratch;
      const std::string program = scratch.path("functions");
      const Ran compiled =
          omnium_cxx({"-std=c++17", level, "-Wall", "-Werror", "-rdynamic", "-o", program,
                      OMNIUM_SOURCE_DIR "/tests/driver/programs/functions.cc"});
      ASSERT_EQ(compiled.status, 0) << compiled.err;
      const std::string log = output_of({program});
      // clang's exit hook is not called when an exception leaves a function.
      EXPECT_EQ(calls(log), fmt::format("+calls +inlined -inlined -calls "
                                        "+catches +throws {}+inlined -inlined -catches "
                                        "+library -library +block -block",
                                        is_gcc ? "-throws " : ""))
          << toolchain.cxx << " " << level;
      // gcc leaves out the files of the library. With clang, what is left are implicit members,
      // most of which are inlined and empty; without the overlay there are hundreds of hooks.
      EXPECT_LE(hooks_in_library(log), is_gcc ? 0u : 40u) << toolchain.cxx << " " << level;
    }
  }
  unsetenv("OMNIUM_FUNCTIONS");
}

TEST(Functions, HooksCanBeLeftOut) {
  for (const Toolchain& toolchain : kToolchains) {
    use(toolchain);
    const auto hooks = [](const char* functions) {
      setenv("OMNIUM_FUNCTIONS", functions, 1);
      const Ran ran =
          omnium_cc({"-x", "c", "-S", "-o", "-", "-"}, "int x; void f(void) { ++x; }\n");
      unsetenv("OMNIUM_FUNCTIONS");
      return ran.status != 0                                      ? "error"
             : ran.out.find("__cyg_profile") == std::string::npos ? "no"
                                                                  : "yes";
    };
    EXPECT_STREQ(hooks("all"), "yes");
    EXPECT_STREQ(hooks("none"), "no");
    EXPECT_STREQ(hooks("outlined"), "no");
    EXPECT_STREQ(hooks("some"), "error");
  }
}

TEST(Functions, StandardsOfTheLanguage) {
  for (const Toolchain& toolchain : kToolchains) {
    use(toolchain);
    for (const std::string standard : {"c++98", "c++11", "gnu++20"}) {
      const Ran compiled =
          omnium_cxx({"-std=" + standard, "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror",
                      "-fsyntax-only", "-x", "c++", "-"},
                     "#include <algorithm>\n#include <iostream>\n#include <map>\n"
                     "#include <string>\n#include <vector>\n#include <omnium/atomic.h>\n"
                     "std::string f(const std::string& a) { return a + \"long enough\"; }\n");
      EXPECT_EQ(compiled.status, 0) << toolchain.cxx << " " << standard << "\n" << compiled.err;
    }
  }
}

}  // namespace
}  // namespace omnium::test
