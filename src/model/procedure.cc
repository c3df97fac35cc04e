// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/procedure.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace omnium::model {

namespace {

// Renames the locals of a procedure, so that they are no others in its caller.
class Renaming {
 public:
  Renaming(std::string_view procedure, const std::set<std::string>& locals)
      : procedure_(procedure), locals_(locals) {}

  std::string renamed(std::string_view name) const {
    return fmt::format("{}.{}", procedure_, name);
  }

  void apply(Expression& expression) const {
    if (expression.op == Operator::kName && locals_.contains(expression.name)) {
      expression.name = renamed(expression.name);
    }
    for (Expression& argument : expression.arguments) apply(argument);
  }

  void apply(Statement::Body& body, std::uint32_t depth = 1) {
    deepest = std::max(deepest, depth);
    for (Statement& statement : body) {
      ++statements;
      const bool is_variable = statement.kind == Statement::Kind::kAssign;
      if (is_variable) {
        apply(statement.target);
      } else {
        for (Expression& index : statement.target.arguments) apply(index);
      }
      apply(statement.value);
      for (Statement::Body& inner : statement.bodies) apply(inner, depth + 1);
    }
  }

  std::size_t statements = 0;
  std::uint32_t deepest = 0;

 private:
  std::string_view procedure_;
  const std::set<std::string>& locals_;
};

Statement first_value(const Variable& local, std::uint32_t element) {
  Statement out;
  out.kind = Statement::Kind::kAssign;
  out.event = omnium::Kind::kWrite;
  out.at = out.target.at = out.value.at = local.at;
  out.target.op = Operator::kName;
  out.target.name = local.name;
  if (local.size > 0) {
    Expression& index = out.target.arguments.emplace_back();
    index.at = local.at;
    index.value = element;
  }
  out.value.op = local.type.is_bool ? Operator::kBoolConstant : Operator::kConstant;
  out.value.value = local.initial;
  return out;
}

}  // namespace

void Procedure::define(std::vector<Variable> locals, std::size_t own, Statement::Body body) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < own; ++i) names.insert(locals[i].name);
  Renaming renaming(name_, names);
  renaming.apply(body);
  locals_ = std::move(locals);
  for (std::size_t i = 0; i < own; ++i) {
    Variable& local = locals_[i];
    local.name = renaming.renamed(local.name);
    for (std::uint32_t element = 0; element < std::max(1u, local.size); ++element) {
      body_.push_back(first_value(local, element));
    }
  }
  size_ = renaming.statements + body_.size() + 1;
  depth_ = renaming.deepest;
  body_.insert(body_.end(), std::make_move_iterator(body.begin()),
               std::make_move_iterator(body.end()));
}

}  // namespace omnium::model
