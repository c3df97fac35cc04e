// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The name of an object from an instruction that uses it (docs/runtime/names.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "symbols/code_text.h"

namespace omnium::symbols {

struct Accessed {
  std::uint32_t size = 0;    // bytes that the instruction accesses; 0: not known
  std::uint64_t offset = 0;  // of the object in them
  bool write = false;
  bool heap = false;  // the object is on the heap
};

// "Ledger::total_", "counter in main"; none if it is not certain.
std::optional<std::string> name_of_accessed(CodeText& text, const Accessed& accessed);

// "Cache::mutex_"
std::optional<std::string> name_of_lock(CodeText& text);

// The object in the statement that the library's function is called for: one of its class.
std::optional<std::string> receiver_name(CodeText& text);

}  // namespace omnium::symbols
