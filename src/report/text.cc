// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/columns.h"
#include "report/paint.h"
#include "report/source_lines.h"
#include "report/words.h"
#include "spec/specification.h"
#include "support/display.h"

namespace omnium::report {

namespace {

using support::display_width;
using support::terminal_text;

constexpr char kBlank = '\x1f';  // a blank where a line must not be broken

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

// Cells without our own colour sequences; names cannot contain any.
std::size_t visible_width(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else {
      plain += text[i];
    }
  }
  return display_width(plain);
}

class TextRenderer {
 public:
  TextRenderer(const Report& report, const TextStyle& style, support::ByteSink& out)
      : report_(report), style_(style), paint_(style.colour), out_(out) {}

  void render() {
    std::vector<const Cause*> short_ones, again;
    for (const Cause& cause : report_.causes) {
      if (!cause.marks.news()) continue;
      if (!cause.marks.told_in.empty()) {
        again.push_back(&cause);
      } else if (is_short(cause)) {
        short_ones.push_back(&cause);
      } else {
        one(cause);
      }
    }
    if (!short_ones.empty()) in_short(short_ones);
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
    if (!cause.picture.sentences.empty()) full(cause);
    summary(cause);
    line("");
    flush();
  }

 private:
  bool is_short(const Cause& cause) const {
    return style_.part == TextPart::kSummary || cause.picture.sentences.empty();
  }

  void flush() {
    out_.write(text_);
    text_.clear();
  }
  void line(std::string_view text) { text_.append(text).append("\n"); }

  // Words of `text`, broken at blanks where the line is full; later lines start under the first
  // one's text.
  void wrapped(std::size_t indent, std::string_view text, std::size_t hang = 0) {
    std::string current(indent, ' ');
    std::size_t used = indent;
    bool empty = true;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      const std::string_view word = text.substr(0, end);
      const std::size_t width = visible_width(word);
      if (!empty && used + 1 + width > style_.width) {
        std::ranges::replace(current, kBlank, ' ');
        line(current);
        current.assign(indent + hang, ' ');
        used = indent + hang;
        empty = true;
      }
      if (!empty) current += ' ';
      current += word;
      used += width + !empty;
      empty = false;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::ranges::replace(current, kBlank, ' ');
    line(current);
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

  // Causes that have no picture: the engine gave no witness, or there are too many.
  void in_short(const std::vector<const Cause*>& causes) {
    const bool all = causes.size() == report_.causes.size();
    heading("ATOMICITY VIOLATIONS", "",
            "summary of " + count_of(causes.size(), all ? "cause" : "more cause"));
    for (const Cause* cause : causes) {
      summary(*cause);
      line(fmt::format("  {}  seen {}", id(*cause), times(cause->count)));
      flush();
    }
    line("");
  }

  void told_before(const Cause& cause) {
    wrapped(0,
            fmt::format("Again {}: {} in {}, seen {} (explained above for {})", id(cause),
                        headline(cause), short_name(cause.block), times(cause.count),
                        terminal_text(cause.marks.told_in)),
            2);
    flush();
  }

  static std::string id(const Cause& cause) { return terminal_text(cause.id); }

  void full(const Cause& cause) {
    heading("ATOMICITY VIOLATION", id(cause), headline(cause));
    block(cause);
    line("");
    picture(cause.picture);
    if (style_.stacks) stack(cause);
    remarks(cause);
  }

  void block(const Cause& cause) {
    std::string block = cause.block.label && cause.block.label->empty()
                            ? "unnamed block of " + name(cause.block.thread)
                            : name(cause.block.label.value_or(cause.block.thread));
    std::string text = block + "  ";
    const std::string where = place(cause.block_location);
    if (!where.empty()) text += where + "  ";
    text += cause.blamed ? not_atomic(cause) : "is part of a cycle: no serial order exists";
    wrapped(0, text, 2);
    if (const std::string waited = place(cause.waited_location); !waited.empty()) {
      wrapped(0, fmt::format("in its part after waiting at {}", waited), 2);
    }
    if (cause.outer.empty()) return;
    std::vector<std::string> outer;
    for (const Block& it : cause.outer) outer.push_back(short_name(it));
    wrapped(0,
            fmt::format("nor {}: {}",
                        outer.size() == 1 ? "was the block around it" : "were the blocks around it",
                        listed(outer)),
            2);
  }

  void picture(const Picture& picture) {
    const std::size_t steps = picture.sentences.size();
    for (std::size_t i = 0; i < steps; ++i) {
      const Sentence& it = picture.sentences[i];
      const bool last = i > 0 && i + 1 == steps;
      wrapped(2, fmt::format("{}{}:", last ? "but " : "", claim(it)), 4);
      wrapped(6, evidence(it), 2);
      if (i + 1 < steps) program_order(it.to, picture.sentences[i + 1].from);
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

  void program_order(const Block& earlier, const Block& later) {
    if (earlier.begin == later.begin || (!earlier.label && !later.label)) return;
    wrapped(2, fmt::format("and {} came before {}, in the same thread;", who(earlier), who(later)),
            4);
  }

  void remarks(const Cause& cause) {
    const Picture& picture = cause.picture;
    if (picture.held) {
      const std::string lock = name(*picture.held);
      wrapped(2, fmt::format("Every access held {}: this is not a data race, and ThreadSanitizer "
                             "cannot see it.",
                             lock));
      const std::string from = place(picture.sentences.front().first.location);
      const std::string to = place(picture.sentences.back().second.location);
      if (!from.empty() && !to.empty()) {
        wrapped(2, fmt::format("Hint: hold {} from {} to {}.", lock, from, to));
      }
    }
    std::vector<std::string> remedies{fmt::format("Seen {}.", times(cause.count))};
    if (cause.block.label && !cause.block.label->empty()) {
      const std::string rule = "not-atomic " + terminal_text(glob_for(*cause.block.label));
      // A rule that is cut would be another rule.
      if (display_width(rule) <= kLongestName) {
        remedies.push_back("Not meant to be atomic?  " + paint_.bold(rule));
      }
    }
    remedies.push_back(known(cause));
    unbroken_pieces(remedies);
  }

  std::string known(const Cause& cause) const {
    return "To suppress:  " + paint_.bold(fmt::format("suppress {} because REASON", id(cause)));
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
    std::string text = "SUMMARY: Omnium: atomicity violation";
    const std::string where = place(cause.event_location);
    if (!where.empty()) text += " " + where;
    text += " in " + short_name(cause.block);
    const auto partners = partner_names(cause);
    if (!partners.empty()) text += fmt::format(" (with {})", listed(partners));
    text += ", " + headline(cause);
    line(paint_.bold(text));
  }

  void cycle(const Cause& cause) {
    const std::string what = fmt::format("cycle of {} transactions", report_.cycle.size());
    heading("NOT SERIALIZABLE", id(cause), what);
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
    picture(cause.picture);
    unbroken_pieces({known(cause)});
    cycle_summary();
    line("");
    flush();
  }

  void cycle_summary() {
    std::vector<std::string> names;
    for (const Block& block : report_.cycle) names.push_back(short_name(block));
    line(paint_.bold(fmt::format("SUMMARY: Omnium: not serializable: cycle of {} transactions: {}",
                                 report_.cycle.size(), listed(names))));
  }

  void verdict() {
    std::string text = terminal_text(report_.path) + ": ";
    if (!report_.serializable) {
      text += fmt::format("{}; engine {} does not decide serializability",
                          paint_.green("no transaction has a violation"), report_.engine->name);
    } else if (*report_.serializable) {
      text += paint_.green("serializable");
    } else {
      text += paint_.red(fmt::format("not{}serializable", kBlank));
      if (!report_.violations.empty()) {
        const std::uint64_t seen = report_.run ? report_.instances : report_.violations.size();
        text += fmt::format(": {} with {}", unbroken(seen, "violation"),
                            unbroken(report_.causes.size(), "cause"));
      } else if (report_.cycle.empty()) {
        text +=
            fmt::format("; engine {} does not report where, try -e reach", report_.engine->name);
      }
      std::vector<Marks> marks;
      for (const Cause& cause : report_.causes) marks.push_back(cause.marks);
      if (report_.cycle_cause) marks.push_back(report_.cycle_cause->marks);
      text += not_told(marks);
    }
    wrapped(0, fmt::format("{} ({})", text, size_of_trace()), 2);
    if (!report_.read_again) {
      wrapped(2, "The trace could not be read a second time, so details are missing above.");
    }
  }

  static std::string unbroken(std::uint64_t count, std::string_view noun) {
    std::string text = count_of(count, noun);
    std::ranges::replace(text, ' ', kBlank);
    return text;
  }

  std::string size_of_trace() const {
    if (const auto& run = report_.run) {
      return fmt::format("{}, {}, {}, {}", unbroken(run->threads, "thread"),
                         unbroken(run->blocks, "block"),
                         unbroken(run->lock_operations, "lock operation"),
                         unbroken(run->atomic_operations, "atomic operation"));
    }
    return fmt::format(
        "{}, {}, {}, {}, {}, {}", unbroken(report_.counts.events, "event"),
        unbroken(report_.extent.threads, "thread"), unbroken(report_.extent.variables, "variable"),
        unbroken(report_.extent.locks, "lock"), unbroken(report_.counts.blocks, "block"),
        unbroken(report_.counts.transactions, "transaction"));
  }

  void stats() {
    line(fmt::format("  engine {}: {:.3f} s, peak memory {:.1f} MB", report_.engine->name,
                     report_.seconds, static_cast<double>(report_.peak_bytes) / 1e6));
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
