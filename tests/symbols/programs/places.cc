// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Prints addresses of its own code and objects with what a symbolizer should say of them. Compiled
// by the test, with each compiler and several options.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include <link.h>

static std::uint64_t allocated_at = 0;

[[gnu::noinline]] void* operator new(std::size_t size) {
  allocated_at = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  return std::malloc(size);
}
void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { std::free(pointer); }

[[gnu::noinline]] std::uint64_t here() {
  asm volatile("");
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

#define PLACE(functions) std::printf("place %lx %d %s\n", here(), __LINE__, functions)
#define OBJECT_AS(object, name) \
  std::printf("object %lx %s\n", reinterpret_cast<std::uint64_t>(&(object)), name)
#define OBJECT(object) OBJECT_AS(object, #object)

struct Base {
  long serial;
};

struct Account : Base {
  static int opened;
  long balance;
  std::mutex mutex;
  std::atomic<int> uses;
  union {
    int cents;
    char bytes[4];
  };
  struct Log {
    int lines;
    char text[16];
  } log;

  [[gnu::noinline]] void deposit(int amount) {
    balance += amount;
    PLACE("Account::deposit");
  }
};

int Account::opened = 0;
Account account;
Account table[16];
int matrix[3][4];
std::atomic<bool> flag;
static long hidden;

namespace bank {
Account vault;
namespace {
[[gnu::noinline]] void audit() { PLACE("bank::(anonymous namespace)::audit"); }
}  // namespace
}  // namespace bank

[[gnu::always_inline]] inline void inner() { PLACE("inner outer"); }

[[gnu::noinline]] void outer() {
  inner();
  PLACE("outer");
}

template <class T>
[[gnu::noinline]] void pick(T) {
  PLACE("pick<int>");
}

[[gnu::noinline]] void grow(std::vector<int>& items) {
  items.reserve(10);
  std::printf("allocated %lx %d\n", allocated_at, __LINE__ - 1);
}

[[gnu::noinline]] void tally() {
  static int calls = 0;
  ++calls;
  OBJECT_AS(calls, "tally()::calls");
}

int main() {
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        std::printf("bias %lx\n", static_cast<unsigned long>(info->dlpi_addr));
        return 1;
      },
      nullptr);
  account.deposit(1);
  bank::audit();
  outer();
  pick(1);
  tally();
  std::vector<int> items;
  grow(items);
  OBJECT_AS(account, "account.serial");
  OBJECT(account.balance);
  OBJECT(account.mutex);
  OBJECT(account.uses);
  OBJECT(account.cents);
  OBJECT(account.log.lines);
  OBJECT(account.log.text[5]);
  OBJECT(table[12].balance);
  OBJECT(matrix[1][2]);
  OBJECT(flag);
  OBJECT(hidden);
  OBJECT(bank::vault.balance);
  OBJECT(Account::opened);
  return 0;
}
