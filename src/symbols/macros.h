// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What macros stand for. Debug information does not say it, the source does.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "symbols/tokens.h"

namespace omnium::symbols {

struct Macro {
  std::vector<std::string_view> parameters;
  Tokens body;
};

// All definitions of a macro with parameters in a source.
std::vector<Macro> macros_in(std::string_view source, std::string_view name);

// The body with the arguments in it; each is a range of `tokens`.
Tokens expanded(const Macro& macro, const Tokens& tokens, std::span<const TokenRange> arguments);

}  // namespace omnium::symbols
