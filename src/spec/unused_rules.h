// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which lines of a specification file matched nothing: a name that is not there, or is written
// differently.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/specification.h"

namespace omnium {

class UnusedRules {
 public:
  explicit UnusedRules(const Specification& specification);

  // Something of this name exists.
  void see(std::string_view name);
  // A function of this name was inlined, so that the program does not tell when it runs.
  void see_inlined(std::string_view name);
  bool any() const;  // is there an unused rule?
  // Somebody else has seen what this rule matches.
  void use(std::size_t rule) { used_[rule] = true; }
  std::size_t count() const { return used_.size(); }
  bool used(std::size_t rule) const { return used_[rule]; }

  // "bank.spec:3: 'atomic Acount::*' matches WHAT", a text for each of them.
  std::vector<std::string> warnings(std::string_view what) const;

 private:
  std::vector<Specification::Rule> rules_;
  std::vector<bool> used_, inlined_;
};

}  // namespace omnium
