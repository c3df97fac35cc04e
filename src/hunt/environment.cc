// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/environment.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace omnium::hunt {

namespace {

// A schedule has to stay small, and the runtime reads it into a buffer of fixed size.
constexpr std::size_t kMostBytes = 2048;

// Language and time zone; how many threads there are and how they wait; how memory is handed out.
constexpr std::string_view kKnown[] = {"GLIBC_TUNABLES", "LANG", "LANGUAGE", "TZ"};
constexpr std::string_view kKnownBeginnings[] = {"GOMP_", "KMP_", "LC_", "MALLOC_", "OMP_"};

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

bool is_known(std::string_view name) {
  return std::ranges::find(kKnown, name) != std::end(kKnown) ||
         std::ranges::any_of(kKnownBeginnings, [&](auto part) { return name.starts_with(part); });
}

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <typename Wanted>
Variables variables_if(Wanted wanted) {
  Variables out;
  for (char** it = environ; *it != nullptr; ++it) {
    if (wanted(name_of(*it))) out.emplace_back(*it);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

Result<std::vector<std::string>> take_variables(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& word : given) {
    const std::string name(name_of(word));
    if (name.empty()) return fail({}, fmt::format("--env needs a name, got '{}'", printable(word)));
    if (name != word) ::setenv(name.c_str(), word.c_str() + name.size() + 1, 1);
    if (std::getenv(name.c_str()) == nullptr) {
      return fail(
          {}, fmt::format("--env {0}: it is not set; --env {0}=VALUE sets it", printable(name)));
    }
    names.push_back(name);
  }
  return names;
}

Variables variables_named(const std::vector<std::string>& names) {
  return variables_if([&](std::string_view name) { return is_one_of(names, name); });
}

Result<Variables> variables_to_keep(const std::vector<std::string>& names) {
  Variables out =
      variables_if([&](std::string_view name) { return is_known(name) || is_one_of(names, name); });
  std::size_t bytes = 0;
  for (const std::string& variable : out) bytes += variable.size();
  if (bytes <= kMostBytes) return out;
  std::vector<std::string_view> all;
  for (const std::string& variable : out) all.push_back(name_of(variable));
  return fail({},
              fmt::format("variables that a schedule keeps have {} bytes, and {} is the most: {}",
                          bytes, kMostBytes, printable(fmt::format("{}", fmt::join(all, ", ")))));
}

void restore_variables(const Variables& kept, const std::vector<std::string>& but) {
  for (const std::string& variable : variables_if(is_known)) {
    const std::string name(name_of(variable));
    if (!is_one_of(but, name)) ::unsetenv(name.c_str());
  }
  for (const std::string& variable : kept) {
    const std::string name(name_of(variable));
    if (name == variable || is_one_of(but, name)) continue;
    ::setenv(name.c_str(), variable.c_str() + name.size() + 1, 1);
  }
}

}  // namespace omnium::hunt
