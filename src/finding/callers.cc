// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/callers.h"

#include <map>
#include <string_view>
#include <utility>

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
      const bool harmless = functions[i].noise != Noise::kNone;
      if (harmless && functions[at->second].noise == Noise::kNone) continue;
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

// Makes one cause of those that look harmless because of the same object: the first by name.
void join_harmless(std::span<const NotAtomic> functions, std::vector<std::size_t>& out) {
  std::map<std::pair<Noise, std::string_view>, std::size_t> first;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (out[i] != i || functions[i].noise == Noise::kNone) continue;
    const auto had = first.try_emplace({functions[i].noise, functions[i].object}, i).first;
    if (functions[i].function < functions[had->second].function) had->second = i;
  }
  for (std::size_t& to : out) {
    const auto at = first.find({functions[to].noise, functions[to].object});
    if (at != first.end()) to = at->second;
  }
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
  join_harmless(functions, out);
  return out;
}

}  // namespace omnium
