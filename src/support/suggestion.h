// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known word that is nearest to one that is not known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace omnium::support {

// How many letters must be inserted, removed, replaced or swapped with their neighbour to make one
// word of the other; no letter is edited twice.
std::size_t edit_distance(std::string_view from, std::string_view to);

// The known word that somebody probably meant: one that starts with `word`, or that few edits lead
// to. Empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "unknown engine 'reech'; did you mean 'reach'?", or "unknown engine 'x' (choose from reach,
// ...)".
std::string unknown(std::string_view what, std::string_view word,
                    std::span<const std::string_view> known);

}  // namespace omnium::support
