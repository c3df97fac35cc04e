// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "assembler/rewrite.h"

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

using assembler::rewritten;

TEST(Rewrite, LeavesTheRestAlone) {
  for (const std::string text : {
           "",
           "main:\n\tcall\tputs@PLT\n\tret",
           "\t.quad\t__tsan_read8\n",
           "\tjmp\t__tsan_read8@PLT\n",
           "\tcall\t__tsan_read8@GOTPCREL(%rip)\n",
           "\tcall\t*__tsan_read8@PLT\n",
           "\tcall\t__tsan_read8+4@PLT\n",
           "\tcall\tmy__tsan_read8@PLT\n",
           "\tcallq\t*%rax # __tsan_read8\n",
           "# call __tsan_read8@PLT\n",
           "\tlcall\t*__tsan_read8@GOTPCREL(%rip)\n",
           "\t.intel_syntax noprefix\n\tcall\t__tsan_read8@PLT\n",
       }) {
    EXPECT_EQ(rewritten(text), text);
  }
}

TEST(Rewrite, LooksBeforeItCalls) {
  for (const std::string call : {"call\t*__tsan_write4@GOTPCREL(%rip)", "callq\t__tsan_write4@PLT",
                                 "call __tsan_write4", " call\t__tsan_write4@PLT "}) {
    EXPECT_EQ(rewritten("before\n\t" + call + "\nafter\n"),
              "before\n"
              "\tmovq\t__omnium_thread_2@GOTTPOFF(%rip), %rdx\n"
              "\tmovq\t%rdi, %rsi\n"
              "\tmovabsq\t$0x100000000000, %rax\n"
              "\tmovq\t%fs:(%rdx), %rdx\n"
              "\tshlq\t$20, %rsi\n"
              "\tshrq\t$19, %rsi\n"
              "\taddq\t%rax, %rsi\n"
              "\ttestb\t$3, %dil\n"
              "\tjne\t.Lomnium_slow0\n"
              "\tmovq\t(%rsi), %rax\n"
              "\tcmpq\t16(%rdx), %rax\n"
              "\tje\t.Lomnium_done0\n"
              "\tcmpq\t24(%rdx), %rax\n"
              "\tje\t.Lomnium_done0\n"
              ".Lomnium_slow0:\n"
              "\tcall\t*__omnium_write4_2@GOTPCREL(%rip)\n"
              ".Lomnium_done0:\n"
              "after\n")
        << call;
  }
}

TEST(Rewrite, ReadsOfEightBytesLookAtTheSecondWordAsWell) {
  const std::string text = rewritten("\tcall\t__tsan_read8@PLT\n");
  EXPECT_NE(text.find("\tcmpq\t8(%rsi), %rax\n\tjne\t.Lomnium_second0\n"), std::string::npos);
  EXPECT_NE(text.find(".Lomnium_second0:\n"
                      "\tmovq\t8(%rsi), %rax\n"
                      "\tcmpq\t32(%rdx), %rax\n"
                      "\tje\t.Lomnium_done0\n"
                      "\tcmpq\t40(%rdx), %rax\n"
                      "\tje\t.Lomnium_done0\n"
                      ".Lomnium_slow0:\n"),
            std::string::npos);
}

TEST(Rewrite, OtherCallbacksAreCalledWithoutADetour) {
  EXPECT_EQ(rewritten("\tcallq\t__tsan_func_exit@PLT"),
            "\tcall\t*__tsan_func_exit@GOTPCREL(%rip)\n");
  EXPECT_EQ(rewritten("\tcallq\t__tsan_read1@PLT\n"), "\tcall\t*__tsan_read1@GOTPCREL(%rip)\n");
}

std::string function(const std::string& name, const std::string& body) {
  return name + ":\n\t.cfi_startproc\n" + body + "\tret\n\t.cfi_endproc\n";
}

TEST(Rewrite, HooksOfLeavesLookBeforeTheyCall) {
  const std::string entry = "\tcall\t__tsan_func_entry@PLT\n", exit = "\tcall\t__tsan_func_exit\n";
  const std::string text = rewritten(function("f", entry + "\tcall\t__tsan_read4@PLT\n" + exit));
  EXPECT_NE(text.find("\tmovq\t__omnium_functions_2@GOTPCREL(%rip), %rax\n"
                      "\tcmpb\t$0, (%rax)\n"
                      "\tje\t.Lomnium_hook0\n"
                      "\tcall\t*__tsan_func_entry@GOTPCREL(%rip)\n"
                      ".Lomnium_hook0:\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\tcall\t*__tsan_func_exit@GOTPCREL(%rip)\n.Lomnium_hook1:\n"),
            std::string::npos)
      << text;
}

TEST(Rewrite, HooksOfOtherFunctionsAreCalled) {
  const std::string hooks = "\tcall\t__tsan_func_entry@PLT\n\tcall\t__tsan_func_exit@PLT\n";
  const std::string leaf = function("f", hooks);
  for (const std::string& text : {
           function("f", hooks + "\tcall\tpthread_mutex_lock@PLT\n"),
           function("f", "\tcall\t*%rax\n" + hooks),
           function("f", hooks + "\tcall\t__tsan_atomic32_load@PLT\n"),
           function("f", hooks) + function("f.cold", "\tcall\tabort@PLT\n"),
           "f:\n" + hooks,
       }) {
    EXPECT_EQ(rewritten(text).find("__omnium_functions"), std::string::npos) << text;
  }
  // The function behind a leaf is another one.
  const std::string both = rewritten(leaf + function("g", hooks + "\tcall\tputs@PLT\n"));
  EXPECT_NE(both.find(".Lomnium_hook1:"), std::string::npos);
  EXPECT_EQ(both.find(".Lomnium_hook2:"), std::string::npos);
}

// An access in a library's function that was not inlined belongs to the line that called it.
TEST(Rewrite, AccessesInTheLibrarysFunctionsHaveCallbacksOfTheirOwn) {
  const auto callback = [](const std::string& function, const std::string& file,
                           const std::string& access) {
    const std::string text = rewritten("\t.type\t" + function + ", @function\n\t.file 7 \"" + file +
                                       "\"\n\t.loc 7 12 3\n\tcall\t__tsan_" + access + "@PLT\n");
    const std::size_t at = text.find("call\t*") + 6;
    return text.substr(at, text.find('@', at) - at);
  };
  const std::string push = "_ZNSt6vectorIiSaIiEE9push_backERKi", own = "_ZN4Bank3addEi";
  const std::string header = "/usr/include/c++/12/bits/stl_vector.h", source = "/home/me/bank.cpp";
  EXPECT_EQ(callback(push, header, "read8"), "__omnium_library_read8_2");
  EXPECT_EQ(callback(push, header, "write1"), "__omnium_library_write1_2");
  EXPECT_EQ(callback(push, "/opt/omnium_overlay/gcc/bits/shared_ptr_atomic.h", "read8"),
            "__omnium_library_read8_2");
  EXPECT_EQ(callback(push, source, "read8"), "__omnium_read8_2");
  EXPECT_EQ(callback(own, header, "read8"), "__omnium_read8_2");
  EXPECT_EQ(callback(own, source, "write1"), "__tsan_write1");
}

TEST(Rewrite, EveryAccessHasItsOwnLabels) {
  const std::string text = rewritten("\tcall\t__tsan_read8@PLT\n\tcall\t__tsan_read16@PLT\n");
  EXPECT_NE(text.find(".Lomnium_done0:\n"), std::string::npos);
  EXPECT_NE(text.find(".Lomnium_done1:\n"), std::string::npos);
  EXPECT_NE(text.find("\tcmpq\t24(%rsi), %rax\n"), std::string::npos);
}

// clang's own section, of a type that GNU's assembler warns of.
TEST(Rewrite, SectionTypesAreKnown) {
  EXPECT_EQ(rewritten("\t.section\t\".linker-options\",\"e\",@llvm_linker_options\n"),
            "\t.section\t\".linker-options\",\"e\",@progbits\n");
}

}  // namespace
}  // namespace omnium::test
