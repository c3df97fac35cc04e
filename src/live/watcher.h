// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Listens to a running program: tells what it finds at once, the first time, and counts the rest.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "live/message.h"
#include "live/protocol.h"
#include "live/run_findings.h"
#include "report/report.h"
#include "report/text.h"
#include "support/byte_sink.h"
#include "symbols/address_space.h"

namespace omnium::live {

class Watcher {
 public:
  // Findings, warnings and summaries go to `log`.
  Watcher(std::string program, const Counters& counters, report::TextStyle style,
          support::ByteSink& log);

  void receive(std::span<const std::byte> packet);

  // What was found so far, in short.
  void print_summary(bool with_stats);

  report::Report report() const { return findings_.report(program_, counters_); }
  bool found() const { return !findings_.empty(); }
  // Has an instrumented program run at all?
  bool greeted() const { return greeted_; }

 private:
  void handle(const Message& message);
  void load(std::uint32_t process, const ModulesMessage& modules);
  void tell(std::uint32_t process, const FindingMessage& message);
  void warn(std::string_view text);

  std::string program_;
  const Counters& counters_;
  report::TextStyle style_;
  support::ByteSink& log_;
  symbols::Binaries binaries_;
  std::map<std::uint32_t, symbols::AddressSpace> processes_;
  RunFindings findings_;
  bool greeted_ = false;
  std::uint64_t broken_ = 0;       // packets that could not be read
  std::uint64_t unconfirmed_ = 0;  // findings that the engine did not confirm
};

}  // namespace omnium::live
