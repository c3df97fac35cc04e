// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/body_calls.h"

#include <algorithm>
#include <cstring>

namespace omnium::decode {

void BodyCalls::take(const Text& text) {
  wire::RawBodyCall said;
  if (text.text.size() != sizeof said) return;
  std::memcpy(&said, text.text.data(), sizeof said);
  Call& call = calls_[{text.thread, said.block}];
  call.function = text.object;
  call.loops |= said.fact == wire::RawBodyCallFact::kLoops;
  call.alone &= said.fact != wire::RawBodyCallFact::kIsNotAlone;
}

// Of the threads that run a function, some may have had nothing to do.
bool BodyCalls::loops(const Call& call) const {
  return std::ranges::any_of(calls_, [&](const auto& entry) {
    const Call& other = entry.second;
    return other.function == call.function && other.alone && other.loops;
  });
}

bool BodyCalls::does_all_work(std::uint32_t thread, std::uint64_t block) const {
  const auto call = calls_.find({thread, block});
  return call != calls_.end() && call->second.alone && loops(call->second);
}

}  // namespace omnium::decode
