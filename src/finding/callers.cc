// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/callers.h"

#include <map>
#include <string_view>

namespace omnium {

namespace {

using Indices = std::vector<std::size_t>;

// By function: those of the others that were seen inside it and can explain it.
std::vector<Indices> called_by(std::span<const NotAtomic> functions) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < functions.size(); ++i) index.emplace(functions[i].function, i);
  std::vector<Indices> called(functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    for (const std::string& caller : functions[i].callers) {
      const auto at = index.find(caller);
      if (at == index.end() || at->second == i) continue;
      if (functions[i].harmless && !functions[at->second].harmless) continue;
      called[at->second].push_back(i);
    }
  }
  return called;
}

// Everything that is called from there, at any depth.
std::set<std::size_t> reachable(std::size_t from, const std::vector<Indices>& called) {
  std::set<std::size_t> seen;
  Indices open = called[from];
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    open.insert(open.end(), called[at].begin(), called[at].end());
  }
  return seen;
}

}  // namespace

std::vector<std::size_t> follow(std::span<const NotAtomic> functions) {
  const std::vector<Indices> called = called_by(functions);
  const auto is_first = [&](std::size_t i) {
    return functions[i].stands_alone || called[i].empty();
  };
  std::vector<std::size_t> out(functions.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    out[i] = i;
    if (is_first(i)) continue;
    // Functions that only call each other follow from none.
    for (const std::size_t inner : reachable(i, called)) {
      if (!is_first(inner)) continue;
      out[i] = inner;
      break;
    }
  }
  return out;
}

}  // namespace omnium
