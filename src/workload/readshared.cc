// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// readshared: T0 writes the variables once, then all threads read them, in blocks and outside.
//
//   T0: w(x0) w(x1) ...   begin(look_up) r(x7)       r(x8) end
//   T1:                                        r(x7)
//
// The writes take at most an eighth of the trace; variables beyond are never written.
// Serializable by POINTS (family.h): every write is outside of blocks and before every other event.
#include "workload/family.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kLookUp };

class ReadShared final : public Family {
 public:
  explicit ReadShared(const WorkloadOptions& options)
      : Family(options, 0),
        variables_(options.variables),
        to_write_(static_cast<std::uint32_t>(
            std::min<std::uint64_t>(options.variables, options.events / 8))) {}

  Run next_run(Dice& dice) override {
    if (writing_) return {0, Script::kCapacity};
    return Family::next_run(dice);
  }

  void write(std::uint32_t, Script& script, Dice& dice) override {
    if (written_ < to_write_) {
      const std::uint32_t until = std::min(written_ + Script::kCapacity, to_write_);
      while (written_ < until) script.write(written_++);
      return;
    }
    writing_ = false;  // the last of the writes has been played
    std::uint64_t bits = dice.next();
    const bool block = (bits & 3) != 0;
    const std::uint32_t count = 4 + (bits >> 2 & 7);
    std::uint32_t at = static_cast<std::uint32_t>((bits >> 32) * variables_ >> 32);
    if (block) script.begin(kLookUp);
    for (std::uint32_t i = 0; i < count; ++i) {
      script.read(at);
      at = at + 1 == variables_ ? 0 : at + 1;
    }
    if (block) script.end(kLookUp);
  }

 private:
  std::uint32_t variables_;
  std::uint32_t to_write_;
  std::uint32_t written_ = 0;
  bool writing_ = true;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 1, options.threads)) return wrong;
  return at_least("variables", 1, options.variables);
}

}  // namespace

const FamilyEntry kReadShared = {
    {"readshared", "written once at the start, then read by all threads"},
    "look_up",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<ReadShared>(options);
    },
};

}  // namespace omnium::workload
