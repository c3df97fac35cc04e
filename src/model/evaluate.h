// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The value of a pure expression in a state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/steps.h"

namespace omnium::model {

// An error of the model: what a run did that no run may do.
struct Fault {
  enum class Kind : std::uint8_t {
    kNoFault,
    kOutOfRange,  // value does not fit
    kIndex,       // value is no index
    kOverflow,    // of the arithmetic itself
    kDivision,    // by zero
    kAssertion,
    kReacquire,  // a lock that it holds
    kRelease,    // a lock that it does not hold
    kForkedTwice,
    kEndless,  // runs for ever without an event
  };

  Kind kind = Kind::kNoFault;
  Place at;
  std::int64_t value = 0;
  Range range;

  explicit operator bool() const { return kind != Kind::kNoFault; }
  std::string message() const;
};

class Evaluator {
 public:
  Evaluator(const Code& code, const std::int32_t* cells, const std::int32_t* slots)
      : code_(code), cells_(cells), slots_(slots) {}

  // 0 if there is a fault.
  std::int64_t value(std::int32_t node);
  // Which of `length` elements a step or node means; 0 without an index.
  std::uint32_t element(std::int32_t index, std::uint32_t length, Place at);

  const Fault& fault() const { return fault_; }
  // Cells that were looked at, in order.
  std::span<const std::uint32_t> reads() const { return {reads_, read_count_}; }

 private:
  static constexpr std::size_t kMostReads = 16;

  std::int64_t operation(const Node& node);
  std::int64_t arithmetic(const Node& node, std::int64_t left, std::int64_t right);

  const Code& code_;
  const std::int32_t* cells_;
  const std::int32_t* slots_;
  Fault fault_;
  std::uint32_t reads_[kMostReads];
  std::size_t read_count_ = 0;
};

}  // namespace omnium::model
