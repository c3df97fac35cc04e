// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Listens to a running program: prints each finding the first time it is seen, and counts it
// afterwards. What the program says is not trusted: however much it sends, and whatever that says,
// it takes bounded time and memory (docs/security.md).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "event/check_mode.h"
#include "report/report.h"
#include "report/text.h"
#include "spec/specification.h"
#include "spec/unused_rules.h"
#include "support/byte_sink.h"
#include "support/run_id.h"
#include "symbols/address_space.h"
#include "watch/channel.h"
#include "watch/message.h"
#include "watch/run_findings.h"

namespace omnium::watch {

struct WatchSettings {
  std::string program;  // empty: the first one that sends kHello
  report::TextStyle style;
  Specification specification;
  bool functions_are_blocks = false;  // all but those that the specification excludes
  // What to do if functions are blocks only because no block is annotated; empty: that is not told.
  std::string about_functions = "--blocks annotated: none is";
  bool source = false;                                                 // source lines with findings
  std::function<void(report::Report&)> mark = [](report::Report&) {};  // marks suppressed causes
};

class Watcher {
 public:
  // Findings, warnings and summaries go to `log`.
  Watcher(WatchSettings settings, Channel& channel, support::ByteSink& log)
      : settings_(std::move(settings)),
        channel_(channel),
        log_(log),
        unused_(settings_.specification) {}

  void receive(const Channel::Packet& packet);

  // The program has ended, with such a status of wait(). Later summaries say how, if that was no
  // success: the status of `omnium run` does not tell.
  void program_ended(int status) { status_ = status; }
  // The run is over: prints the findings that could have turned out to be none until now.
  void tell_rest();
  // Prints a summary of what was found so far.
  void print_summary(bool with_stats);
  // The run is over: which lines of the specification matched nothing?
  void warn_of_unused_rules();

  report::Report report() const {
    report::Report out = findings_.report(settings_.program, mode_, channel_.counters());
    out.run_id = run_id_;
    out.sample = sample_;
    return out;
  }
  // The labels of the blocks that were refuted, sorted.
  std::set<std::string> refuted_labels() const;
  // The place of an instruction, by the address that a call there returns to; empty if it is not
  // known. The process has not said goodbye.
  std::string place(std::uint32_t process, std::uint64_t pc);
  // "account.mutex"; empty if it is not known. `process` is a pid.
  std::string object(std::uint32_t process, std::uint64_t address);
  bool found() const { return report().serializable == false; }
  // Has an instrumented program run at all?
  bool greeted() const { return greeted_; }

 private:
  void handle(const Message& message);
  void load(std::uint32_t process, const ModulesMessage& modules);
  void send_functions(symbols::AddressSpace& memory, bool all);
  void note_blocks(std::uint32_t process, const HelloMessage& hello);
  symbols::AddressSpace& memory_of(std::uint32_t process);
  void tell(std::uint32_t process, const FindingMessage& message);
  std::string text_of(const report::Report& finding) const;
  void warn(std::string_view text);
  void warn_for_program(std::string_view text);

  WatchSettings settings_;
  Channel& channel_;
  support::ByteSink& log_;
  int status_ = 0;
  symbols::Binaries binaries_;
  std::map<std::uint32_t, symbols::AddressSpace> processes_;
  RunFindings findings_;
  UnusedRules unused_;
  bool greeted_ = false;
  const std::string run_id_ = support::random_run_id();
  CheckMode mode_ = kDefaultMode;           // what the program checks, as its greeting says
  std::optional<report::Sample> sample_;    // as the first greeting with one says
  std::set<std::uint32_t> with_functions_;  // processes in which all functions are blocks
  bool all_functions_ = false;              // in some process
  bool told_default_ = false;               // that functions are blocks by default
  std::set<std::uint32_t> told_;            // numbers of findings
  std::uint64_t broken_ = 0;                // packets that could not be read
  std::uint64_t warnings_ = 0;              // of the program
};

}  // namespace omnium::watch
