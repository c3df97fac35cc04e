// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An atomic operation faults, as in a garbage collector. The handler makes the page accessible and
// returns, or it jumps away. The runtime performs the operation, so it is interrupted inside.
//
// expect: slow_add (with add), lost update on counter.value
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>

#include "lost_update.h"

namespace {

constexpr std::size_t kPage = 4096;
sigjmp_buf back;
char* page;
bool repairs;
int faults;

void on_fault(int, siginfo_t*, void*) {
  faults += 1;
  if (!repairs) siglongjmp(back, 1);
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
}

void use_from_another_thread(std::atomic<long>& number) {
  std::thread([&] { number.fetch_add(1); }).join();
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  void* mapped = mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page = static_cast<char*>(mapped);
  auto& number = *static_cast<std::atomic<long>*>(mapped);
  for (int i = 0; i < 10; ++i) {
    mprotect(page, kPage, PROT_NONE);
    repairs = i % 2 == 0;
    if (sigsetjmp(back, 1) == 0) {
      OMNIUM_ATOMIC("probe");
      number.fetch_add(1);
    }
    mprotect(page, kPage, PROT_READ | PROT_WRITE);
    use_from_another_thread(number);
  }
  if (faults != 10 || number != 15) return 1;
  lose_update();
}
