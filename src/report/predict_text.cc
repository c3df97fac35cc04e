// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/predict_text.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "report/paint.h"
#include "report/words.h"
#include "report/wrap.h"

namespace omnium::report {

namespace {

using predict::MethodResult;
using predict::Warning;

constexpr std::size_t kDifferencesPrinted = 20;
constexpr std::size_t kNotesPrinted = 10;

class Renderer {
 public:
  Renderer(const PredictReport& report, const TextStyle& style, support::ByteSink& out)
      : report_(report), style_(style), paint_(style.colour), out_(out) {}

  void run() {
    transactions("not decided within the budget:", report_.main().undecided);
    if (report_.lists_speculative) {
      transactions("speculative, if atomic reads saw other writes:", report_.main().speculative);
    }
    if (report_.all()) table();
    unnested();
    deadlocks();
    if (report_.lists_races) races();
  }

 private:
  void line(std::string_view text) {
    out_.write(text);
    out_.write("\n");
  }
  void sentence(std::size_t indent, std::string_view text) {
    out_.write(wrapped(text, style_.width, indent, 2));
  }
  std::string at(EventIndex event) const {
    const std::string where = place(report_.location(event));
    return where.empty() ? fmt::format("event {}", event)
                         : fmt::format("event {} ({})", event, where);
  }

  void transactions(std::string_view title, const std::vector<Warning>& warnings) {
    if (warnings.empty()) return;
    line(paint_.yellow(title));
    for (const Warning& warning : first(warnings)) {
      const std::string_view object = report_.object(warning);
      sentence(2, fmt::format("{}, {}{}{}", who(report_.block(warning.transaction)),
                              at(warning.transaction.begin),
                              object.empty() ? "" : "; affected: " + name(object),
                              warning.copies == 1
                                  ? ""
                                  : fmt::format("; {} like it in this thread",
                                                count_of(warning.copies - 1, "transaction"))));
    }
    more(warnings.size(), kNotesPrinted, "more transaction");
  }

  template <class T>
  static std::span<const T> first(const std::vector<T>& list) {
    return std::span(list).first(std::min(list.size(), kNotesPrinted));
  }

  // The columns of the paper's table 1.
  void table() {
    line("");
    const bool stats = report_.lists_stats;
    line(fmt::format("{:<12} {:<9} {:>9}{}", "method", "atomicity", "warnings",
                     stats ? fmt::format(" {:>10} {:>12}", "time", "space") : ""));
    for (const MethodResult& result : report_.prediction.methods) {
      line(fmt::format("{:<12} {:<9} {:>9}{}{}", predict::to_string(result.method),
                       predict::to_string(result.atomicity), result.warnings.size(),
                       stats ? fmt::format(" {:>8.3f} s {:>12}", result.seconds, result.space) : "",
                       result.complete ? "" : "  (cut off)"));
    }
    std::size_t printed = 0;
    for (const predict::Difference& difference : report_.prediction.differences) {
      if (++printed > kDifferencesPrinted) break;
      std::vector<std::string> methods;
      for (const predict::Method method : difference.warned_by) {
        methods.emplace_back(predict::to_string(method));
      }
      sentence(
          0, fmt::format("only {}: {}, event {}", listed(methods),
                         who(report_.block(difference.transaction)), difference.transaction.begin));
    }
    more(report_.prediction.differences.size(), kDifferencesPrinted, "more difference");
  }

  void unnested() {
    const auto& all = report_.prediction.unnested;
    if (all.empty()) return;
    const predict::UnnestedLock& example = all.front();
    const std::string others =
        all.size() == 1 ? "" : fmt::format("; so do {}", count_of(all.size() - 1, "other unit"));
    sentence(0, fmt::format("note: {} releases {} out of nesting order at {}{}",
                            who(report_.block(example.block)),
                            name(report_.names.locks.name(example.lock.v)), at(example.release),
                            others));
  }

  void deadlocks() {
    const auto& cycles = report_.prediction.deadlocks.cycles;
    for (const auto& cycle : first(cycles)) {
      line(paint_.yellow("potential deadlock:"));
      for (const predict::LockOrder& edge : cycle) {
        sentence(2, fmt::format("{} acquires {} at {} while holding {}, acquired at {}",
                                name(report_.names.threads.name(edge.thread.v)),
                                name(report_.names.locks.name(edge.inner.v)), at(edge.inner_at),
                                name(report_.names.locks.name(edge.outer.v)), at(edge.outer_at)));
      }
    }
    more(cycles.size(), kNotesPrinted, "more potential deadlock");
  }

  void races() {
    const auto& all = report_.prediction.races;
    if (all.empty()) return line("no data race: every two accesses have a common lock or an order");
    for (const predict::RacingAccesses& race : first(all)) {
      const auto access = [&](EventIndex event) {
        const Event& it = report_.trace.events[event];
        return fmt::format("{} {} at {}", name(report_.names.threads.name(it.thread_id)),
                           is_write(it.kind) ? "writes" : "reads", at(event));
      };
      line(paint_.yellow(
          fmt::format("data race on {}:", name(report_.names.variables.name(race.variable.v)))));
      sentence(2, access(race.first));
      sentence(2, access(race.second));
    }
    more(all.size(), kNotesPrinted, "more data race");
  }

  void more(std::size_t all, std::size_t printed, std::string_view noun) {
    if (all > printed) line(fmt::format("... and {}", count_of(all - printed, noun)));
  }

  const PredictReport& report_;
  const TextStyle& style_;
  Paint paint_;
  support::ByteSink& out_;
};

}  // namespace

void render_predict_notes(const PredictReport& report, const TextStyle& style,
                          support::ByteSink& out) {
  Renderer(report, style, out).run();
}

}  // namespace omnium::report
