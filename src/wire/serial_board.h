// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The board of a serial run (docs/hunting.md): a file that `omnium hunt` and the runtime map both.
// It says how the run is to go, and keeps what was decided, also if the program crashes.
#pragma once

#include <atomic>
#include <cstdint>

namespace omnium::wire {

inline constexpr std::uint32_t kSerialVersion = 4;

// A thread by its creation: "0.1" is the second thread that the main thread ("0") has created.
struct SerialPath {
  char text[32];
};

struct SerialModule {
  char path[256];
  std::uint64_t begin, end;  // in memory
  std::uint64_t bias;        // address in memory = address in the file + bias
};

// Where a thread can be stopped: an instruction of a module, as a return address.
struct SerialPlace {
  std::uint32_t module;
  std::uint32_t unused;
  std::uint64_t address;  // in the file
};

// "At this visit of the place by the thread `from`, `to` goes on." If it is forced: "when `from`
// cannot go on for the so-manieth time". What is not listed goes by the default rule.
struct SerialSwitch {
  SerialPath from, to;
  SerialPlace place;
  std::uint32_t visit;   // from 1
  std::uint8_t forced;   // 1: the place does not matter
  std::uint8_t reached;  // 1: it came to that, and `to` went on
  std::uint16_t unused;
  std::uint64_t time;  // of those that were made: how many points there were before
};

enum class SerialStrategy : std::uint32_t {
  kFollow,
  kWalk,
  kPriorities,
  kPartialOrder,
  kWeighted,
  kPlaces,  // priorities of places
  kRule,    // the board's `rule`
  kSteps,   // those of a target: the option `steer`
};

// Who goes last, or how turns are taken. Each of those before kTurns has a number, and its number
// plus kTurns is the same with younger threads first. Then follow turns of one point, of two, …
enum class SerialRule : std::uint32_t {
  kTurnsOfWrites,     // whoever has just written; and if all have, they take turns
  kWritesLast,        // whoever is about to write
  kAfterReadLast,     // whoever has just read
  kNestedLast,        // whoever has a lock, and is about to take another one
  kAfterWriteLast,    // whoever has just written
  kAfterReleaseLast,  // whoever has just given a lock back
  kAlike,             // whoever was at any place more often than others
  kReadsLast,         // whoever is about to read
  kTurns,
};
inline constexpr std::uint32_t kLongestTurn = 6;
inline constexpr std::uint32_t kSerialRules =
    2 * static_cast<std::uint32_t>(SerialRule::kTurns) + kLongestTurn;

// Why a run is not serial any more.
enum class SerialOff : std::uint32_t {
  kNot,
  kThreads,  // there are too many
  kStuck,    // the thread whose turn it was ran for long without coming to a point
  kStart,    // a new thread did not begin
  kPoints,   // it went on for too many points
};

struct SerialThreadCount {
  SerialPath path;
  std::uint64_t points;
};

struct SerialPoint {
  std::uint32_t thread;  // its place among the counts
  std::uint32_t visit;
  std::uint64_t pc;
};

struct SerialBoard {
  static constexpr std::uint32_t kMostModules = 16, kMostPlaces = 8192, kMostSwitches = 8192,
                                 kMostThreads = 256, kMostPoints = 1 << 16, kFeatureWords = 8192;
  // What is wanted ------------------------------------------------------------------------------
  std::uint32_t version;
  SerialStrategy strategy;
  std::uint64_t seed;
  std::uint64_t length;       // about how many points there will be
  std::uint64_t begin;        // when the strategy begins; before, only the switches below are made
  std::uint64_t clock_start;  // of a virtual clock: the date at the start, in seconds; 0: none
  std::uint32_t depth;        // of kPriorities: how many times priorities change, and one
  std::uint32_t loose;        // 1: go on if a switch cannot be made
  std::uint32_t hasty;     // 1: sleeps and time limits are over at once, for the order of threads
  std::uint32_t selected;  // of kWeighted: one of how many places is a point; 0, 1: each
  std::uint32_t rule;      // of kRule: a SerialRule
  std::uint32_t wanted_modules, wanted_places, wanted_switches, wanted_counts;
  char module_paths[kMostModules][256];
  SerialPlace places[kMostPlaces];  // plain accesses that are points
  SerialSwitch switches[kMostSwitches];
  SerialThreadCount counts[kMostThreads];
  std::uint64_t known[kFeatureWords];  // features of earlier runs

  // What happened -------------------------------------------------------------------------------
  std::atomic<SerialOff> off;
  std::atomic<std::uint32_t> started;    // 1: the runtime has read the board
  std::atomic<std::uint32_t> unsettled;  // a thread ran for long that was in no queue: the next
                                         // decision may have depended on time
  std::atomic<std::uint32_t> timed;      // how often a thread slept, or waited with a time limit
  std::atomic<std::uint32_t> diverged;  // number of the first wanted switch that could not be made,
                                        // from 1
  std::atomic<std::uint32_t> modules_seen, threads_seen, places_seen, switches_made, points_seen;
  SerialModule modules[kMostModules];
  SerialThreadCount thread_counts[kMostThreads];
  std::uint64_t shared_places[kMostPlaces];  // in memory: accesses that more threads care about
  SerialSwitch made[kMostSwitches];          // places in memory, of module 0
  SerialPoint points[kMostPoints];           // in the order in which they came
  // What is special about the run, a bit for each feature, by a hash: who read from whom after
  // whom, and at which places all threads were at the same time.
  std::uint64_t features[kFeatureWords];
  std::uint64_t last_new;  // when the latest feature was seen that is not known
};

}  // namespace omnium::wire
