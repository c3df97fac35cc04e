// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of objects against a program that knows its own.
#include <cstdint>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "symbols/macros.h"
#include "symbols/object_names.h"
#include "symbols/thread_name.h"
#include "symbols/tokens.h"
#include "symbols/unit_index.h"
#include "tests/support/subprocess.h"

namespace omnium::symbols {
namespace {

class ObjectsOf : public testing::TestWithParam<const char*> {};

TEST_P(ObjectsOf, AProgramHaveItsNames) {
  const test::ScratchDirectory scratch;
  const std::string command = GetParam(), path = scratch.path("objects");
  const std::string compiler = command.substr(0, command.find(' '));
  const std::string line = fmt::format(
      "{} -std=c++17 -g -fsanitize=thread -Wno-tsan -Wno-unknown-warning-option -c {} -o {}.o && "
      "{} {}.o -o {} && {} > {}.txt",
      command, OMNIUM_SOURCE_DIR "/tests/symbols/programs/objects.cc", path, compiler, path, path,
      path, path);
  ASSERT_EQ(test::shell(line).status, 0) << line;
  std::istringstream said(test::read_whole(path + ".txt"));
  std::string word, name;
  std::uint64_t bias = 0, pc = 0, size = 0, number = 0;
  said >> word >> std::hex >> bias;
  Binaries binaries;
  AddressSpace memory(binaries, {{path, bias, bias, bias + (1 << 24)}});
  int accesses = 0, blocks = 0;
  while (said >> word >> std::hex >> pc >> std::dec >> size >> number) {
    std::getline(said, name);
    name.erase(0, 1);
    if (word == "access") {
      ++accesses;
      const Use use{pc, static_cast<std::uint32_t>(size), 0, false, number == 1};
      EXPECT_EQ(memory.names().by_uses({&use, 1}, false), name) << memory.place(pc - 1);
    } else {
      ++blocks;
      EXPECT_EQ(memory.names().in_block({size, pc}, number, {}), name) << memory.place(pc - 1);
      std::string same;
      memory.names().names_in({size, pc}).append(same, number);
      EXPECT_EQ(same, name);
    }
  }
  EXPECT_GE(accesses, 7);  // an optimizer may leave out some
  EXPECT_GE(blocks, 4);
}

INSTANTIATE_TEST_SUITE_P(Compilers, ObjectsOf,
                         testing::Values("g++ -O0", "g++ -O2", "clang++ -O0", "clang++ -O2",
                                         "clang++ -gdwarf-4 -O1"));

TEST(Tokens, LeaveOutWhatIsNoCode) {
  const std::string source =
      "#define X \\\n  y\n// total\na->b /* c\n */ += \"d;\" + R\"x(e)\")x\" + 1'000.5;\n";
  std::string words;
  for (const Token& token : tokenize(source)) {
    words += fmt::format("{}:{} {}\n", token.line, token.column, token.text);
  }
  EXPECT_EQ(words,
            "4:1 a\n4:2 ->\n4:4 b\n5:5 +=\n5:8 \"d;\"\n5:13 +\n5:15 R\"x(e)\")x\"\n5:26 +\n"
            "5:28 1'000.5\n5:35 ;\n");
}

TEST(Macros, AreExpanded) {
  const std::string source =
      "#define use(it) --(it->b.users)\n"
      "  #  define put(at, what)  \\\n  at[1] = (what)\n"
      "#define users 3\nint x = use(y);  // #define use(z) z\n";
  const Tokens tokens = tokenize("put(a.b(1, 2), c); use(*p)");
  const auto text_of = [&](std::string_view name, std::size_t call) {
    std::string out;
    for (const Macro& macro : macros_in(source, name)) {
      for (const Token& token : expanded(macro, tokens, arguments_of(tokens, call))) {
        out.append(token.text).append(" ");
      }
    }
    return out;
  };
  EXPECT_EQ(text_of("put", 0), "a . b ( 1 , 2 ) [ 1 ] = ( c ) ");
  EXPECT_EQ(text_of("use", 14), "-- ( * p -> b . users ) ");
  EXPECT_EQ(text_of("users", 14), "");
  EXPECT_EQ(text_of("other", 0), "");
  EXPECT_TRUE(macros_in("#define broken(", "broken").empty());
  EXPECT_TRUE(macros_in("broken(", "broken").empty());
}

TEST(Tokens, BrokenTextEnds) {
  for (const std::string text : {"\"", "'", "/*", "R\"(", "R\"", "((((", "a[", "\\", "#", "1'"}) {
    const Tokens tokens = tokenize(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      statement_around(tokens, i);
      EXPECT_EQ(matching_close(tokens, i), tokens.size());
    }
  }
}

TEST(TemplateArguments, AreDropped) {
  EXPECT_EQ(without_template_arguments("Cache<int>::get<long>"), "Cache::get");
  EXPECT_EQ(without_template_arguments("a::Map<K, V<int> >::Node"), "a::Map::Node");
  EXPECT_EQ(without_template_arguments("Key::operator<"), "Key::operator<");
  EXPECT_EQ(without_template_arguments("Ptr<int>::operator->"), "Ptr::operator->");
}

TEST(ThreadName, IsWhatAPersonWouldCallIt) {
  EXPECT_EQ(thread_name("", 0), "main");
  EXPECT_EQ(thread_name("customer", 3), "customer#3");
  EXPECT_EQ(thread_name("(anonymous namespace)::Desk::serve", 2), "Desk::serve#2");
  EXPECT_EQ(thread_name("main::{lambda()#2}::operator()", 5), "lambda in main#5");
  EXPECT_EQ(thread_name("std::thread::_State_impl<std::thread::_Invoker<std::tuple<"
                        "main::{lambda()#1}> > >::_M_run",
                        4),
            "lambda in main#4");
  EXPECT_EQ(thread_name("main::$_0::operator()", 1), "lambda in main#1");
  EXPECT_EQ(thread_name("Pool<int>::run", 1), "Pool::run#1");
  EXPECT_EQ(thread_name("execute_native_thread_routine", 7), "T7");
  EXPECT_EQ(thread_name("bank+0x1234", 7), "T7");
}

}  // namespace
}  // namespace omnium::symbols
