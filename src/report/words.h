// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The words of the reports: blocks, events and counts as parts of sentences. Names come from traces
// and are made safe for a terminal here. The HTML page gets the verbs and the limits with its data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/report.h"

namespace omnium::report {

// A name from a trace, safe for a terminal and no wider than a person reads.
std::string name(std::string_view text);
inline constexpr std::size_t kLongestName = 160;
// A longer list ends in "and 9 more".
inline constexpr std::size_t kMostListed = 5;

struct Verbs {
  std::string_view told;      // "t1 wrote x"
  std::string_view imagined;  // "t1 writes x", in an interleaving that did not happen
  std::string_view cell;      // "write x"
};
Verbs verbs(Kind kind);

// A location as text; empty for "-", which many tools write where they know none.
std::string place(std::string_view location);
// "transfer (worker-2)", "unnamed block (t1)", "t2 (outside any block)"
std::string who(const Block& block);
// "transfer", "unnamed block of t1", "t2": as short as it can be.
std::string short_name(const Block& block);
// "worker-2 read account.balance (bank.cpp:44)"; the object becomes "it" if `again`. What did not
// happen is told in the present tense.
std::string told(const EventView& event, bool again, Status status);
// "read account.balance": the cell of a table.
std::string cell(const EventView& event);
// "transfer (w2) must come before deposit (w5)", and why: "w2 read x (a.cc:4), then w5 wrote it".
std::string claim(const Sentence& sentence, Status status);
std::string evidence(const Sentence& sentence, Status status);
// "thread 1 waits for left, which thread 2 holds", for each thread of a deadlock.
std::vector<std::string> lock_waits(const Failure& failure);
// "lost update on account.balance"; just the object where there is no pattern. Of a failure: what
// happened.
std::string headline(const Cause& cause);
// Of the other transactions of the cycle, each once.
std::vector<std::string> partner_names(const Cause& cause);
// "dirty read with audit (3 times)", for each way but the one that is shown; empty if that is all.
std::string other_variants(const Cause& cause);
// "a statistics counter", "lazy initialization"
std::string a_noise(Noise noise);
// What there is to say of a cause after its picture, a sentence each: what its grade promises, why
// it is probably harmless, which lock did not help and what would. All reports say the same.
std::vector<std::string> remarks(const Cause& cause);
// "Seen in 3 of 8 runs, such as a.omt and b.omt; shown as in a.omt." Of a merged report.
std::string seen_by(const Cause& cause, std::span<const Report> runs);

// Lines to paste into a specification (empty if no rule can name the block) and into a suppression
// file.
std::string specification_line(const Cause& cause);
std::string suppression_line(const Cause& cause);

// " could happen (certain)"; empty for what was seen.
std::string could_happen(Status status);
// What its grade promises, as a sentence; empty for what was seen.
std::string meaning(const Cause& cause);
// "could be interrupted by deposit"
std::string could_be_interrupted(const std::vector<std::string>& partners);
// "was not atomic: deposit (worker-5) interfered", or that it could be
std::string not_atomic(const Cause& cause);
// Ends a sentence about a cause that is not explained.
inline constexpr std::string_view kNotExplained =
    "the events that show how are lost: the recent histories of the threads were overwritten";
// "audit and transfer are part of a cycle of transactions without a serial order": all that is
// known of a cycle that is not explained.
std::string in_some_cycle(const Cause& cause);
// "2 violations were seen, but the program did not describe them"
std::string undescribed(std::uint64_t count);
// "12,345"
std::string grouped(std::uint64_t number);
// "1 event", "2 events"; digits in groups of three.
std::string count_of(std::uint64_t count, std::string_view noun);
// "0.25 %"
std::string percent(const Sample& sample);
// "once", "2 times"
std::string times(std::uint64_t count);
// ", of which 1 suppressed and 2 in the baseline"; empty if it is about nothing.
std::string not_told(std::span<const Marks> marks);
// "a, b and c"; "a, b, c, d and 9 more" for long lists.
std::string listed(const std::vector<std::string>& items);

}  // namespace omnium::report
