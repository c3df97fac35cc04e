// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A procedure of a model: what it does is written in place of each call [Farzan, Madhusudan 4:
// Boolean programs without recursion].
//
//   procedure swap { local bool old; old = x; x = y; y = old; }
//   thread t { call swap; }        # t has a local "swap.old", which is false when swap begins
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/program.h"

namespace omnium::model {

class Procedure {
 public:
  explicit Procedure(std::string name) : name_(std::move(name)) {}

  // The first `own` locals are its own, the others those of procedures that it calls.
  void define(std::vector<Variable> locals, std::size_t own, Statement::Body body);

  const std::string& name() const { return name_; }
  const std::vector<Variable>& locals() const { return locals_; }
  // Gives its own locals their first values, then does what it does.
  const Statement::Body& body() const { return body_; }
  std::size_t size() const { return size_; }  // statements, those inside others too
  std::uint32_t depth() const { return depth_; }  // of nested bodies

 private:
  std::string name_;
  std::vector<Variable> locals_;
  Statement::Body body_;
  std::size_t size_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace omnium::model
