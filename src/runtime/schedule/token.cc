// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/token.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "runtime/schedule/activity.h"
#include "runtime/schedule/board.h"
#include "runtime/schedule/dice.h"
#include "runtime/schedule/follow.h"
#include "runtime/schedule/sharing.h"
#include "runtime/schedule/steps.h"
#include "runtime/schedule/strategy.h"
#include "runtime/schedule/virtual_clock.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

std::atomic<bool> serial_is_on{false};
constinit thread_local SerialThread* tls_serial = nullptr;

namespace {

using wire::SerialOff;

constinit SpinLock lock;
constinit SerialThread threads[kMaxThreads] = {};
std::uint32_t slots_used;    // entries of `threads` that were ever used
std::uint32_t threads_ever;  // orders that were given out
std::atomic<SerialThread*> holder{nullptr};
std::atomic<std::uint32_t> live{0}, starting{0}, away{0}, waiting{0};
bool is_dispatching;  // a thread is about to decide, and nobody has the token
std::atomic<bool> is_ending{false};
std::uint64_t tickets, earliest = kNoTime;
std::atomic<std::uint64_t> now{0};      // how many points there were
std::atomic<std::uint64_t> jumped{0};   // microseconds that nobody waited for
std::atomic<std::uint64_t> changes{1};  // of the program's memory and objects, so far
std::atomic<std::uint64_t> gifts{0};    // how often the token was given away

constexpr std::uint64_t kMostPoints = 4'000'000;
// So many points without another thread in between: then others go first.
constexpr std::uint32_t kLongTurn = 2'000;
// Microseconds.
constexpr std::uint64_t kLook = 5'000, kBlocked = 10'000, kPatience = 100'000,
                        kLongPatience = 3'000'000;

std::uint64_t in_micros(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000u +
         static_cast<std::uint64_t>(time.tv_nsec) / 1000u;
}

std::uint64_t micros() { return in_micros(real_time_now(CLOCK_MONOTONIC)); }

// How long something lasts, by somebody who looks again and again. Where nobody has looked for long
// the process was stopped, by a debugger: that time does not count.
class Lasting {
 public:
  std::uint64_t look() {
    constexpr std::uint64_t kStopped = 500'000;
    const std::uint64_t time = micros(), since = time - latest_;
    if (latest_ != 0 && since < kStopped) lasts_ += since;
    latest_ = time;
    return lasts_;
  }

 private:
  std::uint64_t latest_ = 0, lasts_ = 0;
};

void sleep_for(std::uint64_t for_micros) {
  const timespec moment{0, static_cast<long>(for_micros) * 1000};
  syscall(SYS_nanosleep, &moment, nullptr);
}

void wake(SerialThread& thread) {
  thread.go.store(1, std::memory_order_release);
  syscall(SYS_futex, &thread.go, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Microseconds that the thread has had a processor.
std::uint64_t time_used(pid_t thread) {
  constexpr clockid_t kOfThread = 6;  // CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED
  timespec time{};
  if (syscall(SYS_clock_gettime, ~thread * 8 | kOfThread, &time) != 0) return ~std::uint64_t{0};
  return in_micros(time);
}

void set_standing(SerialThread& thread, Standing standing) {
  const auto count = [](Standing of) -> std::atomic<std::uint32_t>* {
    if (of == Standing::kStarting) return &starting;
    if (of == Standing::kAway) return &away;
    return of == Standing::kWaiting ? &waiting : nullptr;
  };
  if (auto* before = count(thread.standing)) before->fetch_sub(1);
  thread.standing = standing;
  if (auto* after = count(standing)) after->fetch_add(1);
  if (standing == Standing::kAway) thread.used_before = time_used(thread.number);
}

void give(SerialThread& next) {
  set_standing(next, Standing::kRunning);
  next.turn = 0;
  holder.store(&next, std::memory_order_release);
  gifts.fetch_add(1, std::memory_order_relaxed);
  wake(next);
}

// Coming to rest ----------------------------------------------------------------------------------

constexpr std::uint32_t kMostAway = 64;
struct Numbers {
  SerialThread* threads[kMostAway];
  pid_t numbers[kMostAway];
  std::uint32_t count = 0;
};

Numbers who_is_away() {
  Numbers out;
  if (away.load(std::memory_order_relaxed) == 0) return out;
  const SpinGuard guard(lock);
  for (std::uint32_t i = 0; i < slots_used && out.count < kMostAway; ++i) {
    SerialThread& thread = threads[i];
    if (thread.standing != Standing::kAway || thread.is_unsettled || &thread == tls_serial)
      continue;
    out.threads[out.count] = &thread;
    out.numbers[out.count++] = thread.number;
  }
  return out;
}

// Whoever has computed for long is not waited for any more. To have no processor is something else.
// In a call that is none to wait, a thread only sleeps until others have changed the address space.
bool is_waited_for(Activity activity, const SerialThread& thread, pid_t number,
                   std::uint64_t waited) {
  if (waited < kPatience) return true;
  const bool has_computed = time_used(number) - thread.used_before >= kPatience;
  return activity == Activity::kRunning && !has_computed && waited < kLongPatience;
}

bool somebody_runs(std::uint64_t waited) {
  const Numbers absent = who_is_away();
  for (std::uint32_t i = 0; i < absent.count; ++i) {
    const pid_t number = absent.numbers[i];
    const Activity activity = activity_of(number);
    if (activity != Activity::kRunning && is_in_wait(number)) continue;
    if (is_waited_for(activity, *absent.threads[i], number, waited)) return true;
    absent.threads[i]->is_unsettled = true;
    board().unsettled.fetch_add(1, std::memory_order_relaxed);
  }
  return false;
}

// Waits until every thread is in the queue, or blocked.
void settle() {
  if (starting.load(std::memory_order_acquire) == 0 && away.load(std::memory_order_acquire) == 0)
    return;
  Lasting lasting;
  for (std::uint32_t round = 0; serial_is_on.load(std::memory_order_relaxed); ++round) {
    const std::uint64_t waited = lasting.look();
    if (starting.load(std::memory_order_acquire) != 0) {
      if (waited > kLongPatience) switch_serial_off(SerialOff::kStart);
    } else if (!somebody_runs(waited)) {
      return;
    }
    constexpr std::uint32_t kYields = 100;
    constexpr std::uint64_t kMoment = 30;
    if (round < kYields) syscall(SYS_sched_yield);
    if (round >= kYields) sleep_for(kMoment);
  }
}

// Deciding ----------------------------------------------------------------------------------------

void wake_by_time(SerialThread& thread) {
  thread.wake = Wake::kTime;
  set_standing(thread, Standing::kReady);
}

// The thread whose time comes first. Null if nobody waits for a time.
SerialThread* first_by_time() {
  SerialThread* first = nullptr;
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    SerialThread& thread = threads[i];
    if (thread.standing != Standing::kWaiting || thread.until == kNoTime) continue;
    if (first == nullptr || thread.until < first->until ||
        (thread.until == first->until && thread.ticket < first->ticket)) {
      first = &thread;
    }
  }
  return first;
}

void wake_who_is_late() {
  while (earliest <= serial_clock()) {
    SerialThread* const first = first_by_time();
    earliest = first == nullptr ? kNoTime : first->until;
    if (earliest <= serial_clock()) wake_by_time(*first);
  }
}

// A virtual clock goes on to the time of this thread: nothing happens before.
void jump_to(const SerialThread& first) {
  const std::uint64_t time = serial_clock();
  if (time_is_virtual() && first.until > time) pass_time(first.until - time);
}

// `eager`: those of `all` that do not give way.
void find_candidates(SerialThread* self, Candidates& all, Candidates& eager) {
  const std::uint64_t so_far = changes.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    SerialThread& thread = threads[i];
    if (thread.standing != Standing::kReady && &thread != self) continue;
    all.add(thread);
    if (!thread.spinning.gives_way(so_far)) eager.add(thread);
  }
}

SerialThread* find_path(const Candidates& candidates, const wire::SerialPath& path) {
  for (std::uint32_t i = 0; i < candidates.count; ++i) {
    if (std::strcmp(candidates.list[i]->path.text, path.text) == 0) return candidates.list[i];
  }
  return nullptr;
}

void wake_before(SerialThread& sleeper) {
  jump_to(sleeper);
  wake_by_time(sleeper);
}

// The thread of this path. If it waits for a time, that is over: a decision like others.
SerialThread* wanted_thread(const Candidates& candidates, const wire::SerialPath& path) {
  if (SerialThread* const ready = find_path(candidates, path)) return ready;
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    SerialThread& thread = threads[i];
    if (thread.standing != Standing::kWaiting || thread.until == kNoTime) continue;
    if (std::strcmp(thread.path.text, path.text) != 0) continue;
    wake_before(thread);
    return &thread;
  }
  return nullptr;
}

// Who goes on, under the lock. Null if nobody can. `self` can go on if it is at a point.
SerialThread* decide(SerialThread& self, bool at_point, Pc pc, std::uint32_t visit) {
  wake_who_is_late();
  Candidates all, eager;
  find_candidates(at_point ? &self : nullptr, all, eager);
  if (all.count == 0) return nullptr;
  // Those that could run wait for somebody who sleeps.
  if (SerialThread* const first =
          eager.count == 0 && time_is_virtual() ? first_by_time() : nullptr) {
    wake_before(*first);
    all.add(*first);
    eager.add(*first);
  }
  const Candidates& some = eager.count != 0 ? eager : all;
  const bool alone = at_point && some.count == 1 && some.list[0] == &self;
  const bool forced = !at_point || (!alone && (eager.count == 0 || !some.has(&self)));
  SerialThread& usual = forced ? some.next_after(self) : self;
  const std::uint64_t time = now.load(std::memory_order_relaxed);
  const auto which = forced ? static_cast<std::uint32_t>(++self.forced) : visit;
  const Moment moment{self, forced, forced ? 0 : pc, which, time};
  SerialThread* next = nullptr;
  if (wire::SerialSwitch* wanted = find_switch(moment)) {
    next = wanted_thread(all, wanted->to);
    if (next == nullptr) cannot_follow(*wanted);
    if (next != nullptr) wanted->reached = 1;
  } else if (SerialThread* const sleeper = wait_for_steps(some) ? first_by_time() : nullptr) {
    wake_before(*sleeper);
    next = sleeper;
  } else if (some.count > 1 && time >= board().begin) {
    next = choose(some, self, usual, time);
  }
  if (next == nullptr) next = &usual;
  if (next != &usual) note_switch(moment, *next);
  return next;
}

// Nobody can go on. Who waits for a time goes on when it comes. Otherwise all that wait have to do
// so for real: somebody outside of the run may help, and a deadlock looks like one.
void nobody_goes_on() {
  if (SerialThread* const first = first_by_time()) {
    wake_before(*first);
    return give(*first);
  }
  holder.store(nullptr, std::memory_order_release);
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    SerialThread& thread = threads[i];
    if (thread.standing != Standing::kWaiting) continue;
    thread.wake = Wake::kReal;
    set_standing(thread, Standing::kAway);
    wake(thread);
  }
}

// `self` has the token, and cannot go on.
void leave_token(SerialThread& self) {
  SerialThread* const next = decide(self, false, 0, 0);
  if (next != nullptr) return give(*next);
  nobody_goes_on();
}

// Nobody has the token: the first one in the queue gets it.
void dispatch_locked() {
  if (holder.load(std::memory_order_relaxed) != nullptr || is_dispatching) return;
  is_dispatching = true;
  lock.unlock();
  settle();
  lock.lock();
  is_dispatching = false;
  Candidates all, eager;
  find_candidates(nullptr, all, eager);
  if (all.count != 0) give(*all.list[0]);
}

// Waiting for the token ---------------------------------------------------------------------------

// Looks whether the thread that has the token is blocked in a call that nobody told us about.
struct Watch {
  std::uint64_t progress = ~std::uint64_t{0};
  Lasting still;    // there is no progress
  Lasting blocked;  // it is found blocked
};
Watch watch;

std::uint64_t progress() {
  return now.load(std::memory_order_relaxed) + gifts.load(std::memory_order_relaxed);
}

// Under the lock.
void look_at(SerialThread& running, Activity activity, bool waits) {
  if (running.sleeps) return;
  if (watch.progress != progress()) watch = {progress(), {}, {}};
  const std::uint64_t still = watch.still.look();
  if (activity == Activity::kRunning) watch.blocked = {};
  const std::uint64_t blocked = activity == Activity::kRunning ? 0 : watch.blocked.look();
  if (blocked >= (waits ? kBlocked : kPatience) && !is_ending) {
    watch = {};
    set_standing(running, Standing::kAway);
    return leave_token(running);
  }
  if (still < kLongPatience) return;
  lock.unlock();
  switch_serial_off(SerialOff::kStuck);
  lock.lock();
}

void look_after_holder() {
  if (!lock.try_lock()) return;
  SerialThread* const running = holder.load(std::memory_order_relaxed);
  const std::uint64_t before = progress();
  const pid_t number = running == nullptr ? 0 : running->number;
  if (running == nullptr) dispatch_locked();
  lock.unlock();
  if (running == nullptr) return;
  const Activity activity = activity_of(number);
  // It may wait for a thread that is about to begin, and holds a lock of the C library.
  const bool waits = activity != Activity::kRunning && is_in_wait(number) &&
                     starting.load(std::memory_order_relaxed) == 0 && !somebody_runs(0);
  const SpinGuard guard(lock);
  if (holder.load(std::memory_order_relaxed) == running && progress() == before) {
    look_at(*running, activity, waits);
  }
}

// Until the thread has the token, or has to wake up for another reason.
void park(SerialThread& self) {
  const timespec moment{0, static_cast<long>(kLook) * 1000};
  while (self.go.exchange(0, std::memory_order_acquire) == 0) {
    if (!serial_is_on.load(std::memory_order_relaxed)) return;
    const long woken = syscall(SYS_futex, &self.go, FUTEX_WAIT_PRIVATE, 0, &moment, nullptr, 0);
    if (woken != 0 && self.go.load(std::memory_order_relaxed) == 0) look_after_holder();
  }
}

void set_path(SerialThread& child, const SerialThread& parent) {
  char text[sizeof(child.path.text) + 16];
  std::strcpy(text, parent.path.text);
  std::size_t length = std::strlen(text);
  // A path that is too long begins with a hash instead.
  if (length + 12 > sizeof(child.path.text)) {
    std::uint64_t hash = 0;
    for (const char* at = text; *at != '\0'; ++at) {
      hash = mixed(hash + static_cast<unsigned char>(*at));
    }
    text[0] = '~';
    for (length = 1; length < 9; ++length, hash /= 16) text[length] = "0123456789abcdef"[hash % 16];
  }
  text[length++] = '.';
  char digits[12];
  std::size_t count = 0;
  std::uint32_t number = parent.children;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  while (count > 0) text[length++] = digits[--count];
  text[length] = '\0';
  std::memcpy(child.path.text, text, sizeof(child.path.text));
}

void tell_points(const SerialThread& thread) {
  if (thread.order >= wire::SerialBoard::kMostThreads) return;
  board().thread_counts[thread.order].points = thread.points;
}

void note_point(SerialThread& self, Pc pc, std::uint32_t visit) {
  const std::uint32_t number = board().points_seen.load(std::memory_order_relaxed);
  if (number < wire::SerialBoard::kMostPoints) board().points[number] = {self.order, visit, pc};
  board().points_seen.store(number + 1, std::memory_order_relaxed);
  ++self.points;
  tell_points(self);
}

// Where all threads are; if there are many, where each other one is.
void note_places(const SerialThread& self) {
  constexpr std::uint32_t kFew = 5;
  const std::uint64_t time = now.load(std::memory_order_relaxed);
  const bool few = live.load(std::memory_order_relaxed) <= kFew;
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    const SerialThread& other = threads[i];
    if (other.standing == Standing::kNone || other.standing == Standing::kGone) continue;
    all += mixed(other.place + 1);
    if (!few && &other != &self) note_feature(mixed(mixed(self.place) + other.place), time);
  }
  if (few) note_feature(mixed(all), time);
}

// What it did since its last point, and what it does now.
void take_point(SerialThread& self, const Point& point) {
  const bool idle = self.pending.kind == PointKind::kRead;
  if (!idle) changes.fetch_add(1, std::memory_order_relaxed);
  self.spinning.at(point, idle);
  if (self.spinning.is_spinning() || ++self.turn == kLongTurn) {
    self.turn = 0;
    self.spinning.give_way(changes.load(std::memory_order_relaxed));
    self.spinning.start_again();
  }
  self.done = self.pending.kind;
  self.gave_back = self.gives_back;
  self.gives_back = false;
  self.pending = point;
  self.place = place_of(point.pc);
  now.fetch_add(1, std::memory_order_relaxed);
  note_places(self);
}

}  // namespace

void switch_serial_off(SerialOff why) {
  const SpinGuard guard(lock);
  if (!serial_is_on.exchange(false)) return;
  virtual_time_passes();
  board().off.store(why, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    threads[i].wake = Wake::kReal;
    wake(threads[i]);
  }
}

void keep_token_for_end() {
  if (serial_is_on.load(std::memory_order_relaxed)) is_ending = true;
}

bool has_token(const SerialThread& self) { return holder.load(std::memory_order_acquire) == &self; }

std::uint32_t live_threads() { return live.load(std::memory_order_relaxed); }

std::uint64_t serial_time() { return now.load(std::memory_order_relaxed); }

std::uint64_t serial_clock() {
  return now.load(std::memory_order_relaxed) + jumped.load(std::memory_order_relaxed);
}

void pass_time(std::uint64_t micros) { jumped.fetch_add(micros, std::memory_order_relaxed); }

std::uint64_t changes_so_far() { return changes.load(std::memory_order_relaxed); }

SerialThread& serial_thread(std::uint32_t index) { return threads[index]; }

void add_thread(SerialThread& child, SerialThread* parent) {
  const SpinGuard guard(lock);
  const auto index = static_cast<std::uint32_t>(&child - threads);
  if (index >= slots_used) slots_used = index + 1;
  const Standing standing = child.standing;  // of a thread before: it is gone
  std::memset(static_cast<void*>(&child), 0, sizeof(child));
  child.standing = standing == Standing::kGone ? Standing::kNone : standing;
  child.order = threads_ever++;
  child.until = kNoTime;
  if (parent == nullptr) {
    std::strcpy(child.path.text, "0");
    child.standing = Standing::kRunning;
    child.number = static_cast<pid_t>(syscall(SYS_gettid));
    holder.store(&child);
  } else {
    set_path(child, *parent);
    child.begins_away = !has_token(*parent);
    ++parent->children;
    set_standing(child, Standing::kStarting);
  }
  live.fetch_add(1);
  if (child.order < wire::SerialBoard::kMostThreads) {
    board().thread_counts[child.order].path = child.path;
    board().threads_seen.store(child.order + 1, std::memory_order_relaxed);
  }
  strategy_meets(child, parent);
}

void drop_thread(SerialThread& child) {
  const SpinGuard guard(lock);
  set_standing(child, Standing::kGone);
  live.fetch_sub(1);
}

void begin_thread(SerialThread& self) {
  {
    const SpinGuard guard(lock);
    self.number = static_cast<pid_t>(syscall(SYS_gettid));
    set_standing(self, self.begins_away ? Standing::kAway : Standing::kReady);
    dispatch_locked();
    if (self.begins_away) return;
  }
  park(self);
}

void end_thread(SerialThread& self) {
  if (has_token(self)) settle();
  const SpinGuard guard(lock);
  changes.fetch_add(1, std::memory_order_relaxed);
  live.fetch_sub(1);
  set_standing(self, Standing::kGone);
  for (std::uint32_t i = 0; i < slots_used; ++i) {
    SerialThread& other = threads[i];
    if (other.standing != Standing::kWaiting) continue;
    if (other.object != reinterpret_cast<std::uintptr_t>(&self)) continue;
    other.wake = Wake::kReleased;
    set_standing(other, Standing::kReady);
  }
  if (has_token(self)) {
    if (!is_ending) leave_token(self);
  } else {
    dispatch_locked();
  }
}

void let_others_go(SerialThread& self, const Point& point) {
  if (is_ending.load(std::memory_order_relaxed)) return;
  settle();
  {
    const SpinGuard guard(lock);
    take_point(self, point);
    const std::uint32_t visit = count_visit(self, point.pc);
    self.visit = visit;
    if (visit > self.most_visits) self.most_visits = visit;
    note_point(self, point.pc, visit);
    SerialThread* const next = decide(self, true, point.pc, visit);
    if (next == &self || next == nullptr) return;
    set_standing(self, Standing::kReady);
    give(*next);
  }
  park(self);
  if (now.load(std::memory_order_relaxed) > kMostPoints) switch_serial_off(SerialOff::kPoints);
}

void come_back(SerialThread& self) {
  if (!serial_is_on.load(std::memory_order_relaxed) || is_ending) return;
  {
    const SpinGuard guard(lock);
    if (has_token(self)) return;
    self.is_unsettled = false;
    set_standing(self, Standing::kReady);
    dispatch_locked();
  }
  park(self);
}

void go_away(SerialThread& self) {
  if (is_ending.load(std::memory_order_relaxed)) return;
  settle();
  const SpinGuard guard(lock);
  set_standing(self, Standing::kAway);
  leave_token(self);
}

namespace {

// Under the lock.
void start_to_wait(SerialThread& self, std::uintptr_t object, std::uint64_t until) {
  self.object = object;
  self.until = until;
  self.ticket = ++tickets;
  self.wake = Wake::kNotYet;
  if (until < earliest) earliest = until;
  set_standing(self, Standing::kWaiting);
  leave_token(self);
}

Wake why_woken(const SerialThread& self) {
  return serial_is_on.load(std::memory_order_relaxed) ? self.wake : Wake::kReal;
}

}  // namespace

Wake wait_for(SerialThread& self, std::uintptr_t object, std::uint64_t until) {
  if (is_ending.load(std::memory_order_relaxed)) return Wake::kReal;
  settle();
  {
    const SpinGuard guard(lock);
    start_to_wait(self, object, until);
  }
  park(self);
  return why_woken(self);
}

Wake wait_for_end(SerialThread& self, const SerialThread& other) {
  if (is_ending.load(std::memory_order_relaxed)) return Wake::kReal;
  settle();
  {
    const SpinGuard guard(lock);
    if (other.standing == Standing::kGone) return Wake::kReleased;
    start_to_wait(self, reinterpret_cast<std::uintptr_t>(&other), kNoTime);
  }
  park(self);
  return why_woken(self);
}

void release(std::uintptr_t object, bool all) {
  changes.fetch_add(1, std::memory_order_relaxed);
  if (waiting.load(std::memory_order_relaxed) == 0) return;
  const SpinGuard guard(lock);
  for (bool more = true; more;) {
    SerialThread* first = nullptr;
    for (std::uint32_t i = 0; i < slots_used; ++i) {
      SerialThread& thread = threads[i];
      if (thread.standing != Standing::kWaiting || thread.object != object) continue;
      if (first == nullptr || thread.ticket < first->ticket) first = &thread;
    }
    if (first != nullptr) {
      first->wake = Wake::kReleased;
      set_standing(*first, Standing::kReady);
    }
    more = all && first != nullptr;
  }
  dispatch_locked();
}

void changed_nothing(SerialThread& self) { self.pending.kind = PointKind::kRead; }

void yield_token(SerialThread& self, const Point& point) {
  self.spinning.give_way(changes.load(std::memory_order_relaxed) +
                         (self.pending.kind == PointKind::kRead ? 0 : 1));
  let_others_go(self, point);
}

}  // namespace omnium::runtime
