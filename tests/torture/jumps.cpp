// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Exceptions and jumps, out of blocks and inside them.
#include <setjmp.h>

#include <stdexcept>

#include "torture.h"

namespace torture {
namespace {

__attribute__((noinline)) void throw_from(unsigned depth) {
  OMNIUM_ATOMIC(fresh("left by an exception").c_str());
  world.wide += 1;
  if (depth == 0) throw std::runtime_error("expected");
  throw_from(depth - 1);
}

void throw_out(Worker& self) {
  try {
    throw_from(self.below(4));
  } catch (const std::exception&) {
    self.note(1);
  }
}

void catch_inside(Worker& self) {
  OMNIUM_ATOMIC(fresh("catches inside").c_str());
  world.wide += 1;
  locked(world.mutexes[2], [&] {
    try {
      throw_from(0);
    } catch (const std::exception&) {
      world.under_mutex[2] += 1;
    }
  });
  world.wide += 1;
  self.note(2);
}

void rethrow(Worker& self) {
  try {
    OMNIUM_ATOMIC(fresh("throws again").c_str());
    try {
      throw_from(1);
    } catch (const std::exception&) {
      world.wide += 1;
      throw;
    }
  } catch (const std::exception&) {
    self.note(3);
  }
}

thread_local jmp_buf way_out;

__attribute__((noinline)) void jump_from(unsigned depth) {
  omnium_begin(fresh("left by a jump").c_str());
  world.wide += 1;
  if (depth > 0) {
    jump_from(depth - 1);
  } else {
    longjmp(way_out, 1);
  }
  omnium_end();
}

void jump_out(Worker& self) {
  const unsigned depth = self.below(4);
  if (setjmp(way_out) == 0) jump_from(depth);
  self.note(4);
}

constexpr Action kActions[] = {throw_out, catch_inside, rethrow, jump_out};

}  // namespace

std::span<const Action> jump_actions() { return kActions; }

}  // namespace torture
