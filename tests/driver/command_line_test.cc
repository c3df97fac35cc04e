// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/command_line.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using driver::Words;
using driver::Work;

Words words(const std::string& line) {
  std::istringstream in(line);
  Words out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// "nothing", "compile", "link" or "link alone", without the runtime; or the error.
std::string work(const Words& line) {
  const auto known = driver::classify(line);
  if (!known) return known.error().message;
  switch (known->work) {
    case Work::kNothing: return "nothing";
    case Work::kCompile: return "compile";
    case Work::kLink: return known->joins_runtime ? "link" : "link alone";
  }
  return "";
}
std::string work(const std::string& line) { return work(words(line)); }

TEST(CommandLine, AsksForNothing) {
  for (const char* line :
       {"", "--version", "-v", "-dumpmachine", "-dumpversion", "-print-prog-name=ld",
        "--print-search-dirs", "-print-multi-os-directory", "--help", "-o out", "-I include -D X",
        "-Wl,--version -print-file-name=libc.a", "--version -c a.c", "-O2 -g -Wall"}) {
    EXPECT_EQ(work(line), "nothing") << line;
  }
}

TEST(CommandLine, EndsBeforeTheLinker) {
  for (const char* line :
       {"-c a.c", "a.c -c -o a.o", "-S a.c -o -", "-E -", "-x c -E -", "-M a.c", "-MM a.c",
        "-c -x c - -o -", "-fsyntax-only a.cc", "a.h", "-x c++-header all -o all.gch",
        "-xc++-header all", "-c a.s", "-c -static a.c", "-MD -MF a.d -c a.c", "-E -dM a.c"}) {
    EXPECT_EQ(work(line), "compile") << line;
  }
}

TEST(CommandLine, Links) {
  for (const char* line : {"a.c", "a.o b.o -o a", "-shared a.o -o a.so", "-lm", "-Wl,--version",
                           "-x c a.h", "-x c++-header a -x none b.cc", "a.h b.c", "-MD a.c", "-",
                           "-Xlinker -shared", "-static-libstdc++ -static-libgcc a.cc",
                           "-nostartfiles a.c", "-shared -nostdlib crti.o a.o -lstdc++ -lc",
                           "-nostdlib a.o -l c", "-fsanitize=undefined a.c", "-m64 a.c",
                           "-fsanitize=address -fno-sanitize=all a.c",
                           "-fsanitize=thread,undefined -fno-sanitize=thread a.c",
                           "-include -c a.c"}) {
    EXPECT_EQ(work(line), "link") << line;
  }
  for (const char* line : {"-r a.o -o b.o", "-nostdlib a.o", "-nodefaultlibs a.c"}) {
    EXPECT_EQ(work(line), "link alone") << line;
  }
}

TEST(CommandLine, RefusesWhatCannotBeInstrumented) {
  const std::string shared = ": the runtime is a shared library; link the program dynamically";
  EXPECT_EQ(work("-static a.c"), "-static" + shared);
  EXPECT_EQ(work("-static-pie a.o"), "-static-pie" + shared);
  EXPECT_EQ(work("-m32 -c a.c"), "-m32: only 64-bit programs can be instrumented");
  const std::string both = " cannot be combined with Omnium's instrumentation";
  EXPECT_EQ(work("-fsanitize=undefined,thread a.c"), "-fsanitize=thread" + both);
  EXPECT_EQ(work("-fsanitize=address -c a.c"), "-fsanitize=address" + both);
}

TEST(CommandLine, ResponseFiles) {
  ScratchDirectory scratch;
  const std::string inner = scratch.file("inner", "-c\n'a b.c' \"q\\\"uote\" back\\ slash ''");
  const std::string outer = scratch.file("outer", "-O2 @" + inner + "\t-g");
  EXPECT_EQ(driver::with_response_files({"@" + outer, "@missing"}),
            (Words{"-O2", "-c", "a b.c", "q\"uote", "back slash", "", "-g", "@missing"}));
  EXPECT_EQ(work(Words{"@" + outer}), "compile");
  const std::string circle = scratch.path("circle");
  scratch.file("circle", "@" + circle);
  EXPECT_EQ(driver::with_response_files({"@" + circle}), (Words{"@" + circle}));
}

TEST(CommandLine, WiderVectors) {
  EXPECT_FALSE(driver::classify(words("-O3 -msse4.2 -march=x86-64 -c a.c"))->wide_vectors);
  EXPECT_TRUE(driver::classify(words("-mavx2 -c a.c"))->wide_vectors);
  EXPECT_TRUE(driver::classify(words("-march=native -c a.c"))->wide_vectors);
}

TEST(CommandLine, NeedsTheCompilersOwnAssembler) {
  for (const std::string line : {"-c a.s", "-c a.S", "-xassembler a.c", "-c a.c -o -"}) {
    EXPECT_TRUE(driver::classify(words(line))->own_assembler) << line;
  }
  EXPECT_FALSE(driver::classify(words("-c a.c -o a.s"))->own_assembler);
  EXPECT_FALSE(driver::classify(words("-x c a.s"))->own_assembler);
}

}  // namespace
}  // namespace omnium::test
