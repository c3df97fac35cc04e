// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What objects of the same kind have in common: the name without what tells one of them from the
// others. Two runs of a program have the same classes, with either compiler.
#pragma once

#include <string>
#include <string_view>

namespace omnium {

// "Order[].count" for "Order[3].count #2", "Cache::hits" for "Cache<int>::hits", "int[] allocated
// at bank.cpp" for "int[7] allocated at bank.cpp:31". The private parts of the C++ library's
// objects belong to the whole, "Ledger::items_" for "Ledger::items_.end": not every build knows
// them.
std::string object_class(std::string_view name);

}  // namespace omnium
