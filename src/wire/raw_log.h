// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The raw log that a recorded program writes, byte for byte (docs/formats/raw-log.md). `omnium
// record` converts it to a trace.
//
// The file is a sequence of 64 KB pieces: first a RawHeader, then blocks of records. A block
// belongs to one thread; blocks come in any order. The block that a thread is filling is also in
// the file, mapped into the program, so that nothing is lost when the program is killed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace omnium::wire {

inline constexpr char kRawMagic[9] = "\x89OMR\r\n\x1a\n";
inline constexpr std::uint32_t kRawVersion = 5;
inline constexpr std::size_t kRawPieceBytes = 64 * 1024;

struct RawHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t process;                  // pid
  std::atomic<std::uint64_t> stop_clock;  // events from this clock on may be missing; 0: none are
  std::atomic<std::uint32_t> stop_error;  // errno of what stopped the recording
  std::atomic<std::uint32_t> ended;       // the process ended normally
  std::uint32_t keeps;                    // a RawKeeps
  std::uint32_t takes_undeclared;         // 1: its blocks are undeclared functions
  // If the log is read while it is written (docs/runtime/following.md), 0 otherwise.
  std::atomic<std::uint64_t> complete_clock;  // all events with lower clocks are in the log
  std::atomic<std::uint64_t> blocks_taken;    // sealed blocks that the reader has done with
  std::atomic<std::uint32_t> asked;  // the reader adds 1 if it wants to know complete_clock
  std::uint32_t is_followed;
};
static_assert(sizeof(RawHeader) == 64);

// The reader of a log that is followed has a lock (fcntl) on this byte of the file.
inline constexpr std::uint64_t kRawReaderByte = std::uint64_t{1} << 62;

enum class RawKeeps : std::uint32_t {
  kShared,      // every access; those of memory that is not shared need not get into the trace
  kForCheck,    // accesses that do not matter to checks are missing
  kEverything,  // every access, and all of them get into the trace
};

// Kinds of records. `object` is an address unless a comment says otherwise.
enum class RawKind : std::uint8_t {
  kNone,  // not a record: the rest of a block that is not full
  kRead,  // 1 to 1023 bytes; longer ranges are cut
  kWrite,
  kAtomicRead,  // this one and the next three have at most 16 bytes
  kAtomicWrite,
  kRetry,   // an attempt that failed: only reads
  kUpdate,  // an atomic read-modify-write; the last kind of access
  kAcquire,
  kRelease,
  kSharedAcquire,  // of a reader-writer lock
  kSharedRelease,
  kWait,             // for a condition: gives the lock up
  kResume,           // has the lock again
  kBusy,             // a try to take the lock failed: another thread held it
  kTry,              // the acquire of this lock that comes next is a try that succeeded
  kContribute,       // to a meeting; its number is the operand, its kind (RawMeeting) the size
  kFirstContribute,  // from here on the number means a new meeting
  kCollect,          // from it; unless the kind is kAwaited it only comes behind them
  kFork,             // object: number of the thread
  kJoin,
  kBegin,          // object: address of the label's text
  kBeginFunction,  // object: address of the function
  kEnd,
  kThreadBegin,  // the first event of the thread, unless it is the first thread
  kThreadEnd,    // the last event of the thread
  kForget,       // the bytes are a new object from now on; the place is the number of bytes
  kFree,         // the bytes are freed: that writes what other threads touched; operand: the place
  kForgetLock,   // the next lock at this address is a new one
  kAllocate,     // a block of the heap; its size is the operand
  kOperand,      // `more` is an operand of the next record
  kClock,        // `more` is the clock of the records that follow
  kRepeat,       // the access before it was repeated `more` times, each `object` bytes further
  kLoop,         // `size` accesses came three times before it, and go on for `more` accesses
  kThreadStart,  // object: the start function, 0 if there is none
  // The kinds from here on have text: `size` bytes of it follow, padded to whole records.
  kThreadName,
  kLabel,   // object: the address that kBegin uses
  kModule,  // a RawModule, then its path
  kBodyCall,  // a RawBodyCall; object: the function
};

// Of a kind of access.
constexpr bool is_write(RawKind kind) {
  return kind == RawKind::kWrite || kind == RawKind::kAtomicWrite || kind == RawKind::kUpdate;
}

// Who collects from a meeting.
enum class RawMeeting : std::uint8_t {
  kAwaited,     // threads that have waited for the contributions
  kReferences,  // who drops the last reference to an object; to drop one contributes
  kFollowed,    // who comes behind the contributions in every run, without having waited for them
};

// Only the functions below know where the bits are.
struct RawRecord {
  std::uint64_t what;  // object << 16 | size << 6 | kind
  std::uint64_t more;  // clock since the record before << 48 | place (a return address)
};
static_assert(sizeof(RawRecord) == 16);

inline constexpr unsigned kRawSizeBits = 10;
inline constexpr std::uint32_t kRawMaxSize = (1u << kRawSizeBits) - 1;
inline constexpr std::uint64_t kRawMaxRepeats = 4096;
inline constexpr std::uint32_t kRawLongestLoop = 32;
inline constexpr std::uint64_t kRawMaxLooped = 8192;
inline constexpr std::uint64_t kRawPlaceMask = (std::uint64_t{1} << 48) - 1;

constexpr RawKind kind_of(const RawRecord& record) {
  return static_cast<RawKind>(record.what & 63);
}
constexpr std::uint32_t size_of(const RawRecord& record) { return record.what >> 6 & kRawMaxSize; }
constexpr std::uint64_t object_of(const RawRecord& record) { return record.what >> 16; }
constexpr RawMeeting meeting_of(const RawRecord& record) {
  return static_cast<RawMeeting>(size_of(record));
}
constexpr std::int64_t stride_of(const RawRecord& repeat) {
  return static_cast<std::int64_t>(repeat.what) >> 16;
}
constexpr std::uint64_t place_of(const RawRecord& record) { return record.more & kRawPlaceMask; }
constexpr std::uint64_t clock_step_of(const RawRecord& record) { return record.more >> 48; }

constexpr RawRecord make_record(RawKind kind, std::uint64_t object, std::uint32_t size,
                                std::uint64_t clock_step, std::uint64_t place) {
  return {object << 16 | std::uint64_t{size} << 6 | static_cast<std::uint64_t>(kind),
          clock_step << 48 | (place & kRawPlaceMask)};
}
// A record of kind kOperand or kClock, which is no event.
constexpr RawRecord make_aside(RawKind kind, std::uint64_t more) {
  return {static_cast<std::uint64_t>(kind), more};
}
constexpr RawRecord make_repeat(std::uint64_t stride) {
  return {stride << 16 | static_cast<std::uint64_t>(RawKind::kRepeat), 0};
}
constexpr RawRecord make_loop(std::uint32_t length) {
  return {std::uint64_t{length} << 6 | static_cast<std::uint64_t>(RawKind::kLoop), 0};
}
// Do the accesses of both records have the same kind and size?
constexpr bool is_same_access(const RawRecord& a, const RawRecord& b) {
  return ((a.what ^ b.what) & 0xffff) == 0;
}
// Makes the access of the record longer.
constexpr void add_size(RawRecord& record, std::uint32_t size) {
  record.what += std::uint64_t{size} << 6;
}

// How many records the text of a record fills.
constexpr std::size_t text_records(const RawRecord& record) {
  return kind_of(record) < RawKind::kThreadName
             ? 0
             : (size_of(record) + sizeof(RawRecord) - 1) / sizeof(RawRecord);
}

struct RawModule {
  std::uint64_t bias;        // address in memory = address in the file + bias
  std::uint64_t begin, end;  // in memory
  std::uint64_t modified;    // wire::file_time of its file
};

// What is known of the block that is the first call of a thread's body, if functions are blocks.
enum class RawBodyCallFact : std::uint64_t {
  kBegins,  // the body of the thread has called nothing else so far
  kLoops,
  kIsNotAlone,  // the body calls something else, too
};
struct RawBodyCall {
  std::uint64_t block;  // which one of all blocks of the thread, from 1 on
  RawBodyCallFact fact;
};

// The header of a block; its records follow.
struct RawBlock {
  std::uint32_t magic;
  std::uint32_t thread;  // number, 0, 1, ... in the order of creation, never used twice
  std::uint64_t sequence;
  std::uint64_t first_clock;         // the clock before the first record
  std::atomic<std::uint32_t> count;  // number of records
  std::uint32_t sealed;              // 1: the block has a hash; 0: the thread was still filling it
  std::uint64_t hash;                // XXH3-64 of the fields before it, then of the records
  std::uint64_t unused[3];

  RawRecord* records() { return reinterpret_cast<RawRecord*>(this + 1); }
};
static_assert(sizeof(RawBlock) == 64);

inline constexpr std::uint32_t kRawBlockMagic = 0x4b4c424f;  // OBLK
inline constexpr std::uint32_t kRawNoThread = ~std::uint32_t{0};
inline constexpr std::uint32_t kRawRecordsPerBlock =
    (kRawPieceBytes - sizeof(RawBlock)) / sizeof(RawRecord);

}  // namespace omnium::wire
