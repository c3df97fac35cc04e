// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// private: every thread works on variables of its own, in blocks and outside. Nothing is shared.
//
// Serializable by POINTS (family.h): there are no dependencies between threads at all.
#include "workload/family.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kCompute };

class Private final : public Family {
 public:
  explicit Private(const WorkloadOptions& options)
      : Family(options, 0), own_(options.variables / options.threads) {}

  // Walks over a part of the own variables, as a loop over an array does.
  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    std::uint64_t bits = dice.next();
    const bool block = (bits & 3) != 0;
    const std::uint32_t count = 4 + (bits >> 2 & 7);
    std::uint32_t at = static_cast<std::uint32_t>((bits >> 32) * own_ >> 32);
    bits >>= 5;
    if (block) script.begin(kCompute);
    for (std::uint32_t i = 0; i < count; ++i, bits >>= 1) {
      script.access(thread * own_ + at, bits);
      at = at + 1 == own_ ? 0 : at + 1;
    }
    if (block) script.end(kCompute);
  }

  std::uint32_t quiet_variable(std::uint32_t thread) const override { return thread * own_; }

 private:
  std::uint32_t own_;  // variables per thread
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 1, options.threads)) return wrong;
  return at_least("variables (one per thread)", options.threads, options.variables);
}

}  // namespace

const FamilyEntry kPrivate = {
    {"private", "every thread works on variables of its own"},
    "compute",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Private>(options);
    },
};

}  // namespace omnium::workload
