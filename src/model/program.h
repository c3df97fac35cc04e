// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A Boolean program as it was written: what the parser makes of an .omp file (docs/formats/omp.md).
// Names are not resolved and types not checked yet; compile.h does both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"

namespace omnium::model {

// A place in the program's text, 1-based.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// A bool is the range 0..1 with its own name.
struct Type {
  bool is_bool = true;
  std::int32_t low = 0;
  std::int32_t high = 1;
};

enum class Operator : std::uint8_t {
  kConstant,
  kBoolConstant,
  kName,  // a variable; its argument, if there is one, is the index
  kMe,    // number of this copy of the thread
  kNot,
  kNegate,
  kAnd,
  kOr,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
};

struct Expression {
  Operator op = Operator::kConstant;
  Place at;
  std::int64_t value = 0;
  std::string name;
  std::vector<Expression> arguments;
};

struct Statement {
  enum class Kind : std::uint8_t {
    kAssign,   // target = value; with `event`, how a shared variable is written
    kLook,     // target, which is read; the value does not matter
    kAcquire,  // target
    kRelease,  // target
    kFork,     // target
    kJoin,     // target
    kSignal,   // target, a channel
    kAwait,    // target, a channel
    kBusy,     // target, a lock
    kAssume,   // value
    kAssert,   // value
    kSkip,
    kHalt,
    kIf,          // value, bodies[0], bodies[1] if there is an else
    kWhile,       // value, bodies[0]
    kWhileMaybe,  // while (*) bodies[0]
    kLoop,        // count times bodies[0]
    kChoose,      // one of the bodies
    kAtomic,      // label, bodies[0]
  };
  using Body = std::vector<Statement>;

  Kind kind = Kind::kSkip;
  omnium::Kind event = omnium::Kind::kSkip;  // of a statement that is one event
  Place at;
  Expression target;
  Expression value;
  std::string label;
  std::uint32_t count = 0;
  std::vector<Body> bodies;
};

// A variable, or an array of them (size > 0).
struct Variable {
  Place at;
  std::string name;
  Type type;
  std::uint32_t size = 0;
  std::int32_t initial = 0;
  bool starts_anyhow = false;  // with any value of its type: `initial` means nothing
  bool ghost = false;          // using it is no event
};

struct Lock {
  Place at;
  std::string name;
  std::uint32_t size = 0;
};

// What threads signal and await.
struct Channel {
  Place at;
  std::string name;
};

struct Thread {
  Place at;
  std::string name;
  std::uint32_t copies = 0;  // 0: one, without a number in its name
  std::vector<Variable> locals;
  Statement::Body body;
};

struct Program {
  std::string file;
  std::vector<Variable> shared;
  std::vector<Lock> locks;
  std::vector<Channel> channels;
  std::vector<Thread> threads;  // calls of procedures are replaced by what the procedures do
};

}  // namespace omnium::model
