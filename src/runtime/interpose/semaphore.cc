// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Semaphores. Each wait takes a token: first those that the semaphore was initialized with, then
// one for each post, in order. The k-th post precedes the wait that takes its token.
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(sem_init);
OMNIUM_REAL(sem_destroy);
OMNIUM_REAL(sem_close);
OMNIUM_REAL(sem_post);
OMNIUM_REAL(sem_wait);
OMNIUM_REAL(sem_trywait);
OMNIUM_REAL(sem_timedwait);
OMNIUM_REAL(sem_clockwait);
OMNIUM_REAL_AS(real_sem_open, sem_t*(const char*, int, mode_t, unsigned), "sem_open");

constexpr std::uint64_t kTokens = 64;  // posts that may be ahead of waits; older ones are lost

struct Token {
  std::uint64_t post;  // the number of the post that made it, from 1
  Meeting meeting;
};

struct Semaphore {
  const void* address;
  std::uint64_t initial;  // tokens without a post, also those that another process posted
  std::uint64_t posts;
  std::uint64_t waits;
  int opened;  // how often by sem_open
  Token tokens[kTokens];

  void clear() {
    initial = posts = waits = 0;
    opened = 0;
    for (Token& token : tokens) {
      if (token.post != 0) reset(token.meeting);
      token.post = 0;
    }
  }
};
ObjectTable<Semaphore, 1 << 10> semaphores;

std::uint64_t value_of(sem_t* semaphore) {
  int value = 0;
  sem_getvalue(semaphore, &value);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

Semaphore& new_semaphore(sem_t* semaphore, std::uint64_t value) {
  note_object(semaphore);
  Semaphore& made = semaphores.insert(semaphore);
  made.initial = value;
  return made;
}

void posting(sem_t* semaphore, Pc pc) {
  const ObjectsLock lock;
  if (!lock) return;
  Semaphore* known = semaphores.find(semaphore);
  if (known == nullptr) known = &new_semaphore(semaphore, value_of(semaphore));
  Token& token = known->tokens[++known->posts % kTokens];
  if (token.post != 0) reset(token.meeting);
  token.post = known->posts;
  contribute(token.meeting, semaphore, pc);
}

// The post failed. Its token is the last one, unless another thread posts at the same time.
void not_posted(sem_t* semaphore) {
  const ObjectsLock lock;
  Semaphore* known = lock ? semaphores.find(semaphore) : nullptr;
  if (known != nullptr && known->posts > 0) --known->posts;
}

void passed(sem_t* semaphore, Pc pc) {
  const ObjectsLock lock;
  if (!lock) return;
  Semaphore* known = semaphores.find(semaphore);
  if (known == nullptr) known = &new_semaphore(semaphore, value_of(semaphore) + 1);
  const std::uint64_t wait = ++known->waits;
  if (wait <= known->initial) return;
  const std::uint64_t post = wait - known->initial;
  if (post > known->posts) {
    ++known->initial;
    return;
  }
  Token& token = known->tokens[post % kTokens];
  if (token.post == post) collect(token.meeting, semaphore, pc);
}

}  // namespace

void forget_semaphores(std::uintptr_t begin, std::uintptr_t end) {
  semaphores.forget_range(begin, end);
}

OMNIUM_INTERPOSE int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  const int result = real_sem_init(semaphore, shared, value);
  const ObjectsLock lock;
  if (result == 0 && lock) new_semaphore(semaphore, value);
  return result;
}

OMNIUM_INTERPOSE int sem_destroy(sem_t* semaphore) noexcept {
  const int result = real_sem_destroy(semaphore);
  const ObjectsLock lock;
  if (result == 0 && lock) semaphores.forget(semaphore);
  return result;
}

OMNIUM_INTERPOSE sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  sem_t* semaphore = real_sem_open(name, flags, mode, value);
  const ObjectsLock lock;
  if (semaphore == SEM_FAILED || !lock) return semaphore;
  Semaphore* known = semaphores.find(semaphore);
  if (known == nullptr) known = &new_semaphore(semaphore, value_of(semaphore));
  ++known->opened;
  return semaphore;
}

OMNIUM_INTERPOSE int sem_close(sem_t* semaphore) noexcept {
  {
    const ObjectsLock lock;
    Semaphore* known = lock ? semaphores.find(semaphore) : nullptr;
    if (known != nullptr && --known->opened == 0) semaphores.forget(semaphore);
  }
  return real_sem_close(semaphore);
}

OMNIUM_INTERPOSE int sem_post(sem_t* semaphore) noexcept {
  posting(semaphore, OMNIUM_USER_PC());
  const int result = real_sem_post(semaphore);
  if (result != 0) not_posted(semaphore);
  return result;
}

OMNIUM_INTERPOSE int sem_wait(sem_t* semaphore) {
  const int result = real_sem_wait(semaphore);
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_trywait(sem_t* semaphore) noexcept {
  const int result = real_sem_trywait(semaphore);
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  const int result = real_sem_timedwait(semaphore, deadline);
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  const int result = real_sem_clockwait(semaphore, clock, deadline);
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

}  // namespace omnium::runtime
