// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/columns.h"
#include "report/paint.h"
#include "report/source_lines.h"
#include "report/words.h"
#include "report/wrap.h"
#include "support/display.h"

namespace omnium::report {

namespace {

using support::display_width;
using support::terminal_text;

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

class TextRenderer {
 public:
  TextRenderer(const Report& report, const TextStyle& style, support::ByteSink& out)
      : report_(report), style_(style), paint_(style.colour), out_(out) {}

  void render() {
    std::vector<const Cause*> short_ones, following, again;
    for (const Cause& cause : report_.causes) {
      if (!cause.marks.news()) continue;
      if (!cause.marks.told_in.empty()) {
        again.push_back(&cause);
      } else if (follows(cause)) {
        following.push_back(&cause);
      } else if (is_short(cause)) {
        short_ones.push_back(&cause);
      } else {
        one(cause);
      }
    }
    if (!short_ones.empty()) {
      const bool all = short_ones.size() + following.size() == report_.causes.size();
      in_short(short_ones,
               "summary of " + count_of(short_ones.size(), all ? "cause" : "more cause"));
    }
    if (!following.empty()) {
      in_short(following, "summary of " + count_of(following.size(), "more function"));
    }
    if (report_.cycle_cause && report_.cycle_cause->marks.news()) {
      if (!report_.cycle_cause->marks.told_in.empty()) {
        again.push_back(&*report_.cycle_cause);
      } else if (style_.part == TextPart::kSummary) {
        cycle_summary();
      } else {
        one(*report_.cycle_cause);
      }
    }
    for (const Cause* cause : again) told_before(*cause);
    if (style_.part != TextPart::kFindings) verdict();
    if (report_.with_stats) stats();
    flush();
  }

  void one(const Cause& cause) {
    if (report_.cycle_cause && &cause == &*report_.cycle_cause) return cycle(cause);
    if (is_failure(cause)) return failure(cause);
    if (!cause.picture.sentences.empty() || !cause.explained) full(cause);
    summary(cause);
    line("");
    flush();
  }

 private:
  bool is_short(const Cause& cause) const {
    if (is_failure(cause)) return false;
    return style_.part == TextPart::kSummary ||
           (cause.picture.sentences.empty() && cause.explained);
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }
  void line(std::string_view text) { text_.append(text).append("\n"); }

  void wrapped(std::size_t indent, std::string_view text, std::size_t hang = 0) {
    text_ += report::wrapped(text, style_.width, indent, hang);
  }

  // ════ Omnium: ATOMICITY VIOLATION  av-7f3a12c9  lost update on x ════════
  void heading(std::string_view kind, std::string_view id, const std::string& what) {
    std::string plain = fmt::format("════ Omnium: {}", kind);
    if (!id.empty()) plain += fmt::format("  {}", id);
    const bool fits = display_width(plain) + 2 + display_width(what) <= style_.width;
    if (fits && !what.empty()) plain += fmt::format("  {}", what);
    const std::size_t used = display_width(plain) + 1;
    if (used < style_.width) plain += " " + repeated("═", style_.width - used);
    line(paint_.red(plain));
    if (!fits) wrapped(0, what);
  }

  // Causes without a picture: the engine gave no witness, there are too many, or another cause says
  // what is wrong.
  void in_short(const std::vector<const Cause*>& causes, const std::string& what) {
    heading(report_.predicted ? "COULD HAPPEN" : "ATOMICITY VIOLATIONS", "", what);
    for (const Cause* cause : causes) {
      summary(*cause);
      const std::string noise =
          is_noise(*cause) ? fmt::format(", looks like {}", a_noise(cause->noise)) : "";
      std::string from;
      if (follows(*cause)) from = ", follows from " + terminal_text(cause->follows_from);
      line(fmt::format("  {}  {}{}{}", id(*cause), how_often(*cause), noise, from));
      flush();
    }
    line("");
  }

  void told_before(const Cause& cause) {
    wrapped(0,
            fmt::format("Again {}: {}{}{}, {} (explained above for {})", id(cause), headline(cause),
                        could_happen(cause.status),
                        is_failure(cause) ? "" : " in " + short_name(cause.block), how_often(cause),
                        terminal_text(cause.marks.told_in)),
            2);
    flush();
  }

  static std::string id(const Cause& cause) { return terminal_text(cause.id); }

  // What did not happen is told as such at first sight.
  static std::string title(const Cause& cause) {
    if (!is_predicted(cause.status)) return "ATOMICITY VIOLATION";
    return fmt::format("COULD HAPPEN ({})", to_string(cause.status));
  }

  static std::string how_often(const Cause& cause) {
    return is_predicted(cause.status) ? fmt::format("in {}", count_of(cause.count, "transaction"))
                                      : fmt::format("seen {}", times(cause.count));
  }

  void full(const Cause& cause) {
    heading(title(cause), id(cause), headline(cause));
    block(cause);
    line("");
    if (!cause.explained) {
      closing_event(cause);
      line("");
    }
    picture(cause);
    if (style_.stacks) stack(cause);
    remarks(cause);
  }

  void failure(const Cause& cause) {
    heading("PROGRAM FAILED", id(cause), terminal_text(cause.pattern));
    wrapped(0, headline(cause), 2);
    for (const std::string& wait : lock_waits(*cause.failure)) wrapped(2, wait, 2);
    if (!cause.failure->output.empty()) line("  The end of its output:");
    for (const std::string& it : cause.failure->output) line("    " + terminal_text(it));
    for (const std::string& remark : report::remarks(cause)) wrapped(2, remark);
    unbroken_pieces({fmt::format("Seen in {}.", count_of(cause.count, "run")), known(cause)});
    line(paint_.bold(fmt::format("SUMMARY: Omnium: program failed: {}", headline(cause))));
    line("");
    flush();
  }

  void block(const Cause& cause) {
    std::string block = cause.block.label && cause.block.label->empty()
                            ? "unnamed block of " + name(cause.block.thread)
                            : name(cause.block.label.value_or(cause.block.thread));
    std::string text = block + "  ";
    const std::string where = place(cause.block_location);
    if (!where.empty()) text += where + "  ";
    const bool predicted = is_predicted(cause.status);
    text += cause.blamed ? not_atomic(cause)
            : predicted  ? "could be part of a cycle without a serial order"
                         : "is part of a cycle: no serial order exists";
    wrapped(0, text, 2);
    if (const std::string waited = place(cause.waited_location); !waited.empty()) {
      wrapped(0, fmt::format("in its part after waiting at {}", waited), 2);
    }
    if (!cause.outer.empty()) wrapped(0, blocks_around(cause), 2);
  }

  // All that is known of the events of a cause that is not explained.
  void closing_event(const Cause& cause) {
    const std::string where = place(cause.event_location);
    std::string event = name(cause.block.thread);
    if (!cause.objects.empty()) event += " used " + name(cause.objects.front());
    if (!where.empty()) event += fmt::format(" ({})", where);
    wrapped(2, fmt::format("Seen at this event: {}; {}.", event, kNotExplained));
  }

  static std::string blocks_around(const Cause& cause) {
    std::vector<std::string> outer;
    for (const Block& it : cause.outer) outer.push_back(short_name(it));
    const bool one = outer.size() == 1;
    const std::string_view verb =
        is_predicted(cause.status)
            ? (one ? "so could the block around it" : "so could the blocks around it")
            : (one ? "nor was the block around it" : "nor were the blocks around it");
    return fmt::format("{}: {}", verb, listed(outer));
  }

  void picture(const Cause& cause) {
    const Picture& picture = cause.picture;
    const std::size_t steps = picture.sentences.size();
    for (std::size_t i = 0; i < steps; ++i) {
      const Sentence& it = picture.sentences[i];
      const bool last = i > 0 && i + 1 == steps;
      wrapped(2, fmt::format("{}{}:", last ? "but " : "", claim(it, cause.status)), 4);
      wrapped(6, evidence(it, cause.status), 2);
      if (i + 1 < steps) program_order(it.to, picture.sentences[i + 1].from, cause.status);
    }
    if (steps == 0) return;
    line("");
    const std::string table = render_columns(picture, style_);
    for (const std::string& part : {table, render_source_lines(picture, style_)}) {
      if (part.empty()) continue;
      text_ += part;
      line("");
    }
  }

  void stack(const Cause& cause) {
    if (cause.stack.empty()) return;
    wrapped(2,
            fmt::format("Stack of {} when the violation was detected:", name(cause.block.thread)));
    for (const StackFrame& frame : cause.stack) {
      wrapped(6, name(frame.function) + "  " + place(frame.location), 2);
    }
    line("");
  }

  void program_order(const Block& earlier, const Block& later, Status status) {
    if (earlier.begin == later.begin || (!earlier.label && !later.label)) return;
    wrapped(2,
            fmt::format("and {} {} before {}, in the same thread;", who(earlier),
                        is_predicted(status) ? "comes" : "came", who(later)),
            4);
  }

  void remarks(const Cause& cause) {
    const bool predicted = is_predicted(cause.status);
    for (const std::string& remark : report::remarks(cause)) wrapped(2, remark);
    std::vector<std::string> remedies{predicted ? fmt::format("Could happen {}.", how_often(cause))
                                                : fmt::format("Seen {}.", times(cause.count))};
    const std::string rule = specification_line(cause);
    // A rule that is cut would be another rule.
    if (!rule.empty() && display_width(rule) <= kLongestName) {
      remedies.push_back("Not meant to be atomic?  " + paint_.bold(rule));
    }
    remedies.push_back(known(cause));
    unbroken_pieces(remedies);
  }

  std::string known(const Cause& cause) const {
    return "To suppress:  " + paint_.bold(suppression_line(cause));
  }

  // As many on a line as fit: they are there to be copied.
  void unbroken_pieces(const std::vector<std::string>& pieces) {
    std::string current;
    for (const std::string& piece : pieces) {
      if (!current.empty() && visible_width(current) + 2 + visible_width(piece) > style_.width) {
        line(current);
        current.clear();
      }
      current += "  " + piece;
    }
    line(current);
  }

  void summary(const Cause& cause) {
    std::string text = "SUMMARY: Omnium: atomicity violation" + could_happen(cause.status);
    const std::string where = place(cause.event_location);
    if (!where.empty()) text += " " + where;
    text += " in " + short_name(cause.block);
    const auto partners = partner_names(cause);
    if (!partners.empty()) text += fmt::format(" (with {})", listed(partners));
    text += ", " + headline(cause);
    line(paint_.bold(text));
  }

  void cycle(const Cause& cause) {
    heading("NOT SERIALIZABLE", id(cause), terminal_text(cause.pattern));
    if (!cause.explained) {
      wrapped(0, fmt::format("{}.", in_some_cycle(cause)));
      line("");
      closing_event(cause);
      line("");
      return end_of_cycle(cause);
    }
    wrapped(0, report_.engine->transactions == Promise::kExact
                   ? "No single transaction is to blame, but together they have no serial order:"
                   : "These transactions have no serial order:");
    line("");
    if (cause.picture.sentences.empty()) {
      std::vector<std::string> blocks;
      for (const Block& block : report_.cycle) blocks.push_back(who(block));
      blocks.push_back(who(report_.cycle.front()));
      std::string text;
      for (const std::string& name : blocks) text += (text.empty() ? "" : " → ") + name;
      wrapped(2, text);
      line("");
    }
    picture(cause);
    end_of_cycle(cause);
  }

  void end_of_cycle(const Cause& cause) {
    unbroken_pieces({known(cause)});
    cycle_summary();
    line("");
    flush();
  }

  void cycle_summary() {
    std::vector<std::string> names;
    for (const Block& block : report_.cycle) names.push_back(short_name(block));
    line(paint_.bold(fmt::format("SUMMARY: Omnium: not serializable: {}: {}",
                                 terminal_text(report_.cycle_cause->pattern), listed(names))));
  }

  void verdict() {
    std::string text = terminal_text(report_.path) + ": ";
    if (report_.predicted) {
      text += predicted() + (report_.stopped ? "; stopped before everything was tried" : "");
    } else if (!report_.serializable && failures() > 0) {
      text += paint_.red("the program failed") + not_told(marks());
    } else if (!report_.serializable && report_.stopped) {
      text += paint_.yellow("stopped: no violation so far, and the rest was not checked");
    } else if (!report_.serializable && report_.run && report_.run->passed_over > 0) {
      text += paint_.yellow("no violation was found in the blocks that were judged");
    } else if (!report_.serializable && report_.run) {
      text += paint_.yellow("no violation was found, but not everything was checked");
    } else if (!report_.serializable) {
      text += fmt::format("{}; engine {} does not decide serializability",
                          paint_.green("no transaction has a violation"), report_.engine->name);
    } else if (*report_.serializable) {
      text += paint_.green("serializable");
    } else {
      text += paint_.red(fmt::format("not{}serializable", kBlank));
      if (report_.causes.size() > failures()) {
        const std::uint64_t seen = report_.run ? report_.instances : violations();
        text += fmt::format(": {} with {}", unbroken(seen, "violation"),
                            unbroken(report_.causes.size() - failures() - following(), "cause"));
        if (failures() > 0) text += ", and the program failed";
      } else if (report_.cycle.empty() && report_.undescribed == 0) {
        if (const auto at = report_.detected_at) text += fmt::format(", detected at event {}", *at);
        text +=
            fmt::format("; engine {} does not report where, try -e reach", report_.engine->name);
      }
      text += not_told(marks()) + what_follows() + probably_harmless();
      if (report_.undescribed > 0) text += "; " + undescribed(report_.undescribed);
      if (report_.stopped) text += "; stopped: the rest was not checked";
    }
    wrapped(0, fmt::format("{} ({})", text, size_of_trace()), 2);
    if (report_.predicted) {
      for (const std::string& remark : report_.predicted->remarks) wrapped(2, remark);
    }
    if (report_.only_first && report_.detected_at) {
      wrapped(2, fmt::format("Stopped at event {}, where the first violation was detected.",
                             *report_.detected_at));
    }
    if (report_.through_silent_locks > 0) {
      wrapped(2, fmt::format(
                     "With --conflicts all, {} {} violated as well, through locks under which no "
                     "access was recorded: do they guard state of code that is not "
                     "instrumented?",
                     unbroken(report_.through_silent_locks, "transaction"),
                     report_.through_silent_locks == 1 ? "is" : "are"));
    }
    if (!report_.read_again) {
      wrapped(2, "The trace could not be read a second time, so details are missing above.");
    }
  }

  std::uint64_t failures() const {
    return static_cast<std::uint64_t>(std::ranges::count_if(report_.causes, is_failure));
  }

  std::uint64_t following() const {
    return static_cast<std::uint64_t>(std::ranges::count_if(report_.causes, follows));
  }

  // "; 3 functions follow from them"
  std::string what_follows() const {
    const std::uint64_t count = following();
    if (count == 0) return "";
    return fmt::format("; {} {} from them", unbroken(count, "function"),
                       count == 1 ? "follows" : "follow");
  }

  // Of a merged report only one of each cause is left.
  std::uint64_t violations() const {
    if (report_.merged.empty()) return report_.violations.size();
    std::uint64_t out = 0;
    for (const Cause& cause : report_.causes) out += is_failure(cause) ? 0 : cause.count;
    return out;
  }

  // "; 2 causes are probably harmless"
  std::string probably_harmless() const {
    const auto is_told = [](const Cause& it) {
      return is_noise(it) && !follows(it) && it.marks.news();
    };
    const auto noise = static_cast<std::uint64_t>(std::ranges::count_if(report_.causes, is_told));
    if (noise == 0) return "";
    return fmt::format("; {} {} probably harmless", unbroken(noise, "cause"),
                       noise == 1 ? "is" : "are");
  }

  std::vector<Marks> marks() const {
    std::vector<Marks> out;
    for (const Cause& cause : report_.causes) out.push_back(cause.marks);
    if (report_.cycle_cause) out.push_back(report_.cycle_cause->marks);
    return out;
  }

  std::string predicted() const {
    if (report_.causes.empty()) {
      return report_.predicted->atomic
                 ? paint_.green("atomic in every interleaving of these events")
                 : paint_.yellow("no violation predicted");
    }
    const auto certain = static_cast<std::size_t>(
        std::ranges::count(report_.causes, Status::kCertain, &Cause::status));
    std::uint64_t transactions = 0;
    for (const Cause& cause : report_.causes) transactions += cause.count;
    return fmt::format("{}: {}{}certain, {}{}possible{}, in {}",
                       paint_.red(unbroken(report_.causes.size(), "finding") + " could happen"),
                       certain, kBlank, report_.causes.size() - certain, kBlank, not_told(marks()),
                       unbroken(transactions, "transaction"));
  }

  static std::string unbroken(std::uint64_t count, std::string_view noun) {
    std::string text = count_of(count, noun);
    std::ranges::replace(text, ' ', kBlank);
    return text;
  }

  std::string size_of_trace() const {
    if (const auto& run = report_.run) {
      return fmt::format("{}, {}, {}, {}", unbroken(run->threads, "thread"), blocks_of_run(),
                         unbroken(run->lock_operations, "lock operation"),
                         unbroken(run->atomic_operations, "atomic operation"));
    }
    return fmt::format(
        "{}, {}, {}, {}, {}, {}", unbroken(report_.counts.events, "event"),
        unbroken(report_.extent.threads, "thread"), unbroken(report_.extent.variables, "variable"),
        unbroken(report_.extent.locks, "lock"), unbroken(report_.counts.blocks, "block"),
        unbroken(report_.counts.transactions, "transaction"));
  }

  // "12 blocks", "12 of 1,000 blocks judged (--sample: 1 %, seed 7)"
  std::string blocks_of_run() const {
    const RunCounts& run = *report_.run;
    if (run.passed_over == 0 && !report_.sample) return unbroken(run.blocks, "block");
    std::string text = fmt::format("{} of {} judged", grouped(run.blocks),
                                   count_of(run.blocks + run.passed_over, "block"));
    if (report_.sample) {
      text +=
          fmt::format(" (--sample: {}, seed {})", percent(*report_.sample), report_.sample->seed);
    }
    std::ranges::replace(text, ' ', kBlank);
    return text;
  }

  void stats() {
    line(fmt::format("  engine {}: {:.3f} s, peak memory {:.1f} MB", report_.engine->name,
                     report_.seconds, static_cast<double>(report_.peak_bytes) / 1e6));
    if (report_.detected_at) line(fmt::format("  detected at event {}", *report_.detected_at));
    std::size_t width = 0;
    for (const Counter& counter : report_.stats) {
      width = std::max(width, terminal_text(counter.name).size());
    }
    for (const Counter& counter : report_.stats) {
      line(fmt::format("  {:<{}}  {:>15}", terminal_text(counter.name), width, counter.value));
    }
  }

  const Report& report_;
  const TextStyle& style_;
  Paint paint_;
  support::ByteSink& out_;
  std::string text_;
};

}  // namespace

void render_cause(const Report& report, const Cause& cause, const TextStyle& style,
                  support::ByteSink& out) {
  TextRenderer(report, style, out).one(cause);
}

void render_text(const Report& report, const TextStyle& style, support::ByteSink& out) {
  TextRenderer(report, style, out).render();
}

}  // namespace omnium::report
