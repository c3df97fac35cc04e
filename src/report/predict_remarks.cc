// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_remarks.h"

#include <fmt/format.h>

#include "report/words.h"

namespace omnium::report {

namespace {

using predict::MethodResult;
using predict::Warning;

std::uint64_t transactions(const std::vector<Warning>& warnings) {
  std::uint64_t count = 0;
  for (const Warning& warning : warnings) count += warning.copies;
  return count;
}

// "1 transaction is", "2 transactions are"
std::string are(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}", count_of(count, noun), count == 1 ? "is" : "are");
}

class Remarks {
 public:
  Remarks(const predict::Prediction& prediction, const PredictContext& context)
      : prediction_(prediction), main_(prediction.methods.front()), context_(context) {}

  Predicted all() && {
    Predicted out;
    facts();
    const std::size_t before = remarks_.size();
    of_search();
    of_recording();
    of_proof();
    out.atomic = remarks_.size() == before && main_.atomic_without_reservation() &&
                 prediction_.recording_serializable;
    // Where there are warnings, nobody expects to hear "atomic".
    if (!main_.warnings.empty()) remarks_.resize(before);
    told_anyway();
    out.remarks = std::move(remarks_);
    return out;
  }

 private:
  template <class... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    remarks_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  void facts() {
    const bool usual = main_.method == predict::Method::kCommitNode &&
                       main_.atomicity == predict::Atomicity::kConflict;
    if (!usual) {
      say("Judged by {}-atomicity, method {}.", predict::to_string(main_.atomicity),
          predict::to_string(main_.method));
    }
  }

  void of_search() {
    if (!main_.complete) say("The method was cut off before all pairs were compared.");
    const std::uint64_t perhaps = main_.perhaps_speculative;
    if (perhaps > 0) {
      say("{} might be interrupted if atomic reads saw other writes{}.",
          count_of(perhaps, "transaction"),
          context_.speculative ? "" : "; --speculative looks for that");
    }
    if (!main_.speculative.empty()) {
      say("{} could be interrupted if atomic reads saw other writes{}.",
          count_of(transactions(main_.speculative), "transaction"),
          context_.speculative ? "" : "; --speculative lists that");
    }
  }

  void of_recording() {
    for (const std::string& why : context_.incomplete) {
      say("The recording may lack events: {}.", why);
    }
    if (!prediction_.recording_admissible) {
      say("The recording contradicts itself; what comes after that was not looked at.");
    }
    if (prediction_.open_blocks > 0) {
      say("{} open at the end: the program was cut off.", are(prediction_.open_blocks, "block"));
    }
  }

  void of_proof() {
    const predict::Assumptions& assumptions = prediction_.assumptions;
    if (!assumptions.no_deadlock_potential) {
      const predict::DeadlockPotential& deadlocks = prediction_.deadlocks;
      if (deadlocks.tries_may_fail && deadlocks.complete && deadlocks.cycles.empty()) {
        say("The proof does not cover programs in which a try-lock could fail.");
      } else {
        say("The proof does not cover programs that could deadlock.");
      }
    }
    if (!assumptions.outside_units_lock_free) {
      say("The proof does not cover locks that are taken outside blocks.");
    }
    if (!assumptions.nested_locks) {
      say("The proof does not cover locks that are released out of nesting order.");
    }
  }

  void told_anyway() {
    if (!main_.undecided.empty()) {
      const std::uint64_t undecided = transactions(main_.undecided);
      say("{} {} not decided within the budget (--budget).", count_of(undecided, "transaction"),
          undecided == 1 ? "was" : "were");
    }
    if (!prediction_.recording_serializable && main_.recorded == 0) {
      say("The recording itself is not serializable: {}", context_.check_command);
    }
    if (main_.recorded > 0) {
      say("{} violated in the recording itself: {}", are(main_.recorded, "transaction"),
          context_.check_command);
    }
    if (main_.impossible > 0) {
      say("Ruled out by complete search: {}.", count_of(main_.impossible, "transaction"));
    }
    const auto deadlocks = prediction_.deadlocks.cycles.size();
    if (deadlocks > 0) {
      say("{} (no effect on the exit status without --deadlocks).",
          count_of(deadlocks, "potential deadlock"));
    }
    if (!prediction_.deadlocks.complete) {
      say("The search for potential deadlocks was cut off; there may be more.");
    }
  }

  const predict::Prediction& prediction_;
  const MethodResult& main_;
  const PredictContext& context_;
  std::vector<std::string> remarks_;
};

}  // namespace

Predicted predicted(const predict::Prediction& prediction, const PredictContext& context) {
  return Remarks(prediction, context).all();
}

}  // namespace omnium::report
