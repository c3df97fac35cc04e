// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// atomics: counters, flags and blocks that spin, without a lock.
//
//   T0: begin(add) rmw(x3) end        begin(spin) ar(x1)         retry(x1) retry(x1) end
//   T1:                        aw(x5)                    rmw(x1)
//
// Serializable by POINTS (family.h) with --waits split: a transaction makes one access to variables
// that anybody writes, and that is its point. A block that spins is cut at each failed attempt,
// since others can notice nothing of it but its looks at that one variable. x0 is never written.
#include "workload/family.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kAdd, kPublish, kLook, kSpin };

class Atomics final : public Family {
 public:
  explicit Atomics(const WorkloadOptions& options)
      : Family(options, 0), written_(options.variables - 1) {}

  void write(std::uint32_t, Script& script, Dice& dice) override {
    const std::uint32_t x = 1 + dice.below(written_);
    switch (dice.below(8)) {
      case 0:
      case 1: return block(script, kAdd, Kind::kUpdate, x, dice);
      case 2: return block(script, kPublish, Kind::kAtomicWrite, x, dice);
      case 3: return block(script, kLook, Kind::kAtomicRead, x, dice);
      case 4:
      case 5: return spin(script, x, dice);
      default: break;
    }
    constexpr Kind kOutside[] = {Kind::kAtomicRead, Kind::kAtomicWrite, Kind::kUpdate,
                                 Kind::kRetry};
    script.add(kOutside[dice.below(4)], x);
  }

 private:
  static void block(Script& script, Label label, Kind kind, std::uint32_t x, Dice& dice) {
    script.begin(label);
    for (std::uint32_t i = dice.below(3); i > 0; --i) script.read(0);
    script.add(kind, x);
    for (std::uint32_t i = dice.below(3); i > 0; --i) script.read(0);
    script.end(label);
  }

  static void spin(Script& script, std::uint32_t x, Dice& dice) {
    script.begin(kSpin);
    script.add(Kind::kAtomicRead, x);
    for (std::uint32_t i = 1 + dice.below(4); i > 0; --i) script.add(Kind::kRetry, x);
    script.read(0);
    script.end(kSpin);
  }

  std::uint32_t written_;  // how many variables
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 1, options.threads)) return wrong;
  return at_least("variables", 2, options.variables);
}

}  // namespace

const FamilyEntry kAtomics = {
    {"atomics", "atomic operations without locks, blocks that spin"},
    "add publish look spin",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Atomics>(options);
    },
};

}  // namespace omnium::workload
