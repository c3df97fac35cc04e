// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the names that programmers give say of the purpose of a variable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace omnium {

// The words of a name, in lower case: "cache", "hit", "count" for "cache_.hitCount".
std::vector<std::string> words_of(std::string_view name);

// Of the name of an object: "Buffer::ref_count", "node->refs".
bool names_references(std::string_view object);
// Of the name of an object or function: "stats.hits", "Metrics::add".
bool names_statistics(std::string_view name);

}  // namespace omnium
