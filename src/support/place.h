// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The parts of the name of a location.
#pragma once

#include <string_view>

namespace omnium::support {

struct Place {
  std::string_view position;  // "bank.cpp:44", or all of a name that is written in another way
  std::string_view function;  // "Account::deposit"; empty where the name does not say it
  bool in_library = false;    // a function of a library did it for this one
};

// Recordings write "bank.cpp:44 in Account::deposit", and "bank.cpp:44 in Account::deposit via a
// library" if the access happened in code of a system header that is called there.
Place place_of(std::string_view location);
inline constexpr std::string_view kInFunction = " in ", kViaLibrary = " via a library";

}  // namespace omnium::support
