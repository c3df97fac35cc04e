// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/expander.h"

#include <algorithm>

namespace omnium::model {

Expander::Expander(const Space& space)
    : space_(space),
      monitor_(space.layout, space.futures),
      packing_(space.model, space.layout, space.futures),
      stepper_(space.model, space.layout, space.futures, space.reduction),
      symmetry_(space.model, space.layout),
      state_(space.layout.initial()),
      buffer_(packing_.words()) {}

const std::byte* Expander::packed(State& state) {
  monitor_.normalize(state);
  if (space_.symmetry && symmetry_.any()) symmetry_.sort_copies(state);
  packing_.pack(state, buffer_.data());
  return reinterpret_cast<const std::byte*>(buffer_.data());
}

Fault Expander::initial(std::span<const std::int32_t> cells, std::vector<std::byte>& out) {
  State state = space_.layout.initial();
  std::ranges::copy(cells, state.slots.begin());
  if (Fault fault = stepper_.start(state)) return fault;
  const std::byte* bytes = packed(state);
  out.assign(bytes, bytes + packing_.bytes());
  return {};
}

ThreadSet Expander::expand(const std::byte* state, SuccessorSink& sink) {
  packing_.unpack(state, state_);
  sink_ = &sink;
  ThreadSet stuck = 0;
  bool moved = false;
  bool open_ended = false;
  for (thread_ = 0; thread_ < space_.layout.threads(); ++thread_) {
    const Standing standing = stepper_.moves(state_, thread_, *this);
    moved |= standing.moved;
    open_ended |= standing.open_ended;
    if (!standing.can_end) stuck |= ThreadSet{1} << thread_;
  }
  return moved || open_ended ? 0 : stuck;
}

void Expander::arrives(State& state, const std::vector<RunEvent>& events) {
  sink_->successor(thread_, packed(state), events);
}

void Expander::violates(const std::vector<RunEvent>& events) { sink_->violation(thread_, events); }

void Expander::fails(const Fault& fault, const std::vector<RunEvent>& events) {
  sink_->fault(thread_, fault, events);
}

}  // namespace omnium::model
