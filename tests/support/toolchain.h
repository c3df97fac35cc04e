// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The compiler drivers with a compiler behind them, and the stand-in for the runtime.
#pragma once

#include <string>
#include <vector>

#include "tests/support/subprocess.h"

namespace omnium::test {

struct Toolchain {
  std::string cc, cxx;
  std::vector<std::string> lto;  // each compiler's objects have their own linker
};

inline const std::vector<Toolchain> kToolchains = {{"gcc", "g++", {"-flto"}},
                                                   {"clang", "clang++", {"-flto", "-fuse-ld=lld"}}};

// From now on the drivers of this process use the toolchain and the stand-in.
void use(const Toolchain& toolchain);

// The drivers, by their own names.
Ran omnium_cc(std::vector<std::string> words, const std::string& input = "");
Ran omnium_cxx(std::vector<std::string> words, const std::string& input = "");

// What the program printed; a failure of the test if it does not end with status 0.
std::string output_of(std::vector<std::string> words);

}  // namespace omnium::test
