// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_text.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "report/paint.h"
#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

using predict::MethodResult;
using predict::Warning;

constexpr std::size_t kWarningsPrinted = 50;
constexpr std::size_t kDifferencesPrinted = 20;
constexpr std::size_t kNotesPrinted = 10;

class Renderer {
 public:
  Renderer(const PredictReport& report, const TextStyle& style, support::ByteSink& out)
      : report_(report), paint_(style.colour), out_(out) {}

  void run() {
    verdict();
    std::size_t number = 0;
    for (const Warning& warning : report_.main().warnings) {
      const Marks* marks = report_.marks_of(warning);
      if (marks != nullptr && !marks->news()) continue;
      if (++number <= kWarningsPrinted) one_warning(number, warning);
    }
    if (number > kWarningsPrinted) {
      line(fmt::format("... and {}; -f json lists all",
                       count_of(number - kWarningsPrinted, "more warning")));
    }
    if (report_.all()) table();
    assumptions();
    deadlocks();
  }

 private:
  void line(std::string_view text) {
    out_.write(text);
    out_.write("\n");
  }
  std::string name(std::string_view text) const { return support::terminal_text(text); }
  std::string at(EventIndex event) const {
    const std::string where = place(report_.location(event));
    return where.empty() ? fmt::format("event {}", event)
                         : fmt::format("event {} ({})", event, where);
  }

  void verdict() {
    const MethodResult& result = report_.main();
    const std::string how = fmt::format("{}, {}-atomicity, {}", predict::to_string(result.method),
                                        predict::to_string(result.atomicity),
                                        count_of(report_.trace.events.size(), "event"));
    if (result.warnings.empty()) {
      line(fmt::format("{}: {} ({})", name(report_.path),
                       result.atomic()
                           ? paint_.green("atomic in every interleaving of these events")
                           : paint_.yellow("nothing found, but the search was cut off"),
                       how));
      return;
    }
    std::size_t certain = 0;
    for (const Warning& warning : result.warnings) {
      certain += warning.grade == predict::Grade::kCertain;
    }
    std::vector<Marks> marks;
    for (const auto& [begin, it] : report_.marks) marks.push_back(it);
    line(fmt::format("{}: {}, {} certain{} ({})", name(report_.path),
                     paint_.red(count_of(result.warnings.size(), "warning")), certain,
                     not_told(marks), how));
  }

  void one_warning(std::size_t number, const Warning& warning) {
    const std::string_view object = report_.object(warning);
    const std::string about = object.empty() ? "" : fmt::format("; affected: {}", name(object));
    const std::string verb = warning.grade == predict::Grade::kCertain
                                 ? paint_.red("can be interrupted in another schedule")
                                 : paint_.yellow("might be interrupted in another schedule");
    line("");
    line(fmt::format("{}. {} {}{}", number, paint_.bold(who(report_.block(warning.transaction))),
                     verb, about));
    line(fmt::format("   begins at {}", at(warning.transaction.begin)));
    if (warning.commit_nodes.size() >= 2) {
      const auto& before = warning.commit_nodes[0];
      const auto& after = warning.commit_nodes[1];
      line(fmt::format("   another thread can run between {} and {}", at(before.second),
                       at(after.first)));
    }
    if (!warning.partners.empty()) {
      std::vector<std::string> partners;
      for (const BlockRef& partner : warning.partners) {
        partners.push_back(
            fmt::format("{} (event {})", short_name(report_.block(partner)), partner.begin));
      }
      line(fmt::format("   e.g. by {}", listed(partners)));
    }
    if (warning.copies > 1) {
      line(fmt::format("   {} in this thread", count_of(warning.copies, "similar transaction")));
    }
    const std::string_view witness = report_.witness(warning);
    if (!witness.empty()) line(fmt::format("   witness: {}", name(witness)));
  }

  // The columns of the paper's table 1.
  void table() {
    line("");
    line(fmt::format("{:<12} {:<9} {:>9} {:>10} {:>12}", "method", "atomicity", "warnings", "time",
                     "space"));
    for (const MethodResult& result : report_.prediction.methods) {
      line(fmt::format("{:<12} {:<9} {:>9} {:>8.3f} s {:>12}{}", predict::to_string(result.method),
                       predict::to_string(result.atomicity), result.warnings.size(), result.seconds,
                       result.space, result.complete ? "" : "  (cut off)"));
    }
    std::size_t printed = 0;
    for (const predict::Difference& difference : report_.prediction.differences) {
      if (++printed > kDifferencesPrinted) break;
      std::vector<std::string> methods;
      for (const predict::Method method : difference.warned_by) {
        methods.emplace_back(predict::to_string(method));
      }
      line(fmt::format("only {}: {}, event {}", listed(methods),
                       who(report_.block(difference.transaction)), difference.transaction.begin));
    }
    more(report_.prediction.differences.size(), kDifferencesPrinted, "more difference");
  }

  void assumptions() {
    const predict::Prediction& prediction = report_.prediction;
    if (!prediction.assumptions.outside_units_lock_free) {
      line(
          paint_.dim("note: some locks are taken outside blocks, which the theorems do not cover"));
    }
    const auto& unnested = prediction.unnested;
    for (const predict::UnnestedLock& each :
         std::span(unnested).first(std::min(unnested.size(), kNotesPrinted))) {
      line(fmt::format("note: {} releases {} out of nesting order at {}",
                       who(report_.block(each.block)), name(report_.names.locks.name(each.lock.v)),
                       at(each.release)));
    }
    more(unnested.size(), kNotesPrinted, "more unit");
    if (!prediction.deadlocks.complete) {
      line("note: the search for deadlocks was cut off; there may be more");
    }
  }

  void deadlocks() {
    const auto& cycles = report_.prediction.deadlocks.cycles;
    for (const auto& cycle : std::span(cycles).first(std::min(cycles.size(), kNotesPrinted))) {
      line(paint_.yellow("potential deadlock:"));
      for (const predict::LockOrder& edge : cycle) {
        line(fmt::format("   {} acquires {} at {} while holding {}, acquired at {}",
                         name(report_.names.threads.name(edge.thread.v)),
                         name(report_.names.locks.name(edge.inner.v)), at(edge.inner_at),
                         name(report_.names.locks.name(edge.outer.v)), at(edge.outer_at)));
      }
    }
    more(cycles.size(), kNotesPrinted, "more potential deadlock");
  }

  void more(std::size_t all, std::size_t printed, std::string_view noun) {
    if (all > printed) line(fmt::format("... and {}", count_of(all - printed, noun)));
  }

  const PredictReport& report_;
  Paint paint_;
  support::ByteSink& out_;
};

}  // namespace

void render_predict_text(const PredictReport& report, const TextStyle& style,
                         support::ByteSink& out) {
  Renderer(report, style, out).run();
}

}  // namespace omnium::report
