// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a packed state to its packed successors: step, normalize, sort copies, pack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/monitor.h"
#include "model/packing.h"
#include "model/stepper.h"
#include "model/symmetry.h"

namespace omnium::model {

// What does not change while a model is explored.
struct Space {
  Space(const Model& model_in, CheckMode mode, bool symmetry_in, bool reduction_in)
      : model(model_in),
        layout(model_in),
        futures(model_in, mode),
        symmetry(symmetry_in),
        reduction(reduction_in) {}
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  const Model& model;
  Layout layout;
  Futures futures;
  bool symmetry;
  bool reduction;
};

// Gets what a state leads to.
class SuccessorSink {
 public:
  virtual ~SuccessorSink() = default;
  virtual void successor(std::uint32_t t, const std::byte* state,
                         const std::vector<RunEvent>& events) = 0;
  virtual void violation(std::uint32_t t, const std::vector<RunEvent>& events) = 0;
  virtual void fault(std::uint32_t t, const Fault& fault, const std::vector<RunEvent>& events) = 0;
};

// One per worker.
class Expander final : private MoveVisitor {
 public:
  explicit Expander(const Space& space);

  std::size_t state_bytes() const { return packing_.bytes(); }
  // The packed first state, or a fault before any event.
  // Where runs start, with these values of the cells.
  Fault initial(std::span<const std::int32_t> cells, std::vector<std::byte>& out);
  // Every move of every thread. Threads that are stuck for ever if nobody moves: none unless the
  // state is a deadlock.
  ThreadSet expand(const std::byte* state, SuccessorSink& sink);
  // Inside successor(): the thread that is at place i now was at order()[i].
  const std::vector<std::uint32_t>& order() const { return symmetry_.order(); }

 private:
  void arrives(State& state, const std::vector<RunEvent>& events) override;
  void violates(const std::vector<RunEvent>& events) override;
  void fails(const Fault& fault, const std::vector<RunEvent>& events) override;
  const std::byte* packed(State& state);

  const Space& space_;
  Monitor monitor_;
  Packing packing_;
  Stepper stepper_;
  Symmetry symmetry_;
  State state_;
  std::vector<std::uint64_t> buffer_;
  SuccessorSink* sink_ = nullptr;
  std::uint32_t thread_ = 0;
};

}  // namespace omnium::model
