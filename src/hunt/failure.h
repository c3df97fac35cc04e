// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that failed, as a finding of a report: which kind of failure it is, where it happened,
// and an id that is the same in every run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "support/interner.h"

namespace omnium::hunt {

// An assertion of the C library that failed.
struct Assertion {
  std::string location, function, text;  // "bank.cpp:44", "void f()", "x == 1"; no text: none
};

// How a run failed. Places are "bank.cpp:44 in Account::deposit", or empty where not known.
struct FailedRun {
  enum class Kind { kCrash, kExitStatus, kDeadlock, kHang, kUseAfterFree, kDoubleFree };
  Kind kind = Kind::kCrash;
  std::string program;  // path
  std::string what;     // "killed by SIGSEGV"
  std::string place;    // of a crash, or where freed memory was used
  std::string freed;    // then: where it was freed
  std::vector<report::LockWait> waits;
  std::string output;   // the end of what the program wrote
  Assertion assertion;  // of a crash
};

// The words that reports and rules use, the failed assertion among them: it is a crash of which
// more is known.
std::string_view to_string(FailedRun::Kind kind);
inline constexpr std::string_view kFailedAssertion = "failed assertion";

// What happened and where, for people: "killed by SIGSEGV at bank.cpp:44 in Account::deposit".
std::string in_words(const FailedRun& run);

// The id depends on the kind and on functions or the assertion, and on the name of the program
// where none is known; of a deadlock also on the names of the locks: not on lines, addresses,
// threads or times.
std::string id_of(const FailedRun& run);
// Is it the id of a failure?
bool is_failure_id(std::string_view id);

// `names` has to live as long as the cause.
report::Cause cause_of(const FailedRun& run, support::Interner& names);

}  // namespace omnium::hunt
