// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// waits: conditions and reader-writer locks. A block that waits gives its lock up; it goes on when
// somebody has notified its thread, or without.
//
//   T0: begin(take) acq(m) r(x) wait(m)                  await(c0) resume(m) w(x) rel(m) end
//   T1:                                 ... signal(c0) rel(m) end
//
// Serializable by POINTS (family.h) with --waits split: the parts of a block take one lock each,
// and touch only variables of that lock while they hold it. The point is the acquire, the shared
// acquire or the resume; an await is a part of its own. x0 is never written.
#include <vector>

#include "workload/family.h"
#include "workload/guarded.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kPut, kLook, kTake };
constexpr std::uint32_t kMostWaiting = 8;
constexpr std::uint32_t kEventsToGoOn = 3;  // resume, release, end
constexpr std::uint64_t kFewestEvents = 200;
constexpr std::uint32_t kNone = LockPool::kNone;

class Waits final : public Family {
 public:
  explicit Waits(const WorkloadOptions& options)
      : Family(options, std::min(options.locks, options.variables - 1)),
        shared_(1, options.variables - 1, options.locks),
        threads_state_(options.threads),
        locks_state_(locks_.size()) {
    // Two threads are always there to play the violation.
    if (options.threads > 2 && options.events >= kFewestEvents && locks_.size() > 0) {
      most_waiting_ = std::min(kMostWaiting, options.threads - 2);
    }
  }

  void write(std::uint32_t t, Script& script, Dice& dice) override {
    if (threads_state_[t].waits_with != kNone) return go_on(t, script, dice);
    if (locks_.size() == 0) return script.read(0);
    const std::uint32_t choice = dice.below(8);
    if (choice < 2) return look(script, dice);
    if (choice == 2) return try_in_vain(script, dice);
    const std::uint32_t m = locks_.reserve_any(dice);
    if (m == kNone) return script.read(0);
    locks_state_[m].resumed = false;
    const bool waits = choice > 5 && waiting_ < most_waiting_;
    const Label label = waits ? kTake : kPut;
    script.begin(label);
    script.acquire(m);
    shared_.access(script, m, 1 + dice.below(2), dice);
    if (waits) {
      script.add(Kind::kWait, m);
      threads_state_[t].may_wait = true;
      ++waiting_;
      return;
    }
    notify(m, script);
    script.release(m);
    script.end(label);
  }

  void played(const Event& event) override {
    Thread& thread = threads_state_[event.thread_id];
    switch (event.kind) {
      case Kind::kWait:
        thread.waits_with = event.object;
        thread.notified = false;
        locks_.release(event.object);
        break;
      case Kind::kResume:
        thread.waits_with = kNone;
        thread.may_wait = false;
        --waiting_;
        locks_state_[event.object].resumed = true;
        break;
      case Kind::kSignal: threads_state_[event.object].notified = true; break;
      case Kind::kSharedAcquire: ++locks_state_[event.object].readers; break;
      case Kind::kSharedRelease:
        --locks_state_[event.object].readers;
        if (--locks_state_[event.object].to_read == 0) locks_.release(event.object);
        break;
      default: break;
    }
  }

  std::optional<std::pair<std::uint32_t, std::uint32_t>> planters() const override {
    std::uint32_t first = 0;
    while (threads_state_[first].may_wait) ++first;
    std::uint32_t second = first + 1;
    while (threads_state_[second].may_wait) ++second;
    return std::pair{first, second};
  }

  // Who still waits goes on without having been notified. Always as long as if there were as many
  // as there can be.
  void write_epilogue(Script& scene) override {
    const std::uint32_t size = most_waiting_ * kEventsToGoOn;
    for (std::uint32_t t = 0; t < threads_ && waiting_ > 0; ++t) {
      const std::uint32_t m = threads_state_[t].waits_with;
      if (m == kNone) continue;
      scene.change_thread(t);
      scene.add(Kind::kResume, m);
      scene.release(m);
      scene.end(kTake);
    }
    scene.change_thread(0);
    while (scene.size() < size) scene.read(0);
  }

 private:
  struct Thread {
    std::uint32_t waits_with = kNone;  // the lock
    bool may_wait = false;             // it waits, or will at the end of its script
    bool notified = false;             // since it waits
  };
  struct Lock {
    std::uint32_t to_read = 0;  // scripts that read under it and are not over
    std::uint32_t readers = 0;  // threads that hold its shared side
    bool resumed = false;       // held by a thread that resumed, if it is not free
  };

  void look(Script& script, Dice& dice) {
    const std::uint32_t m = dice.below(locks_.size());
    if (locks_state_[m].to_read == 0) {
      if (!locks_.is_free(m)) return script.read(0);
      locks_.reserve(m);
      locks_state_[m].resumed = false;
    }
    ++locks_state_[m].to_read;
    script.begin(kLook);
    script.add(Kind::kSharedAcquire, m);
    for (std::uint32_t i = 1 + dice.below(3); i > 0; --i) script.read(shared_.variable(m, dice));
    script.add(Kind::kSharedRelease, m);
    script.end(kLook);
  }

  // The first event of a script is played at once, so whoever holds the lock now still does then.
  void try_in_vain(Script& script, Dice& dice) {
    const std::uint32_t m = dice.below(locks_.size());
    const Lock& lock = locks_state_[m];
    const bool held = lock.readers > 0 || (lock.resumed && !locks_.is_free(m));
    if (held) script.add(Kind::kBusy, m);
    script.read(0);
  }

  // Everybody who waits with the lock and has not been notified.
  void notify(std::uint32_t m, Script& script) {
    if (waiting_ == 0) return;
    for (std::uint32_t t = next_notified_, looked = 0; looked < threads_ && looked < 64; ++looked) {
      const Thread& thread = threads_state_[t];
      if (thread.waits_with == m && !thread.notified) script.add(Kind::kSignal, t);
      t = t + 1 == threads_ ? 0 : t + 1;
      next_notified_ = t;
    }
  }

  void go_on(std::uint32_t t, Script& script, Dice& dice) {
    const Thread& thread = threads_state_[t];
    const std::uint32_t m = thread.waits_with;
    if (!locks_.is_free(m) || (!thread.notified && dice.below(8) != 0)) return;
    locks_.reserve(m);
    locks_state_[m].resumed = false;
    if (thread.notified) script.add(Kind::kAwait, t);
    script.add(Kind::kResume, m);
    shared_.access(script, m, 1 + dice.below(2), dice);
    script.release(m);
    script.end(kTake);
  }

  Guarded shared_;
  std::vector<Thread> threads_state_;
  std::vector<Lock> locks_state_;
  std::uint32_t most_waiting_ = 0;
  std::uint32_t waiting_ = 0;        // threads that wait or will
  std::uint32_t next_notified_ = 0;  // where to look next for somebody to notify
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  return at_least("variables", 2, options.variables);
}

}  // namespace

const FamilyEntry kWaits = {
    {"waits", "condition waits, notifications, reader-writer locks"},
    "put look take",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Waits>(options);
    },
    true,
};

}  // namespace omnium::workload
