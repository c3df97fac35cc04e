// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// star: T0, the hub, exchanges messages with all other threads. Thread i has a request (written by
// i, read by T0), a reply (the other way) and private variables.
//
//   T0: begin(serve) r(request1)            w(reply3) r(request2) end
//   T1:                  begin(ask) w(request1) r(x) end
//   T3:                                                     begin(receive) r(reply3) end
//
// Serializable by TREE (family.h): a block of the hub touches the variables of a thread at most
// once, and a block of another thread touches one of its two messages once. x0 is never written.
#include "workload/family.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kServe, kAsk, kReceive };

class Star final : public Family {
 public:
  explicit Star(const WorkloadOptions& options)
      : Family(options, 0), own_((options.variables - 1) / (options.threads - 1)) {}

  Run next_run(Dice& dice) override {
    const std::uint32_t thread = dice.below(4) == 0 ? 0 : 1 + dice.below(threads_ - 1);
    return {thread, run_length(dice)};
  }

  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    if (thread == 0) return serve(script, dice);
    std::uint64_t bits = dice.next();
    const Label label = (bits & 1) == 0 ? kAsk : kReceive;
    const bool block = (bits >> 1 & 7) != 0;
    if (block) script.begin(label);
    if (label == kAsk) {
      script.write(message(thread, 0));
    } else {
      script.read(message(thread, 1));
    }
    bits >>= 4;
    for (std::uint64_t work = own_ > 2 ? bits & 3 : 0; work > 0; --work) {
      const auto at = 2 + static_cast<std::uint32_t>((bits >> 32) * (own_ - 2) >> 32);
      bits = bits * 0xd1342543de82ef95ull + 1;
      script.access(message(thread, at), bits >> 63);
    }
    if (block) script.end(label);
  }

 private:
  // Up to four different threads, one message of each.
  void serve(Script& script, Dice& dice) {
    const std::uint32_t partners = threads_ - 1;
    const std::uint32_t count = std::min(1 + dice.below(4), partners);
    const std::uint32_t first = dice.below(partners);
    std::uint64_t bits = dice.next();
    script.begin(kServe);
    for (std::uint32_t i = 0; i < count; ++i, bits >>= 1) {
      const std::uint32_t partner = 1 + (first + i) % partners;
      if ((bits & 1) == 0) {
        script.read(message(partner, 0));
      } else {
        script.write(message(partner, 1));
      }
    }
    script.read(0);
    script.end(kServe);
  }

  // 0 is the request, 1 the reply; the rest is private.
  std::uint32_t message(std::uint32_t thread, std::uint32_t which) const {
    return 1 + (thread - 1) * own_ + which;
  }

  std::uint32_t own_;  // variables per thread but the hub
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  return at_least("variables (two per thread but the hub, and one more)",
                  std::uint64_t{2} * (options.threads - 1) + 1, options.variables);
}

}  // namespace

const FamilyEntry kStar = {
    {"star", "one hub exchanges messages with all other threads"},
    "serve ask receive",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Star>(options);
    },
};

}  // namespace omnium::workload
