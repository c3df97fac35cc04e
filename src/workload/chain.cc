// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// chain: thread i reads what thread i-1 wrote and writes what thread i+1 reads, thread after thread
// while all blocks are still open: T0 -> T1 -> T2 -> ... is one path of live transactions.
//
//   T0: begin(relay) r(x0) w(x1)                                            ...  end
//   T1:                          begin(relay) r(x1) w(x2)                   ...       end
//   T2:                                                   begin(relay) r(x2) w(x3) ...     end
//
// Thread i writes x(i+1); the other variables are divided among the threads and private.
// Serializable by TREE (family.h): threads form a line, neighbours share one variable, and a block
// touches it once. x0 is never written.
#include "workload/family.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kRelay };

class Chain final : public Family {
 public:
  explicit Chain(const WorkloadOptions& options)
      : Family(options, 0), own_((options.variables - 1 - options.threads) / options.threads) {}

  // In turn, and far enough to write the link: the next thread reads it from an open block.
  Run next_run(Dice&) override {
    const std::uint32_t thread = next_;
    next_ = next_ + 1 == threads_ ? 0 : next_ + 1;
    return {thread, 4};
  }

  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    std::uint64_t bits = dice.next();
    script.begin(kRelay);
    script.read(thread);
    script.write(thread + 1);
    const std::uint32_t work = own_ == 0 ? 0 : 2 + (bits & 3);
    bits >>= 2;
    std::uint32_t at = static_cast<std::uint32_t>((bits >> 30) * own_ >> 32);
    for (std::uint32_t i = 0; i < work; ++i, bits >>= 1) {
      script.access(1 + threads_ + thread * own_ + at, bits);
      at = at + 1 == own_ ? 0 : at + 1;
    }
    script.end(kRelay);
    if ((bits & 3) == 0) script.read(0);
  }

 private:
  std::uint32_t own_;  // private variables per thread
  std::uint32_t next_ = 0;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  return at_least("variables (one per thread and one more)", options.threads + std::uint64_t{1},
                  options.variables);
}

}  // namespace

const FamilyEntry kChain = {
    {"chain", "long chains of transactions that are open at once"},
    "relay",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Chain>(options);
    },
};

}  // namespace omnium::workload
