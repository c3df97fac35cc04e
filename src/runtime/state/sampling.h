// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which blocks of a thread are judged, if not all are (docs/runtime/sampling.md).
#pragma once

#include <cstdint>

#include "runtime/state/signals.h"
#include "wire/share.h"

namespace omnium::runtime {

struct Sampling {
  std::uint64_t random;          // never 0
  std::uint32_t passed_over;     // open blocks that are not judged
  SignalNumber signals_around;   // how many signals there were before the outermost of them began,
                                 // or before its thread last waited

  void start(std::uint64_t seed, std::uint64_t thread_number) {
    random = (seed * 0x9E3779B97F4A7C15u + thread_number + 1) * 0xBF58476D1CE4E5B9u | 1;
    for (int i = 0; i < 4; ++i) next();
    passed_over = 0;
  }

  // Is the next block judged?
  bool draw(wire::Share share) { return (next() >> 32) * wire::kWhole >> 32 < share; }

 private:
  std::uint64_t next() {  // xorshift64*
    random ^= random >> 12;
    random ^= random << 25;
    random ^= random >> 27;
    return random * 0x2545F4914F6CDD1Du;
  }
};

}  // namespace omnium::runtime
