// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the names of a program mean: which cells, locks, slots and threads they stand for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/program.h"
#include "model/steps.h"
#include "support/error.h"

namespace omnium::model {

// A variable, an array of them, or a lock: `first` counts cells, slots or locks.
struct Meaning {
  bool shared = false;
  bool ghost = false;  // shared, but using it is no event
  std::int32_t first = 0;
  std::uint32_t size = 0;  // 0: no array
  Type type;
};

struct ThreadMeaning {
  std::uint32_t first = 0;   // of its copies
  std::uint32_t copies = 0;  // 0: one, without an index
};

struct Scope {
  std::map<std::string, Meaning> variables;
  std::map<std::string, Meaning> locks;
  std::map<std::string, std::int32_t> channels;
  std::map<std::string, ThreadMeaning> threads;
};

// Declares everything that threads share; fills the model's cells, locks, channels and
// threads.
std::optional<Error> declare_shared(const Program& program, Scope& scope, Model& model);

// The scope of one thread, and its slots.
std::optional<Error> declare_locals(const Program& program, const Thread& thread, Scope& scope,
                                    Code& code);

}  // namespace omnium::model
