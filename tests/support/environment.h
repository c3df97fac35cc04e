// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How much a random test does, from the command line: OMNIUM_SEED=17 OMNIUM_TRACES=1 test-...
#pragma once

#include <cstdint>
#include <cstdlib>

namespace omnium::test {

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace omnium::test
