// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// longtx: T0's one transaction is open from the first event to the last, and from its first write
// on it reaches nearly everything: the hard case for whoever keeps what open transactions reach.
//
//   T0: begin(audit)   w(x1)                                                       ...  end
//   T1:    begin(update)     r(x1) acq(m0) w(x9) rel(m0) end
//   T2:                                                   begin(update) acq(m0) r(x9) ...
//
// T0 publishes x1, x2, ... rarely, each once, and afterwards only reads them again.
//
// Serializable by POINTS (family.h): T0's point is its begin, the first event of all, as nothing
// ever comes back to T0: the others only read what it published, and it reads what only it wrote.
// The other blocks are two-phase, as in `locks`.
#include "workload/family.h"
#include "workload/guarded.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kAudit, kUpdate };

class LongTxn final : public Family {
 public:
  explicit LongTxn(const WorkloadOptions& options)
      : Family(options, options.locks),
        to_publish_((options.variables - 1) / 4 + 1),
        shared_(1 + to_publish_, options.variables - 1 - to_publish_, options.locks) {}

  void write_prologue(Script& scene) override { scene.begin(kAudit); }
  void write_epilogue(Script& scene) override { scene.end(kAudit); }

  Run next_run(Dice& dice) override {
    if (dice.below(256) == 0) return {0, 1};
    return {1 + dice.below(threads_ - 1), run_length(dice)};
  }

  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    if (thread == 0) return audit(script, dice);
    std::uint32_t m = shared_.locks() == 0 ? LockPool::kNone : dice.below(shared_.locks());
    if (m != LockPool::kNone && !locks_.is_free(m)) m = LockPool::kNone;
    const std::uint32_t choice = dice.below(8);
    if (choice > 0) script.begin(kUpdate);
    if (choice < 4 && published_ > 0) script.read(1 + dice.below(published_));
    if (m != LockPool::kNone) {
      locks_.reserve(m);
      script.acquire(m);
      shared_.access(script, m, 2 + dice.below(4), dice);
      script.release(m);
    } else {
      script.read(0);
      script.read(0);
    }
    if (choice > 0) script.end(kUpdate);
  }

  std::optional<std::pair<std::uint32_t, std::uint32_t>> planters() const override {
    return std::pair{1u, 2u};
  }

 private:
  // A script of T0 is one event, so what was written before has been played.
  void audit(Script& script, Dice& dice) {
    published_ = written_;
    if (written_ < to_publish_ && dice.below(4) == 0) {
      script.write(1 + written_++);
    } else {
      script.read(published_ == 0 ? 0 : 1 + dice.below(published_));
    }
  }

  std::uint32_t to_publish_;
  Guarded shared_;
  std::uint32_t written_ = 0;
  std::uint32_t published_ = 0;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", options.violate ? 3 : 2, options.threads)) return wrong;
  return at_least("variables", 2, options.variables);
}

}  // namespace

const FamilyEntry kLongTxn = {
    {"longtx", "one transaction open from the first event to the last"},
    "audit update",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<LongTxn>(options);
    },
};

}  // namespace omnium::workload
