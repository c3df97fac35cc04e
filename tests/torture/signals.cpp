// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals that the thread sends to itself and that come from a timer at any moment: handlers that
// do work, run on a stack of their own, or jump out.
#include <setjmp.h>
#include <signal.h>

#include <cstdlib>

#include "torture.h"

namespace torture {
namespace {

thread_local sigjmp_buf way_out;

void count_signal(int) { world.signals += 1; }
void jump_out(int) { siglongjmp(way_out, 1); }

void install(int number, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags | SA_RESTART;
  if (sigaction(number, &action, nullptr) != 0) std::abort();
}

void raise_one(Worker& self) {
  install(SIGUSR1, count_signal, 0);
  OMNIUM_ATOMIC(fresh("interrupted").c_str());
  world.wide += 1;
  self.note(static_cast<std::uint64_t>(pthread_kill(pthread_self(), SIGUSR1)));
  world.wide += 1;
}

void raise_on_other_stack(Worker& self) {
  constexpr std::size_t kSize = 64 * 1024;
  const auto memory = std::make_unique<char[]>(kSize);
  stack_t other = {.ss_sp = memory.get(), .ss_flags = 0, .ss_size = kSize}, before = {};
  sigaltstack(&other, &before);
  install(SIGUSR2, count_signal, SA_ONSTACK);
  self.note(static_cast<std::uint64_t>(pthread_kill(pthread_self(), SIGUSR2)));
  other = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&other, nullptr);
}

void jump_out_of_handler(Worker& self) {
  install(SIGURG, jump_out, SA_NODEFER);
  if (sigsetjmp(way_out, 1) == 0) {
    OMNIUM_ATOMIC(fresh("left by a handler").c_str());
    world.wide += 1;
    pthread_kill(pthread_self(), SIGURG);
    self.note(1);  // not reached
  }
  self.note(2);
}

constexpr Action kActions[] = {raise_one, raise_on_other_stack, jump_out_of_handler};

}  // namespace

std::span<const Action> signal_actions() { return kActions; }

}  // namespace torture
