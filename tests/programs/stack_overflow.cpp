// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The stack overflows again and again, mostly inside the runtime. The handler runs on another stack
// and jumps back. Afterwards no lock of the runtime is held.
//
// expect: slow_add (with add), lost update on counter.value
// record: no
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include <atomic>

#include "lost_update.h"

namespace {

constexpr int kOverflows = 200;
constexpr std::size_t kStack = 256 * 1024;
alignas(16) char other_stack[64 * 1024];
sigjmp_buf back;
std::atomic<long> shared{0};
long cells[1024];
int overflows = 0;
volatile int deepest = 1 << 30;

void on_fault(int) { siglongjmp(back, 1); }

[[gnu::noinline]] int descend(int depth) {
  volatile char room[40];
  room[depth % 40] = 1;
  cells[depth % 1024] += 1;
  if (overflows % 2 == 0) shared.fetch_add(1);
  const int below = depth < deepest ? descend(depth + 1) : 0;
  return below + room[depth % 40];
}

void* overflow(void*) {
  stack_t stack = {};
  stack.ss_sp = other_stack;
  stack.ss_size = sizeof(other_stack);
  sigaltstack(&stack, nullptr);
  if (sigsetjmp(back, 1) != 0) overflows += 1;
  if (overflows < kOverflows) descend(overflows);
  return nullptr;
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load()) shared.fetch_add(1);
  });
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_t thread;
  pthread_create(&thread, &attributes, overflow, nullptr);
  pthread_join(thread, nullptr);
  stop = true;
  other.join();
  std::thread visitor([] {
    for (long& cell : cells) cell += 1;
  });
  visitor.join();
  if (overflows == kOverflows) lose_update();
}
