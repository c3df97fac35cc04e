// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/evaluate.h"

#include <fmt/format.h>

#include "support/check.h"

namespace omnium::model {

std::string Fault::message() const {
  switch (kind) {
    case Kind::kNoFault: return {};
    case Kind::kOutOfRange:
      return fmt::format("{} is outside the range {}..{}", value, range.low, range.high);
    case Kind::kIndex: return fmt::format("index {} is out of bounds (0 to {})", value, range.high);
    case Kind::kOverflow: return "arithmetic overflow";
    case Kind::kDivision: return "division by zero";
    case Kind::kAssertion: return "assertion failed";
    case Kind::kReacquire: return "the thread acquires a lock that it already holds";
    case Kind::kRelease: return "the thread releases a lock that it does not hold";
    case Kind::kForkedTwice: return "the thread was already forked";
    case Kind::kEndless: return "the thread loops forever without an event";
  }
  return {};
}

std::uint32_t Evaluator::element(std::int32_t index, std::uint32_t length, Place at) {
  if (length == 0) return 0;
  const std::int64_t wanted = value(index);
  if (wanted >= 0 && wanted < length) return static_cast<std::uint32_t>(wanted);
  if (!fault_) {
    fault_ = {Fault::Kind::kIndex, at, wanted, {0, static_cast<std::int32_t>(length) - 1}};
  }
  return 0;
}

std::int64_t Evaluator::value(std::int32_t index) {
  const Node& node = code_.nodes[index];
  switch (node.kind) {
    case NodeKind::kConstant: return node.value;
    case NodeKind::kSlot: return slots_[node.first + element(node.left, node.length, node.at)];
    case NodeKind::kShared: {
      const std::uint32_t cell = node.first + element(node.left, node.length, node.at);
      CHECK(read_count_ < kMostReads);
      reads_[read_count_++] = cell;
      return cells_[cell];
    }
    case NodeKind::kGhost: return cells_[node.first + element(node.left, node.length, node.at)];
    case NodeKind::kOperation: return operation(node);
  }
  return 0;
}

std::int64_t Evaluator::operation(const Node& node) {
  const std::int64_t left = value(node.left);
  switch (node.op) {
    case Operator::kNot: return left == 0;
    case Operator::kAnd: return left != 0 && value(node.right) != 0;
    case Operator::kOr: return left != 0 || value(node.right) != 0;
    case Operator::kNegate: return arithmetic(node, 0, left);
    default: break;
  }
  const std::int64_t right = value(node.right);
  switch (node.op) {
    case Operator::kEqual: return left == right;
    case Operator::kNotEqual: return left != right;
    case Operator::kLess: return left < right;
    case Operator::kLessEqual: return left <= right;
    case Operator::kGreater: return left > right;
    case Operator::kGreaterEqual: return left >= right;
    default: return arithmetic(node, left, right);
  }
}

std::int64_t Evaluator::arithmetic(const Node& node, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (node.op) {
    case Operator::kAdd: overflow = __builtin_add_overflow(left, right, &result); break;
    case Operator::kNegate:
    case Operator::kSubtract: overflow = __builtin_sub_overflow(left, right, &result); break;
    case Operator::kMultiply: overflow = __builtin_mul_overflow(left, right, &result); break;
    default:
      if (right == 0) {
        if (!fault_) fault_ = {Fault::Kind::kDivision, node.at, 0, {}};
        return 0;
      }
      overflow = right == -1 && __builtin_sub_overflow(std::int64_t{0}, left, &result);
      if (right != -1) result = node.op == Operator::kDivide ? left / right : left % right;
      if (right == -1 && node.op == Operator::kRemainder) result = 0;
  }
  if (overflow && !fault_) fault_ = {Fault::Kind::kOverflow, node.at, 0, {}};
  return overflow ? 0 : result;
}

}  // namespace omnium::model
