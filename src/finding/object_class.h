// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace omnium {

// What the names of objects have in common that a person would call the same thing: "hist[]" for
// "hist[41]", "Account::balance" for "Account::balance #2", no template arguments, no line of the
// place where it was allocated. Empty for what has no name ("0x7ffc27f1da18", "unnamed object").
std::string object_class(std::string_view name);

}  // namespace omnium
