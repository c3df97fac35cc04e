// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// With -finstrument-functions every function has hooks, also where it is inlined. A block with one
// event or none is always atomic: its hooks can go (docs/decisions/functions-as-blocks.md).
#pragma once

#include <string>
#include <string_view>

namespace omnium::assembler {

// The text without the hooks of functions that have at most one access and no way but straight on.
// Where such a function stands by itself, a call that only makes a new thread known is left.
std::string without_needless_hooks(std::string_view text);

}  // namespace omnium::assembler
