// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What an instrumented program tells the `omnium` process that watches it. The program sends raw
// facts (addresses, local times); names, sentences and pictures are made on the other side, so that
// almost nothing runs inside the program.
//
// Two descriptors are inherited, "SOCKET,COUNTERS" in the environment variable OMNIUM_CHANNEL: a
// SOCK_SEQPACKET socket (one message per packet, from any thread and any forked child) and a shared
// memory file that holds one Counters.
#pragma once

#include <atomic>
#include <cstdint>

namespace omnium::wire {

inline constexpr char kChannelVariable[] = "OMNIUM_CHANNEL";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kMaxFindings = 1024;  // different ones; the rest is counted together
inline constexpr std::uint32_t kMaxThreads = 1024;   // at once
inline constexpr std::uint32_t kMaxMessage = 160 * 1024;
inline constexpr std::uint32_t kMaxRules = 1 << 14;  // of a specification

// Shared memory --------------------------------------------------------------------------------

struct alignas(64) ThreadCounters {  // written by one thread
  std::uint64_t blocks, locks, atomics, live_dependencies;
};

struct Counters {
  std::atomic<std::uint32_t> numbers;             // findings that have a number: the next one's
  std::atomic<std::uint64_t> seen[kMaxFindings];  // how often each finding was seen
  std::atomic<std::uint64_t> more;                // findings beyond the table
  std::atomic<std::uint64_t> forgotten;           // dependencies lost for want of memory
  std::atomic<std::uint64_t> threads;             // ever started
  ThreadCounters thread[kMaxThreads];
  std::atomic<bool> rule_used[kMaxRules];  // it matched an annotated block that ran
};

// Messages --------------------------------------------------------------------------------------

enum class Type : std::uint32_t { kHello = 1, kModules, kFinding, kWarning, kGoodbye, kFunctions };

struct Header {
  Type type;
  std::uint32_t process;  // pid
};

// kHello: the runtime runs in this process. First message of a process, also of a forked child.
struct Hello {
  Header header;
  std::uint32_t version;
};

// kModules: what is loaded, sent before the first finding and whenever it changed.
struct Modules {
  Header header;
  std::uint32_t wants_functions;  // 1: the process waits for a kFunctions answer
  std::uint32_t count;            // Module[count] follows, then their paths, each ended by a zero
  std::uint32_t string_bytes;
};
struct Module {
  std::uint64_t bias;        // address in memory = address in the file + bias
  std::uint64_t begin, end;  // in memory
  std::uint32_t path;  // offset into the strings; of the main program what /proc/self/exe says
  std::uint32_t instrumented;
};

// kFunctions, the only message to the program: functions of the modules by their addresses in
// memory, FunctionRange[count] follows. With blocks=functions those that the specification
// excludes, else those that it names. `more`: another message with the rest follows.
struct FunctionRange {
  std::uint64_t begin, end;
};
struct Functions {
  Header header;
  std::uint32_t count;
  std::uint32_t more;
};

// kWarning: Header, then text without an end mark, for the person who runs the program.
// kGoodbye: Header; the process ends in order.

enum class EntryKind : std::uint8_t {
  kBegin,
  kEnd,
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicWrite,
  kAcquire,
  kRelease,
  kReadAcquire,
  kReadRelease,
  kWriteAcquire,
  kWriteRelease,
  kContribute,
  kCollect,
  kFork,
  kJoin,
};

// One event of a thread's recent history. The two ends of a step are found among the entries by
// thread, time, object and kind (fork and join: by thread and kind); an end that is not there any
// more is put where its time says.
struct Entry {
  std::uint64_t
      object;        // address; kBegin, kEnd: index of a Label; kFork, kJoin: number of the thread
  std::uint64_t pc;  // return address: the instruction before it is the place
  std::uint64_t time;    // the thread's local time, advanced by the event if it advances it
  std::uint64_t stamp;   // orders entries of different threads; 0: right after the entry before it
  std::uint32_t thread;  // index of a Thread
  EntryKind kind;
  std::uint8_t size;  // bytes, of a read or write (a range is cut into pieces of up to 8)
  std::uint16_t unused;
};

enum class StepKind : std::uint8_t {
  kWriteRead,
  kReadWrite,
  kWriteWrite,
  kReleaseAcquire,
  kFork,
  kJoin,
  kMeeting,
};

// A dependency of the witness; the last step closes the cycle.
struct Step {
  std::uint64_t object;
  std::uint64_t from_time, to_time;
  std::uint64_t from_pc, to_pc;          // 0: not known any more
  std::uint32_t from_thread, to_thread;  // indices of Threads
  StepKind kind;
  std::uint8_t from_atomic, to_atomic;  // 0 or 1
  std::uint8_t size;
  std::uint32_t unused;
};

struct Thread {
  std::uint64_t start_function;          // 0: the main thread
  std::uint64_t stack_begin, stack_end;  // 0: not known
  std::uint32_t number;                  // 0, 1, ... in the order of creation, never used twice
  std::uint32_t name;                    // offset into the strings; empty if it has none
};

// The name of a block: an annotation's string or a function.
struct Label {
  std::uint64_t function;  // 0: `name` holds it
  std::uint32_t name;
  std::uint32_t unused;
};

// A block of the violating transaction, outermost first.
struct Block {
  std::uint32_t label;
  std::uint32_t refuted;  // 0 or 1
  std::uint64_t begin_time, begin_pc;
};

// A heap block that holds objects of steps or entries.
struct HeapBlock {
  std::uint64_t address, size, pc;
  std::uint32_t thread_number;
  std::uint32_t unused;
};

// kFinding: the arrays follow in the order of the counts, then the strings, each ended by a zero.
// Entries are grouped by thread and in program order within one. The violating transaction is that
// of `thread` (an index of a Thread); the sink of the last step is its latest event, and need not
// be among its entries yet.
struct Finding {
  Header header;
  std::uint32_t number;      // index into Counters::seen, taken from Counters::numbers
  std::uint32_t increasing;  // 1: a violating transaction; 0: only the cycle of transactions
  std::uint32_t thread;
  std::uint32_t thread_count;  // Thread
  std::uint32_t label_count;   // Label
  std::uint32_t block_count;   // Block
  std::uint32_t step_count;    // Step
  std::uint32_t entry_count;   // Entry
  std::uint32_t heap_count;    // HeapBlock
  std::uint32_t stack_count;   // std::uint64_t: the violating thread's stack, innermost first
  std::uint32_t string_bytes;
};

}  // namespace omnium::wire
