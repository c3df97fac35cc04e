// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A compiled program: each thread is a list of steps, and a step is at most one event. Reads go to
// temporaries first, so that an expression with two reads is two steps; what remains of it is pure
// and is evaluated silently.
//
//   count = count + 1;      kRead count -> t0        (one event)
//                           kWrite count := t0 + 1   (one event)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "model/program.h"

namespace omnium::model {

inline constexpr std::uint32_t kMaxModelThreads = 32;
inline constexpr std::int32_t kNone = -1;

enum class NodeKind : std::uint8_t {
  kConstant,
  kSlot,  // a local or temporary: `first`, or with `length` > 0 the one that `left` counts from it
  kShared,  // a shared variable, likewise; only in kAssume and in updates
  kGhost,   // a ghost, likewise
  kOperation,
};

// A pure expression, as a tree in Code::nodes.
struct Node {
  NodeKind kind = NodeKind::kConstant;
  Operator op = Operator::kConstant;
  std::int32_t left = kNone;
  std::int32_t right = kNone;
  std::int32_t first = 0;
  std::uint32_t length = 0;
  std::int64_t value = 0;
  Place at;
};

enum class StepKind : std::uint8_t {
  // Events.
  kRead,     // slot := object; without a slot the value is not kept
  kWrite,    // object := value
  kAcquire,  // object
  kRelease,  // object
  kBegin,    // object is the label
  kEnd,
  kFork,    // object is the thread
  kJoin,    // object is the thread
  kSignal,  // object is the channel
  kAwait,   // object is the channel
  kBusy,    // waits until another thread holds the object
  kAssume,  // waits until `value` holds; one read per shared variable that it looks at
  // Silent.
  kAssign,  // slot := value; without a slot the object, a ghost
  kBranch,  // to `target` unless `value`
  kJump,    // to `target`
  kChoose,  // to one of `length` targets, Code::targets[target...]
  kAssert,  // value
  kHalt,    // nothing more happens, and nobody can join the thread
  kStop,
};

// `object` (a cell, lock, label or thread) or `slot` is the first of `length`, and `index` says
// which; length 0 means no index.
struct Step {
  StepKind kind = StepKind::kStop;
  Kind event = Kind::kSkip;  // what a step that is one event is called in a trace
  bool ghosts = false;       // looks at ghosts, or sets one
  Place at;
  std::int32_t object = 0;
  std::int32_t slot = kNone;
  std::uint32_t length = 0;
  std::int32_t index = kNone;
  std::int32_t value = kNone;
  std::uint32_t target = 0;
  std::uint32_t clear = 0;  // temporaries that are not needed after this step
};

// What a variable, local or temporary can hold.
struct Range {
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::int32_t initial = 0;
  bool starts_anyhow = false;  // with any value, not with `initial`
};

struct Code {
  std::vector<Step> steps;  // the last one is kStop
  std::vector<Node> nodes;
  std::vector<std::uint32_t> targets;
  std::vector<Range> slots;  // locals, loop counters, then temporaries
  std::uint32_t first_temporary = 0;
  std::vector<std::uint32_t> depth;  // per step: blocks that are open before it

  // Where a thread waits to be forked.
  std::uint32_t unstarted() const { return static_cast<std::uint32_t>(steps.size()); }
};

struct Instance {
  std::string name;
  std::uint32_t code = 0;
  bool forked = false;         // somebody forks it, so it does not run from the beginning
  std::int32_t group = kNone;  // interchangeable copies of one thread have the same group
};

struct Model {
  std::string file;
  std::vector<std::string> cell_names;  // shared variables; an array has one per element
  std::vector<Range> cells;
  std::vector<std::string> lock_names;
  std::vector<bool> has_shared_side;  // per lock
  std::vector<std::string> channel_names;
  std::vector<std::string> labels;
  std::vector<Code> codes;
  std::vector<Instance> threads;

  const Code& code_of(std::uint32_t thread) const { return codes[threads[thread].code]; }
};

}  // namespace omnium::model
