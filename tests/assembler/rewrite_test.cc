// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "assembler/rewrite.h"

#include <string>
#include <vector>

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

// What compilers make of a memcpy of a few bytes.
TEST(Rewrite, RangesOfTheSizeOfAnAccessAreAccesses) {
  const auto slow_path = [](const std::string& before, const std::string& range) {
    const std::string text = rewritten(before + "\tcall\t*__tsan_" + range + "@GOTPCREL(%rip)\n");
    const std::size_t at = text.rfind("call\t*") + 6;
    return text.substr(at, text.find('@', at) - at);
  };
  EXPECT_EQ(slow_path("\tmovl\t$4, %esi\n", "read_range"), "__omnium_read4_2");
  EXPECT_EQ(slow_path("\tmovl\t$8, %esi\n\tmovq\t%rbx, %rdi\n", "write_range"),
            "__omnium_write8_2");
  EXPECT_EQ(slow_path("\tmovl\t$1, %esi\n", "write_range"), "__tsan_write1");
  for (const std::string before : {
           "",
           "\tmovl\t$4, %edx\n",
           "\tmovl\t$5, %esi\n",
           "\tmovl\t$4, %esi\n\tcall\tputs@PLT\n",
           "\tmovl\t$4, %esi\n.L5:\n",
           "\tmovl\t$4, %esi\n\tmovq\t%rax, %rsi\n",
           "\tmovl\t$4, %esi\n\tleal\t4(%rsi), %esi\n",
       }) {
    EXPECT_EQ(slow_path(before, "read_range"), "__tsan_read_range") << before;
  }
}

std::string hook(const std::string& which) {
  return "\tcall\t*__cyg_profile_func_" + which + "@GOTPCREL(%rip)\n";
}

// How many hooks are left of those of a function that has this code where it was inlined.
int hooks_around(const std::string& code) {
  const std::string text = rewritten(hook("enter") + code + hook("exit"));
  return (text.find("func_enter") != std::string::npos) +
         (text.find("func_exit") != std::string::npos);
}

// A block with one event cannot be interrupted.
TEST(Rewrite, InlinedFunctionsWithOneAccessNeedNoHooks) {
  const std::string access = "\tcall\t*__tsan_read4@GOTPCREL(%rip)\n";
  for (const std::string& code : std::vector<std::string>{
           "",
           access,
           "\tcall\t*__tsan_unaligned_write2@GOTPCREL(%rip)\n",
           "\tmovl\t$16, %esi\n\tcall\t*__tsan_read_range@GOTPCREL(%rip)\n",
           "\t.loc 1 4 5 view .LVU3\n.LVL4:\n.LBB5:\n.LEHB2:\n\tmovl\t%eax, %edx\n" + access,
           hook("enter") + access + hook("exit"),
       }) {
    EXPECT_EQ(hooks_around(code), 0) << code;
  }
}

TEST(Rewrite, InlinedFunctionsThatCanBeInterruptedHaveHooks) {
  const std::string access = "\tcall\t*__tsan_read4@GOTPCREL(%rip)\n";
  for (const std::string& code : std::vector<std::string>{
           access + access,
           "\tcall\t*__tsan_read_write4@GOTPCREL(%rip)\n",
           "\tmovl\t$17, %esi\n\tcall\t*__tsan_read_range@GOTPCREL(%rip)\n",
           "\tcall\t*__tsan_write_range@GOTPCREL(%rip)\n",
           "\tcall\t*__tsan_atomic32_load@GOTPCREL(%rip)\n",
           "\tcall\tputs@PLT\n",
           "\tcall\t*%rax\n",
           ".L5:\n" + access + "\tjne\t.L5\n",
           "\tje\t.L5\n",
           ".LBB0_5:\n",
           "#APP\n\tnop\n#NO_APP\n",
           "\t.section\t.text.unlikely\n",
           hook("enter") + access + hook("exit") + access,
       }) {
    EXPECT_EQ(hooks_around(code), 2) << code;
  }
}

// A thread may begin with a function that stands by itself.
TEST(Rewrite, FunctionsWithOneAccessThatStandByThemselvesAreNoBlocks) {
  const std::string access = "\tcall\t*__tsan_read4@GOTPCREL(%rip)\n";
  const std::string text =
      rewritten(function("f", hook("enter") + access + hook("exit")) +
                function("g", hook("enter") + access + access + hook("exit")));
  const std::size_t second = text.find("g:\n");
  EXPECT_EQ(text.find("\tcall\t*__omnium_entered_2@GOTPCREL(%rip)\n"), text.find("startproc") + 10);
  EXPECT_EQ(text.rfind("__omnium_entered_2"), text.find("__omnium_entered_2"));
  EXPECT_GT(text.find("__cyg_profile"), second);
  EXPECT_NE(text.find("func_exit", second), std::string::npos);
}

// clang's own section, of a type that GNU's assembler warns of.
TEST(Rewrite, SectionTypesAreKnown) {
  EXPECT_EQ(rewritten("\t.section\t\".linker-options\",\"e\",@llvm_linker_options\n"),
            "\t.section\t\".linker-options\",\"e\",@progbits\n");
}

}  // namespace
}  // namespace omnium::test
