// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Semaphores. A token of the initial count, or one given back by the thread that took it, is a
// lock. A post by a thread that holds no such token makes a token of its own: the post signals, and
// the wait that takes the token awaits it. Those of the C++ library come here through the header
// that stands before <semaphore>.
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "runtime/interpose/mutex.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"
#include "runtime/interpose/signals.h"

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

// A lock is named by an address within the semaphore, so that it is forgotten along with it. Tokens
// of the initial count beyond these are not followed: taking and giving them back is no event.
constexpr unsigned kLocks = 8;
constexpr std::size_t kLockBytes = 4;
static_assert(kLocks * kLockBytes <= sizeof(sem_t));

struct Semaphore {
  const void* address;
  pid_t holders[kLocks];  // 0: nobody
  unsigned locks;         // how many of the tokens are locks; the lowest free one is taken first
  std::uint64_t others;   // other tokens of the initial count
  std::uint64_t others_taken;
  int opened;             // how often by sem_open
  std::uint64_t posting;  // posts that may have happened, but are no events yet
  SignalQueue signals;

  void clear() {
    for (auto& holder : holders) holder = 0;
    others = others_taken = 0;
    locks = 0;
    opened = 0;
    posting = 0;
    signals.clear();
  }

  // A lock that the thread holds, or nobody (0). Null if there is none.
  pid_t* held_by(pid_t thread) {
    for (unsigned i = 0; i < locks; ++i) {
      if (holders[i] == thread) return &holders[i];
    }
    return nullptr;
  }
  const void* name_of(const pid_t* holder) const {
    return static_cast<const char*>(address) + (holder - holders) * kLockBytes;
  }

  // A token is given: back by its holder, or a new one.
  void give(Pc pc) {
    if (pid_t* holder = held_by(thread_number())) {
      *holder = 0;
      release_token(name_of(holder), pc);
    } else if (others_taken > 0) {
      --others_taken;
    } else {
      signals.send(address, pc);
    }
  }
  // A token is taken. False if there is none.
  bool take(Pc pc) {
    if (pid_t* free = held_by(0)) {
      *free = thread_number();
      acquire_token(name_of(free), pc);
    } else if (others_taken < others) {
      ++others_taken;
    } else if (signals.has_next()) {
      signals.await_next(address, pc);
    } else {
      return false;
    }
    return true;
  }
};
ObjectTable<Semaphore, 1 << 10> semaphores;

std::uint64_t value_of(sem_t* semaphore) {
  int value = 0;
  sem_getvalue(semaphore, &value);
  return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

// At most `room` tokens are locks.
Semaphore& new_semaphore(const void* semaphore, std::uint64_t value, unsigned room = kLocks) {
  note_object(semaphore);
  Semaphore& made = semaphores.insert(semaphore);
  made.locks = static_cast<unsigned>(value < room ? value : room);
  made.others = value - made.locks;
  return made;
}

// Posts are events when they have happened: a thread that is interrupted before has posted nothing,
// and whoever passes meanwhile has got the token of another. Who passes before the post that lets
// it is an event waits for that.
// `value_if_new` tells the number of tokens that there are.
template <typename Value>
void post_begins(const void* semaphore, Value value_if_new) {
  const ObjectsLock lock;
  if (!lock) return;
  Semaphore* known = semaphores.find(semaphore);
  if (known == nullptr) known = &new_semaphore(semaphore, value_if_new());
  ++known->posting;
}

void post_ends(const void* semaphore, std::uint64_t tokens, Pc pc) {
  const ObjectsLock lock;
  Semaphore* known = lock ? semaphores.find(semaphore) : nullptr;
  if (known == nullptr) return;
  if (known->posting > 0) --known->posting;
  for (std::uint64_t i = 0; i < tokens; ++i) known->give(pc);
}

// `value_if_new` tells the number of tokens that are left.
template <typename Value>
void passed(const void* semaphore, Pc pc, Value value_if_new) {
  Patience patience;
  for (bool patient = true;; patient = patience.pause()) {
    const ObjectsLock lock;
    if (!lock) return;
    Semaphore* known = semaphores.find(semaphore);
    if (known == nullptr) known = &new_semaphore(semaphore, value_if_new() + 1);
    // If nobody posts, another process has posted.
    if (known->take(pc) || known->posting == 0 || !patient) return;
  }
}

void passed(sem_t* semaphore, Pc pc) {
  passed(static_cast<const void*>(semaphore), pc, [=] { return value_of(semaphore); });
}

// As for a mutex: EBUSY if there is no token.
int try_as_lock(sem_t* semaphore) {
  const int saved = errno;
  const int result = real_sem_trywait(semaphore);
  if (result == 0 || errno != EAGAIN) return result;
  errno = saved;
  return EBUSY;
}

// Of a semaphore that was made before the program started: nobody has told its tokens.
std::uint64_t nothing_known() { return 0; }

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
  OMNIUM_BEFORE_ACQUIRE(semaphore);
  post_begins(semaphore, [=] { return value_of(semaphore); });
  const int result = real_sem_post(semaphore);
  released_serially(semaphore);
  post_ends(semaphore, result == 0 ? 1 : 0, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_wait(sem_t* semaphore) {
  OMNIUM_BEFORE_ACQUIRE(semaphore);
  const int result = take_serially(
      semaphore, [&] { return try_as_lock(semaphore); }, [&] { return real_sem_wait(semaphore); });
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_trywait(sem_t* semaphore) noexcept {
  OMNIUM_BEFORE_ACQUIRE(semaphore);
  const int result = real_sem_trywait(semaphore);
  if (points_matter && result != 0) nothing_changed();
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(semaphore);
  const int result = take_serially_until(
      semaphore, CLOCK_REALTIME, deadline, [&] { return try_as_lock(semaphore); },
      [&] { return real_sem_timedwait(semaphore, deadline); });
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

OMNIUM_INTERPOSE int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  OMNIUM_BEFORE_ACQUIRE(semaphore);
  const int result = take_serially_until(
      semaphore, clock, deadline, [&] { return try_as_lock(semaphore); },
      [&] { return real_sem_clockwait(semaphore, clock, deadline); });
  if (result == 0) passed(semaphore, OMNIUM_USER_PC());
  return result;
}

// A semaphore of the C++ library has four bytes: room for the name of one lock.
OMNIUM_INTERPOSE void __omnium_semaphore_created(const void* semaphore, long tokens) {
  const ObjectsLock lock;
  if (lock) new_semaphore(semaphore, static_cast<std::uint64_t>(tokens), 1);
}
OMNIUM_INTERPOSE void __omnium_semaphore_posting(const void* semaphore) {
  post_begins(semaphore, nothing_known);
}
OMNIUM_INTERPOSE void __omnium_semaphore_posted(const void* semaphore, long tokens) {
  post_ends(semaphore, static_cast<std::uint64_t>(tokens), OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_semaphore_passed(const void* semaphore) {
  passed(semaphore, OMNIUM_USER_PC(), nothing_known);
}

}  // namespace omnium::runtime
