// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small random .omp programs with everything that the language has: locks, nested blocks, choose,
// assume, every loop, arrays, forks and joins, copies of threads.
#pragma once

#include <cstdint>
#include <string>

namespace omnium::test {

// The same seed gives the same program, everywhere. Most have a few hundred runs or fewer.
std::string random_program(std::uint64_t seed);

}  // namespace omnium::test
