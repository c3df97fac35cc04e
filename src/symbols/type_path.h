// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What lies at an offset inside an object, from its DWARF type.
#pragma once

#include <cstdint>
#include <string>

#include <elfutils/libdw.h>

namespace omnium::symbols {

// ".balance", "[12].count", "+4"; empty at the start of an object without parts. Parts whose names
// are reserved for libraries (_M_impl, __data) have those that a person would use (".size"), or
// none.
std::string path_in_type(Dwarf_Die type, std::uint64_t offset);

}  // namespace omnium::symbols
