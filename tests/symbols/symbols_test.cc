// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names and places against a program that knows its own.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "symbols/address_space.h"
#include "tests/support/subprocess.h"

namespace omnium::symbols {
namespace {

constexpr char kSource[] = OMNIUM_SOURCE_DIR "/tests/symbols/programs/places.cc";

class Symbols : public testing::Test {
 protected:
  // Compiles the program, runs it and returns what it said.
  std::istringstream compile(const std::string& command, const std::string& afterwards = ":") {
    path_ = scratch_.path("places");
    const std::string output = scratch_.path("output");
    const std::string line =
        fmt::format("{} -std=c++17 {} -o {} && cd {} && {} && ./places > {}", command, kSource,
                    path_, scratch_.path(""), afterwards, output);
    EXPECT_EQ(test::shell(line).status, 0) << line;
    std::istringstream said(test::read_whole(output));
    std::string word;
    std::uint64_t bias = 0;
    said >> word >> std::hex >> bias;
    EXPECT_EQ(word, "bias");
    memory_.emplace(binaries_, std::vector<LoadedModule>{{path_, bias, bias, bias + (1 << 24)}});
    return said;
  }

  test::ScratchDirectory scratch_;
  std::string path_;
  Binaries binaries_;
  std::optional<AddressSpace> memory_;
};

class Places : public Symbols, public testing::WithParamInterface<const char*> {};

std::string functions(const std::vector<Frame>& frames) {
  std::string out;
  for (const Frame& frame : frames) out += (out.empty() ? "" : " ") + frame.function;
  return out;
}

TEST_P(Places, AreTheProgramsOwn) {
  const std::string options = GetParam();
  std::istringstream said = compile(options);
  int places = 0, objects = 0;
  std::string word;
  std::uint64_t address;
  while (said >> word >> std::hex >> address) {
    std::string rest;
    int line = 0;
    if (word != "object") said >> std::dec >> line;
    std::getline(said, rest);
    rest.erase(0, 1);
    const std::string place = fmt::format("{}:{}", kSource, line);
    if (word == "place") {
      ++places;
      EXPECT_TRUE(place.ends_with(memory_->place(address - 1))) << place << rest;
      EXPECT_EQ(functions(memory_->frames(address - 1)), rest);
    } else if (word == "object") {
      ++objects;
      EXPECT_EQ(memory_->object(address, 0), rest);
    } else if (options.find("-O2") != std::string::npos) {
      EXPECT_TRUE(place.ends_with(memory_->place(address - 1)))
          << place << ": code of the library that is inlined shows the program's line";
    }
  }
  EXPECT_EQ(places, 5);
  EXPECT_EQ(objects, 14);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Places,
                         testing::Values("g++ -g -O0", "g++ -g -O2", "g++ -gdwarf-4 -O2",
                                         "g++ -g -O2 -no-pie", "clang++ -g -O0", "clang++ -g -O2",
                                         "clang++ -gdwarf-4 -O2", "clang++ -gdwarf-5 -O1"));

// What the program says of the function or object whose name contains `name`.
std::uint64_t address_of(std::istringstream said, const std::string& name) {
  for (std::string line; std::getline(said, line);) {
    if (line.find(name) == std::string::npos) continue;
    return std::strtoull(line.c_str() + line.find(' '), nullptr, 16);
  }
  ADD_FAILURE() << "nothing called " << name;
  return 0;
}

TEST_F(Symbols, SeparateDebugFilesAreFound) {
  const std::uint64_t address =
      address_of(compile("g++ -g -O1",
                         "objcopy --only-keep-debug places places.debug && strip "
                         "places && objcopy --add-gnu-debuglink=places.debug places"),
                 "table[12]");
  EXPECT_EQ(memory_->object(address, 0), "table[12].balance");
}

TEST_F(Symbols, WithoutDebugInformationSymbolsAreLeft) {
  auto said = compile("g++ -O1");
  const std::string text = said.str();
  EXPECT_EQ(memory_->object(address_of(std::istringstream(text), "table[12]"), 0)->substr(0, 6),
            "table+");
  const std::uint64_t code = address_of(std::istringstream(text), "Account::deposit") - 1;
  EXPECT_EQ(memory_->function(code), "Account::deposit");
  EXPECT_EQ(memory_->place(code).substr(0, 9), "places+0x");
}

TEST_F(Symbols, OfAStrippedProgramAreOffsets) {
  auto said = compile("g++ -O1", "strip places");
  const std::string text = said.str();
  const std::uint64_t code = address_of(std::istringstream(text), "Account::deposit") - 1;
  EXPECT_EQ(memory_->place(code).substr(0, 9), "places+0x");
  EXPECT_EQ(memory_->function(code), memory_->place(code));
  EXPECT_EQ(memory_->object(address_of(std::istringstream(text), "table[12]"), 0)->substr(0, 9),
            "places+0x");
}

TEST(AddressSpace, KnowsNothingOutsideItsModules) {
  Binaries binaries;
  AddressSpace memory(binaries, {{"/nonesuch", 0x1000, 0x1000, 0x2000}});
  EXPECT_EQ(memory.place(0x5000), "");
  EXPECT_EQ(memory.object(0x5000, 0), std::nullopt);
  EXPECT_EQ(memory.place(0xfff), "");
  EXPECT_EQ(memory.place(0x1000), "nonesuch+0x0");
  EXPECT_EQ(memory.place(0x1fff), "nonesuch+0xfff");
  EXPECT_EQ(memory.place(0x2000), "");
  EXPECT_EQ(memory.place(0x1234), "nonesuch+0x234");
  EXPECT_EQ(memory.function(0x1234), "nonesuch+0x234");
}

}  // namespace
}  // namespace omnium::symbols
