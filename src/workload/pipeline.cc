// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// pipeline: thread i takes items from queue i-1 and puts them into queue i. A queue is a ring of
// variables under a lock; with fewer locks than queues, queues share them.
//
//   T0: begin(put) acq(m0) w(x1) rel(m0)                                  end
//   T1:            begin(forward)        acq(m0) acq(m1) r(x1) rel(m0) w(x6)  rel(m1) end
//
// A stage that finds its lock taken, nothing to take or no room reads x0, which nobody writes.
// Serializable by POINTS (family.h): every block is two-phase, every queue is touched under its
// lock only.
#include "workload/family.h"

#include <vector>

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kPut, kForward, kTake };

class Pipeline final : public Family {
 public:
  explicit Pipeline(const WorkloadOptions& options)
      : Family(options, options.locks),
        slots_((options.variables - 1) / (options.threads - 1)),
        queues_(options.threads - 1) {}

  void write(std::uint32_t stage, Script& script, Dice& dice) override {
    const bool first = stage == 0, last = stage == threads_ - 1;
    if (!may_run(stage)) {
      script.read(0);
      return;
    }
    const Label label = first ? kPut : last ? kTake : kForward;
    // Both locks are taken before one is given back. They may be the same: then it is taken once.
    const std::uint32_t in = first ? LockPool::kNone : lock_of(stage - 1);
    const std::uint32_t out = last ? LockPool::kNone : lock_of(stage);
    const bool same = in == out;
    script.begin(label);
    if (!first) acquire(in, script);
    if (!last && !same) acquire(out, script);
    if (!first) script.read(take(stage - 1));
    if (!first && !same) script.release(in);
    if (dice.below(2) == 0) script.read(0);
    if (!last) script.write(put(stage));
    if (!last) script.release(out);
    script.end(label);
  }

 private:
  struct Queue {
    std::uint32_t items = 0;
    std::uint32_t head = 0;  // slot of the next item to take
    std::uint32_t tail = 0;  // slot of the next item to put
  };

  std::uint32_t lock_of(std::uint32_t queue) const { return queue % locks_.size(); }

  bool may_run(std::uint32_t stage) const {
    const auto may_take = [this](std::uint32_t queue) {
      return queues_[queue].items > 0 && locks_.is_free(lock_of(queue));
    };
    const auto may_put = [this](std::uint32_t queue) {
      return queues_[queue].items < slots_ && locks_.is_free(lock_of(queue));
    };
    return (stage == 0 || may_take(stage - 1)) && (stage == threads_ - 1 || may_put(stage));
  }

  void acquire(std::uint32_t m, Script& script) {
    locks_.reserve(m);
    script.acquire(m);
  }

  std::uint32_t take(std::uint32_t queue) {
    Queue& q = queues_[queue];
    --q.items;
    const std::uint32_t slot = q.head;
    q.head = q.head + 1 == slots_ ? 0 : q.head + 1;
    return 1 + queue * slots_ + slot;
  }

  std::uint32_t put(std::uint32_t queue) {
    Queue& q = queues_[queue];
    ++q.items;
    const std::uint32_t slot = q.tail;
    q.tail = q.tail + 1 == slots_ ? 0 : q.tail + 1;
    return 1 + queue * slots_ + slot;
  }

  std::uint32_t slots_;  // per queue
  std::vector<Queue> queues_;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  if (auto wrong = at_least("locks", 1, options.locks)) return wrong;
  return at_least("variables (one per thread)", options.threads, options.variables);
}

}  // namespace

const FamilyEntry kPipeline = {
    {"pipeline", "stages hand items on through queues under locks"},
    "put forward take",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Pipeline>(options);
    },
};

}  // namespace omnium::workload
