// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// locks: short transactions under locks, as in a bank that does its locking right.
//
//   T0: begin(deposit)  acq(m3)  r(x4) w(x20)        rel(m3)        end
//   T1:           begin(transfer)  acq(m1) acq(m5) ...        rel(m1)     w(x6) rel(m5) end
//
// Serializable by POINTS (family.h): every block is two-phase, every variable but x0 has one lock
// and is touched under it only, and x0 is never written.
#include "workload/family.h"
#include "workload/guarded.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kDeposit, kTransfer };

class Locks final : public Family {
 public:
  explicit Locks(const WorkloadOptions& options)
      : Family(options, std::min(options.locks, options.variables - 1)),
        accounts_(1, options.variables - 1, options.locks) {}

  void write(std::uint32_t, Script& script, Dice& dice) override {
    const std::uint32_t choice = dice.below(16);
    const std::uint32_t m = locks_.reserve_any(dice);
    if (m == LockPool::kNone) {
      for (std::uint32_t i = 0; i < 4; ++i) script.read(0);
    } else if (choice < 11) {
      deposit(m, script, dice);
    } else if (choice < 13) {
      transfer(m, script, dice);
    } else {
      outside(m, script, dice);
    }
  }

 private:
  void deposit(std::uint32_t m, Script& script, Dice& dice) {
    script.begin(kDeposit);
    script.acquire(m);
    accounts_.access(script, m, 2 + dice.below(4), dice);
    script.release(m);
    if (dice.below(2) == 0) script.read(0);
    script.end(kDeposit);
  }

  // Takes a second lock before it gives back the first; releases in the order of acquiring.
  void transfer(std::uint32_t m, Script& script, Dice& dice) {
    const std::uint32_t second = locks_.reserve_any(dice);
    script.begin(kTransfer);
    script.acquire(m);
    accounts_.access(script, m, 2, dice);
    if (second != LockPool::kNone) {
      script.acquire(second);
      accounts_.access(script, second, 2, dice);
    }
    script.release(m);
    if (second != LockPool::kNone) {
      accounts_.access(script, second, 1, dice);
      script.release(second);
    }
    script.end(kTransfer);
  }

  void outside(std::uint32_t m, Script& script, Dice& dice) {
    script.read(0);
    script.acquire(m);
    accounts_.access(script, m, 2, dice);
    script.release(m);
  }

  Guarded accounts_;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 1, options.threads)) return wrong;
  if (auto wrong = at_least("variables", 2, options.variables)) return wrong;
  return at_least("locks", 1, options.locks);
}

}  // namespace

const FamilyEntry kLocks = {
    {"locks", "short transactions under locks, finely interleaved"},
    "deposit transfer",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Locks>(options);
    },
};

}  // namespace omnium::workload
