// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/scope.h"

#include <set>

#include <fmt/format.h>

namespace omnium::model {

namespace {

constexpr std::size_t kMostObjects = 4096;

Error at_place(const Program& program, Place at, std::string message) {
  return {{program.file, at.line, at.column}, std::move(message)};
}

Error declared_twice(const Program& program, Place at, const std::string& name) {
  return at_place(program, at, fmt::format("'{}' is declared twice", printable(name)));
}

// Names of the elements of an array, or the name itself.
std::vector<std::string> element_names(const std::string& name, std::uint32_t size) {
  if (size == 0) return {name};
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < size; ++i) names.push_back(fmt::format("{}[{}]", name, i));
  return names;
}

// Adds the names to `all`; false if one was there.
bool add_names(const std::vector<std::string>& names, std::set<std::string>& seen,
               std::vector<std::string>& all) {
  bool fresh = true;
  for (const std::string& name : names) {
    fresh &= seen.insert(name).second;
    all.push_back(name);
  }
  return fresh;
}

std::optional<Error> declare_variables(const Program& program, Scope& scope, Model& model) {
  std::set<std::string> seen;
  for (const Variable& variable : program.shared) {
    const auto first = static_cast<std::int32_t>(model.cells.size());
    scope.variables[variable.name] = {!variable.ghost, variable.ghost, first, variable.size,
                                      variable.type};
    const auto names = element_names(variable.name, variable.size);
    if (!add_names(names, seen, model.cell_names)) {
      return declared_twice(program, variable.at, variable.name);
    }
    const Range range{variable.type.low, variable.type.high, variable.initial,
                      variable.starts_anyhow};
    model.cells.resize(model.cells.size() + names.size(), range);
    if (model.cells.size() > kMostObjects) {
      return at_place(program, variable.at, "too many shared variables");
    }
  }
  return std::nullopt;
}

std::optional<Error> declare_locks(const Program& program, Scope& scope, Model& model) {
  std::set<std::string> seen;
  for (const Lock& lock : program.locks) {
    const auto first = static_cast<std::int32_t>(model.lock_names.size());
    scope.locks[lock.name] = {true, false, first, lock.size, {}};
    if (!add_names(element_names(lock.name, lock.size), seen, model.lock_names)) {
      return declared_twice(program, lock.at, lock.name);
    }
    if (model.lock_names.size() > kMostObjects) {
      return at_place(program, lock.at, "too many locks");
    }
  }
  return std::nullopt;
}

std::optional<Error> declare_channels(const Program& program, Scope& scope, Model& model) {
  for (const Channel& channel : program.channels) {
    const auto number = static_cast<std::int32_t>(model.channel_names.size());
    if (!scope.channels.emplace(channel.name, number).second) {
      return declared_twice(program, channel.at, channel.name);
    }
    model.channel_names.push_back(channel.name);
    if (model.channel_names.size() > kMostObjects) {
      return at_place(program, channel.at, "too many channels");
    }
  }
  return std::nullopt;
}

std::optional<Error> declare_threads(const Program& program, Scope& scope, Model& model) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const Thread& thread : program.threads) {
    const auto first = static_cast<std::uint32_t>(names.size());
    scope.threads[thread.name] = {first, thread.copies};
    if (!add_names(element_names(thread.name, thread.copies), seen, names)) {
      return declared_twice(program, thread.at, thread.name);
    }
    if (names.size() > kMaxModelThreads) {
      return at_place(program, thread.at,
                      fmt::format("a model can have at most {} threads", kMaxModelThreads));
    }
  }
  for (std::string& name : names) model.threads.push_back({std::move(name)});
  return std::nullopt;
}

}  // namespace

std::optional<Error> declare_shared(const Program& program, Scope& scope, Model& model) {
  if (auto wrong = declare_variables(program, scope, model)) return wrong;
  if (auto wrong = declare_locks(program, scope, model)) return wrong;
  if (auto wrong = declare_channels(program, scope, model)) return wrong;
  return declare_threads(program, scope, model);
}

std::optional<Error> declare_locals(const Program& program, const Thread& thread, Scope& scope,
                                    Code& code) {
  for (const Variable& local : thread.locals) {
    const auto first = static_cast<std::int32_t>(code.slots.size());
    const Meaning meaning{false, false, first, local.size, local.type};
    if (!scope.variables.emplace(local.name, meaning).second) {
      return declared_twice(program, local.at, local.name);
    }
    const Range range{local.type.low, local.type.high, local.initial};
    code.slots.resize(code.slots.size() + std::max<std::size_t>(1, local.size), range);
    if (code.slots.size() > kMostObjects) {
      return at_place(program, local.at, "too many locals");
    }
  }
  return std::nullopt;
}

}  // namespace omnium::model
