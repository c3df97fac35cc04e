// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The options of the runtime: what the program returns from __omnium_default_options(), and then
// OMNIUM_OPTIONS=key=value:key=value. The table below has all of them; `help=1` prints it.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

#include "event/check_mode.h"
#include "wire/share.h"

namespace omnium::runtime {

enum class Blocks { kAnnotated, kFunctions, kLocks };

// clang-format off
#define OMNIUM_RUNTIME_OPTIONS(X)                                                             \
  X(spec,          "FILE: which blocks should be atomic (default: every annotated block)")    \
  X(blocks,        "annotated (default), functions, locks or functions,locks")                  \
  X(undeclared,    "functions: they are blocks if the program annotates none, without a spec") \
  X(refine,        "0: with blocks=functions, report a function again after it was refuted")  \
  X(conflicts,     "data: ignore lock-order conflicts; all: as in the papers")                 \
  X(waits,         "split: cut a block where it waits or retries; keep: never")               \
  X(sample,        "P: judge P percent of the blocks, chosen at random (default: 100)")        \
  X(sample_seed,   "SEED: of that choice (default: another one each time)")                    \
  X(perturb,       "SEED: delay threads at random")                                            \
  X(pause,         "SEED: pause where a block may stop being atomic; 0: 100 ms each time")      \
  X(unprotected,   "FILE: accesses here may be interrupted, as far as pauses are concerned")      \
  X(steer,         "FILE: make these accesses happen in this order")                           \
  X(patience,      "MILLISECONDS: wait for others at least so long, where steered")              \
  X(serial,        "FILE: one thread at a time, as this board says")                              \
  X(random,        "SEED: the program draws the same random numbers in each run")                \
  X(hunted,        "1: tell the watcher where the program crashed, and end with the watcher")    \
  X(halt_on_error, "1: stop the program at the first finding")                                \
  X(check,         "0: do not check (record only)")                                           \
  X(record,        "FILE: write the raw log of omnium record here")                           \
  X(record_for,    "check: leave out what only predictions need; everything: leave out nothing") \
  X(record_live,   "1: omnium run reads the log while it is written")                          \
  X(log_path,      "FILE: write findings here (default: standard error)")                     \
  X(format,        "NAME: format of the report: text (default), json, html, ...")             \
  X(output,        "FILE: write a full report here at exit")                                  \
  X(suppressions,  "FILE: suppression file")                                                  \
  X(exitcode,      "N: exit status if there are findings (default 66)")                       \
  X(stats,         "1: print counters in the summary")                                        \
  X(stacks,        "1: show stacks in findings")                                              \
  X(help,          "1: print this list")
// clang-format on

// The text of an option; "" if it was not given.
struct Options {
#define OMNIUM_DECLARE(name, help) char name[1024];
  OMNIUM_RUNTIME_OPTIONS(OMNIUM_DECLARE)
#undef OMNIUM_DECLARE
  Blocks block_mode = Blocks::kAnnotated;
  bool sections_are_blocks = false;  // critical sections, alone or besides functions
  bool functions_by_default = false;  // no block is annotated
  // A function that was refuted is reported once, and is no block any more.
  bool refines = false;
  CheckMode mode = kDefaultMode;
  bool checks = true;
  // The order in which threads take a lock matters (and checks).
  bool checks_locks = true;
  // A block is cut where its thread waits or retries (and checks).
  bool splits = false;
  // Not all blocks are judged (docs/runtime/sampling.md).
  bool samples = false;
  wire::Share share = wire::kWhole;
  std::uint64_t seed = 0;

  int exit_status() const;
  bool flag(const char* value) const { return value[0] == '1'; }
};

extern Options options;

// Ends the program with a message if an option is wrong.
void read_options();
// Ends the program: the value of an option is wrong.
[[noreturn]] void refuse_value(const char* what, const char* value);

// The options that the watcher must know, as arguments of `omnium watch`. Returns their number.
std::size_t watcher_arguments(const char** arguments, std::size_t most);

}  // namespace omnium::runtime
