// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Executables and shared libraries of all kinds have the runtime and say so to it.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/support/toolchain.h"

namespace omnium::test {
namespace {

constexpr const char* kLibrary = "int counter; int next(void) { return ++counter; }\n";
// Prints the number of modules that told the runtime of themselves.
constexpr const char* kProgram =
    "#include <stdio.h>\nint stand_in_modules(void);\nint next(void);\n"
    "int main(void) { printf(\"%d %d\\n\", next(), stand_in_modules()); return 0; }\n";

class Link : public testing::TestWithParam<Toolchain> {
 protected:
  void SetUp() override {
    use(GetParam());
    library_ = scratch_.file("library.c", kLibrary);
    program_ = scratch_.file("program.c", kProgram);
  }

  void compile(std::vector<std::string> words) {
    const Ran ran = omnium_cc(words);
    ASSERT_EQ(ran.status, 0) << testing::PrintToString(words) << "\n" << ran.err;
  }

  std::string path(const std::string& name) { return scratch_.path(name); }

  ScratchDirectory scratch_;
  std::string library_, program_;
};

INSTANTIATE_TEST_SUITE_P(, Link, testing::ValuesIn(kToolchains),
                         [](const auto& toolchain) { return toolchain.param.cc; });

TEST_P(Link, ExecutablesOfAllKinds) {
  const std::vector<std::vector<std::string>> kinds = {
      {}, {"-fPIE", "-pie"}, {"-no-pie", "-fno-pie"}, {"-O2", "-s"}, GetParam().lto, {"-pthread"}};
  for (std::vector<std::string> words : kinds) {
    words.insert(words.end(), {"-Wall", "-Werror", library_, program_, "-o", path("a")});
    compile(words);
    EXPECT_EQ(output_of({path("a")}), "1 1\n") << testing::PrintToString(words);
  }
}

TEST_P(Link, SharedLibrariesWithEveryLinker) {
  for (const std::string linker : {"bfd", "gold", "lld"}) {
    const std::string with = "-fuse-ld=" + linker;
    compile({with, "-shared", "-fPIC", "-Wl,-z,defs", library_, "-o", path("libnext.so")});
    compile({with, program_, path("libnext.so"), "-Wl,-rpath," + path("."), "-o", path("a")});
    EXPECT_EQ(output_of({path("a")}), "1 2\n") << linker;
  }
}

TEST_P(Link, StepByStep) {
  compile({"-c", library_, "-o", path("library.o")});
  compile({"-x", "c", "-c", program_, "-o", path("program.o")});
  compile({"-r", "-nostdlib", path("library.o"), path("program.o"), "-o", path("both.o")});
  compile({path("both.o"), "-o", path("a")});
  EXPECT_EQ(output_of({path("a")}), "1 1\n");
  scratch_.file("arguments", "'" + path("both.o") + "' -o\n" + path("b"));
  compile({"@" + path("arguments")});
  EXPECT_EQ(output_of({path("b")}), "1 1\n");
  compile({"-S", library_, "-o", path("library.s")});
  compile({"-Werror", "-c", path("library.s"), "-o", path("assembled.o")});
  compile({"-Werror", path("assembled.o"), path("program.o"), "-o", path("c")});
  EXPECT_EQ(output_of({path("c")}), "1 1\n");
}

// The runtime is the first library that the loader searches.
TEST_P(Link, RuntimeComesFirst) {
  scratch_.file("a.cc", "#include <iostream>\nint main() { std::cout << 1; }\n");
  const Ran ran = omnium_cxx({path("a.cc"), "-lm", "-o", path("a")});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string needed = output_of({"readelf", "-d", path("a")});
  const std::size_t runtime = needed.find("[libomnium_rt.so]");
  ASSERT_NE(runtime, std::string::npos) << needed;
  EXPECT_EQ(needed.find("(NEEDED)"), needed.rfind("(NEEDED)", runtime));
  EXPECT_EQ(needed.find("libtsan"), std::string::npos);
}

TEST_P(Link, NothingComesFromStandardInput) {
  const Ran compiled = omnium_cc({"-x", "c", "-S", "-o", "-", "-"}, kLibrary);
  EXPECT_EQ(compiled.status, 0) << compiled.err;
  EXPECT_NE(compiled.out.find("__tsan_read4"), std::string::npos);
  const Ran macros = omnium_cc({"-x", "c", "-E", "-dM", "-"}, "");
  EXPECT_NE(macros.out.find("#define __OMNIUM__ 1"), std::string::npos);
}

TEST_P(Link, PrecompiledHeaders) {
  scratch_.file("all.h", "#include <stdio.h>\n#define GREETING \"hello\"\n");
  scratch_.file("a.c", "#include \"all.h\"\nint main(void) { puts(GREETING); return 0; }\n");
  const bool is_gcc = GetParam().cc == "gcc";
  const std::string header = path(is_gcc ? "all.h.gch" : "all.h.pch");
  compile({"-O1", "-x", "c-header", path("all.h"), "-o", header});
  std::vector<std::string> words = {"-O1", "-Winvalid-pch", "-Werror", path("a.c"),
                                    "-o",  path("a")};
  if (!is_gcc) words.insert(words.end(), {"-include-pch", header});
  compile(words);
  EXPECT_EQ(output_of({path("a")}), "hello\n");
}

TEST_P(Link, PassesOnWhatIsNotCompiled) {
  for (const std::string word : {"--version", "-dumpmachine", "-print-search-dirs", "--help"}) {
    EXPECT_EQ(omnium_cc({word}).out, run_program({GetParam().cc, word}).out) << word;
  }
  const Ran none = omnium_cc({});
  EXPECT_EQ(none.err, run_program({GetParam().cc}).err);
  EXPECT_NE(omnium_cc({"-Wl,--version"}).out.find("GNU ld"), std::string::npos);
  EXPECT_EQ(omnium_cc({"-c", path("missing.c")}).status, 1);
}

TEST(Driver, SaysWhatIsWrong) {
  use(kToolchains[0]);
  const Ran fixed = omnium_cc({"-static", "a.c"});
  EXPECT_EQ(fixed.status, 2);
  EXPECT_EQ(
      fixed.err,
      "omnium: error: -static: the runtime is a shared library; link the program dynamically\n");
  ScratchDirectory scratch;
  setenv("OMNIUM_RUNTIME_DIR", scratch.path("").c_str(), 1);
  const Ran empty = omnium_cc({"-c", "a.c"});
  EXPECT_EQ(empty.status, 2);
  EXPECT_NE(empty.err.find("omnium_gcc.specs not found; set OMNIUM_RUNTIME_DIR"),
            std::string::npos);
  for (const std::string compiler : {"no-such-compiler", OMNIUM_BINARY_DIR "/omnium-cc", "false"}) {
    use({compiler, compiler, {}});
    EXPECT_EQ(omnium_cc({"-c", "a.c"}).status, 2) << compiler;
  }
  use(kToolchains[0]);
  EXPECT_EQ(omnium({"cc", "--omnium-print-flags=walk"}).status, 2);
}

TEST(Driver, PrintsItsFlags) {
  use(kToolchains[1]);
  const Ran compile = omnium({"c++", "--omnium-print-flags=compile"});
  EXPECT_EQ(compile.status, 0);
  EXPECT_NE(compile.out.find("\n-D__OMNIUM__=1\n"), std::string::npos);
  const Ran link = omnium({"c++", "--omnium-print-flags=link"});
  EXPECT_NE(link.out.find("\n-Wl,--wrap=memcpy\n"), std::string::npos);
}

TEST(Driver, TakesALauncher) {
  use({"env gcc", "env g++", {}});
  EXPECT_EQ(omnium_cc({"-x", "c", "-fsyntax-only", "-"}, kLibrary).status, 0);
}

}  // namespace
}  // namespace omnium::test
