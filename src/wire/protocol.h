// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The messages from an instrumented program to the `omnium` process that watches it. The program
// sends raw facts (addresses, local times). Names, sentences and pictures are made by the watcher,
// so that as little as possible runs inside the program.
//
// The program inherits two descriptors: a SOCK_SEQPACKET socket (one message per packet, from any
// thread and any forked child) and a memory file that holds one Counters and is sealed against
// changes of its size. The environment variable OMNIUM_CHANNEL says which they are:
//
//   SOCKET,COUNTERS,INODE OF THE SOCKET,INODE OF THE COUNTERS,ADDRESS
//
// A process whose descriptors were closed, or lead to other files now, connects to the abstract
// socket ADDRESS. The first message on a new connection is kCounters.
#pragma once

#include <atomic>
#include <cstdint>

namespace omnium::wire {

inline constexpr char kChannelVariable[] = "OMNIUM_CHANNEL";
inline constexpr std::uint32_t kVersion = 9;
inline constexpr std::uint32_t kMaxFindings = 1024;  // different ones; others are only counted
inline constexpr std::uint32_t kMaxThreads = 1024;   // at once
inline constexpr std::uint32_t kMaxMessage = 160 * 1024;
inline constexpr std::uint32_t kMaxRules = 1 << 14;  // of a specification
inline constexpr std::uint32_t kMaxModules = 256;
inline constexpr std::uint32_t kMaxRefuted = 4096;             // functions in a kRefuted message
inline constexpr std::uint32_t kMaxFunctions = (1 << 20) - 2;  // in an answer

// Shared memory --------------------------------------------------------------------------------

struct alignas(64) ThreadCounters {  // written by one thread
  std::uint64_t blocks, locks, atomics, live_dependencies;
  std::uint64_t passed_over;  // blocks that are not judged (docs/runtime/sampling.md)
};

// What a thread did to heap memory that was freed (docs/hunting.md).
enum class MemoryErrorKind : std::uint32_t { kNone, kRead, kWrite, kLock, kDoubleFree };
struct MemoryError {
  std::atomic<std::uint32_t> taken;    // 1: a thread is writing what follows, or has done so
  std::atomic<MemoryErrorKind> kind;   // written last
  std::atomic<std::uint32_t> process;  // its number
  std::atomic<std::uint64_t> pc, freed_pc;
};

// Where a process crashed, if that was asked for: the instruction of the program's own code that
// did it, or called what did it, as a return address. The last one to crash counts.
struct CrashPlace {
  std::atomic<std::uint64_t> pc;
  std::atomic<std::uint32_t> process;  // its number, written last; 0: none has crashed
};

// The assertion of the C library that failed in a process, if that was asked for. Only the first
// one counts. Texts are cut off at their end, and end with a zero.
struct FailedAssertion {
  std::atomic<std::uint32_t> taken;    // 1: a thread is writing what follows, or has done so
  std::atomic<std::uint32_t> process;  // its number, written last; 0: none has failed
  std::uint32_t line;
  char file[256], function[512], condition[512];
};

struct Counters {
  std::atomic<std::uint32_t> numbers;             // the number that the next new finding gets
  std::atomic<std::uint64_t> seen[kMaxFindings];  // how often each finding was seen
  std::atomic<std::uint64_t> more;                // findings that got no number
  std::atomic<std::uint64_t> forgotten;           // dependencies lost because memory ran out
  std::atomic<std::uint64_t> threads;             // ever started
  // How a steered run went (docs/hunting.md).
  std::atomic<std::uint32_t> steered_steps;     // how many steps of its target happened, at most
  std::atomic<std::uint32_t> steered_to_end;    // how often all of them did
  std::atomic<std::uint32_t> steering_blocked;  // a thread went on since nobody else could
  std::atomic<std::uint32_t> steering_late;     // a thread went on since nobody came for long
  MemoryError memory_error;
  CrashPlace crash_place;
  FailedAssertion failed_assertion;
  ThreadCounters thread[kMaxThreads];
  std::atomic<bool> rule_used[kMaxRules];  // the rule matched an annotated block that ran
};

// Messages --------------------------------------------------------------------------------------

enum class Type : std::uint32_t {
  kHello = 1,
  kModules,
  kFinding,
  kWarning,
  kGoodbye,
  kFunctions,
  kCounters,
  kRefuted,
};

struct Header {
  Type type;
  std::uint32_t process;  // pid; the watcher believes the kernel instead, where that knows it
};

// kHello: the first message of every process that the runtime runs in, forked children included.
struct Hello {
  Header header;
  std::uint32_t version;
  std::uint8_t conflicts;  // a Conflicts: what the process checks (event/check_mode.h)
  std::uint8_t waits;      // a Waits
  // All functions are blocks: because that was asked for, or because no block is annotated.
  std::uint8_t functions_are_blocks;
  std::uint8_t functions_by_default;
  std::uint32_t share;  // of the blocks that it judges: a Share (wire/share.h)
  std::uint32_t unused;
  std::uint64_t seed;  // of the choice, if that is not all of them
};

// kModules: what is loaded. Sent before the first finding, and before later ones if it has changed.
// A process that wants functions sends a descriptor along: a socket of its own for the answer,
// since all processes read from the channel.
struct Modules {
  Header header;
  std::uint32_t wants_functions;  // 1: the process waits for a kFunctions answer
  std::uint32_t count;            // Module[count] follows, then their paths, each ended by a zero
  std::uint32_t string_bytes;
};
struct Module {
  std::uint64_t bias;        // address in memory = address in the file + bias
  std::uint64_t begin, end;  // in memory
  std::uint32_t path;  // offset into the strings; for the main program, where /proc/self/exe leads
  std::uint32_t instrumented;
};

// kFunctions: the answer, with the descriptor of a memory file: FunctionRange[count], the addresses
// of functions in memory, in their order. With blocks=functions these are the functions that are no
// blocks, otherwise those that the specification names.
struct FunctionRange {
  std::uint64_t begin, end;
  std::uint64_t library;  // 1: a function of the C++ library's headers
};
struct Functions {
  Header header;
  std::uint32_t count;
  std::uint32_t unused;
};

// kCounters: Header, with the descriptor of the counters. To a process that has connected.
// kWarning: Header, then text without a final zero, for the person who runs the program.
// kRefuted: Header, then a std::uint64_t per function that was refuted in a run with refinement: an
// address in it. Sent before kGoodbye. Most of them are known from findings.
// kGoodbye: Header alone. The process ends normally.

enum class EntryKind : std::uint8_t {
  kBegin,
  kEnd,
  kRead,
  kWrite,
  kAtomicRead,   // and an attempt that failed
  kAtomicWrite,  // a store
  kUpdate,       // an atomic read-modify-write
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

// Of a lock, or of one side of it.
constexpr bool is_acquire(EntryKind kind) {
  return kind == EntryKind::kAcquire || kind == EntryKind::kReadAcquire ||
         kind == EntryKind::kWriteAcquire;
}
constexpr bool is_release(EntryKind kind) {
  return kind == EntryKind::kRelease || kind == EntryKind::kReadRelease ||
         kind == EntryKind::kWriteRelease;
}

// Bits of the size of a kBegin or kEnd.
inline constexpr std::uint8_t kIsFunction = 1;   // the block is a function
inline constexpr std::uint8_t kIsPart = 2;       // it is cut here: it ends and begins again
inline constexpr std::uint8_t kIsOutermost = 4;  // no block is around it

inline constexpr std::uint8_t kMostBytesOfEntry = 128;

// One event of a thread's recent history. The watcher looks up the two ends of a step among the
// entries, by thread, time, object and kind (of a fork or join, by thread and kind). If the entry
// has been overwritten, the watcher puts the end where its time belongs.
struct Entry {
  std::uint64_t
      object;        // address; kBegin, kEnd: index of a Label; kFork, kJoin: number of the thread
  std::uint64_t pc;  // a return address: the event is the instruction before it
  std::uint64_t time;  // the thread's local time after the event
  std::uint64_t
      stamp;  // orders entries of different threads; 0: directly after the entry before it
  std::uint32_t thread;  // index of a Thread
  EntryKind kind;
  std::uint8_t size;  // in bytes, of a read or write (an entry may have many pieces of a range,
                      // each of 8 bytes); of a kBegin or kEnd: bits, see above
  std::uint16_t unused;
};

// How memory is accessed.
enum class Atomicity : std::uint8_t { kPlain, kAtomic, kUpdate };
constexpr Atomicity atomicity_of(EntryKind kind) {
  if (kind == EntryKind::kUpdate) return Atomicity::kUpdate;
  const bool atomic = kind == EntryKind::kAtomicRead || kind == EntryKind::kAtomicWrite;
  return atomic ? Atomicity::kAtomic : Atomicity::kPlain;
}

enum class StepKind : std::uint8_t {
  kWriteRead,
  kReadWrite,
  kWriteWrite,
  kReleaseAcquire,
  kFork,
  kJoin,
  kMeeting,
};

inline constexpr std::uint32_t kUnknownTxn = ~0u;  // not known any more
inline constexpr std::uint32_t kNoTxn = ~0u - 1;   // the end is outside of blocks

// A dependency of the witness; the last step closes the cycle.
struct Step {
  std::uint64_t object;
  std::uint64_t from_time, to_time;
  std::uint64_t from_pc, to_pc;          // 0: has been overwritten
  std::uint32_t from_thread, to_thread;  // indices of Threads
  StepKind kind;
  Atomicity from_access, to_access;
  std::uint8_t size;
  std::uint32_t unused;
  std::uint32_t from_txn = kUnknownTxn, to_txn = kUnknownTxn;  // indices of Txns
  std::uint64_t unused_too = 0;
};

// A transaction that an end of a step is in: the outermost block, or its part.
struct Txn {
  std::uint64_t begin_time, begin_pc;
  std::uint32_t thread, label;
};

struct Thread {
  std::uint64_t start_function;          // 0: the main thread
  std::uint64_t stack_begin, stack_end;  // 0: not known
  std::uint32_t number;                  // 0, 1, ... in the order of creation, never used twice
  std::uint32_t name;                    // offset into the strings; empty if it has none
  std::uint32_t txn;                     // the Txn that is open before its first entry
  std::uint32_t unused;
};

// The name of a block: an annotation's string or a function.
struct Label {
  std::uint64_t function;  // 0: an annotation, whose text is `name`
  std::uint32_t name;
  std::uint32_t unused;
};

// A block of the violating transaction. The outermost comes first.
struct Block {
  std::uint32_t label;
  std::uint32_t refuted;  // 0 or 1
  std::uint64_t begin_time, begin_pc;
  std::uint64_t waited_pc;  // not 0: only a part of the block, which began where its thread waited
};

// A heap block that contains the object of a step or an entry.
struct HeapBlock {
  std::uint64_t address, size, pc;
  std::uint32_t thread_number;
  std::uint32_t unused;
};

// kFinding: the arrays follow in the order of the counts, then the strings, each with a final zero.
// Entries are grouped by thread, and in program order within a thread. `thread` is the index of the
// Thread whose transaction is violated. The sink of the last step need not be among its entries
// yet.
struct Finding {
  // More than this is never sent.
  static constexpr std::uint32_t kSteps = 501, kThreads = kSteps + 1, kTxns = 2 * kThreads,
                                 kLabels = 1024, kBlocks = 128, kEntries = 2600, kHeapBlocks = 64,
                                 kStack = 64, kStrings = 16384;

  Header header;
  std::uint32_t number;      // index into Counters::seen, taken from Counters::numbers; each once
  std::uint32_t increasing;  // 1: a violating transaction; 0: only the cycle of transactions
  std::uint32_t thread;
  std::uint32_t thread_count;  // Thread
  std::uint32_t label_count;   // Label
  std::uint32_t block_count;   // Block
  std::uint32_t step_count;    // Step
  std::uint32_t txn_count;     // Txn
  std::uint32_t complete;  // 1: the steps lead from the transaction back to it; 0: some are missing
  std::uint32_t entry_count;    // Entry
  std::uint32_t closing_entry;  // no earlier Entry is the sink of the last step; may be entry_count
  std::uint32_t heap_count;     // HeapBlock
  std::uint32_t
      stack_count;  // std::uint64_t: the stack of the violating thread, innermost frame first
  std::uint32_t string_bytes;
  std::uint32_t by_function;  // 1: blocks are functions that nobody declared, and each is told once
  std::uint32_t refines;      // 1: a function that was refuted is no block any more
};

}  // namespace omnium::wire
