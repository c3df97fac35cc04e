// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The raw log that a recorded program writes, byte for byte (docs/formats/raw-log.md). `omnium
// record` makes a trace of it.
//
// The file is a row of pieces of 64 KB: first a RawHeader, then blocks of records, each of one
// thread, in any order. The block that a thread is filling is part of the file as well, mapped into
// the program, so that nothing is lost when the program is killed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace omnium::wire {

inline constexpr char kRawMagic[9] = "\x89OMR\r\n\x1a\n";
inline constexpr std::uint32_t kRawVersion = 2;
inline constexpr std::size_t kRawPieceBytes = 64 * 1024;

struct RawHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t process;                  // pid
  std::atomic<std::uint64_t> stop_clock;  // 0, or: events from this clock on may be missing
  std::atomic<std::uint32_t> stop_error;  // errno of what stopped the recording
  std::atomic<std::uint32_t> ended;       // the process ended in order
};
static_assert(sizeof(RawHeader) == 32);

// Kinds of records. `object` is an address unless said otherwise.
enum class RawKind : std::uint8_t {
  kNone,  // no record: what lies behind the last one
  kRead,  // 1 to 1023 bytes; a range is cut where it is longer
  kWrite,
  kUpdate,  // an atomic read and write with nothing in between
  kAcquire,
  kRelease,
  kReadAcquire,  // of a reader-writer lock
  kReadRelease,
  kWriteAcquire,
  kWriteRelease,
  kContribute,       // to a meeting; its number is the operand
  kFirstContribute,  // the number means a new meeting from here on
  kCollect,
  kFork,  // object: number of the thread
  kJoin,
  kBegin,          // object: address of the label's text
  kBeginFunction,  // object: address of the function
  kEnd,
  kForget,      // the bytes are another object from now on; the place is the number of bytes
  kForgetLock,  // a lock that is made at this address is another one
  kAllocate,    // a block of the heap; its size is the operand
  kOperand,     // `more` is an operand of the next record
  kClock,       // `more` is the clock of the records that follow
  kRepeat,      // the access before it happened `more` times again, each `object` bytes further
  // With text: `size` bytes of it follow, filled up to whole records.
  kThreadStart,  // object: the start function, 0 if there is none; no text
  kThreadName,
  kLabel,   // object: the address that kBegin uses
  kModule,  // a RawModule, then its path
};

struct RawRecord {
  std::uint64_t what;  // object << 16 | size << 6 | kind
  std::uint64_t more;  // clock since the record before << 48 | place (a return address)
};
static_assert(sizeof(RawRecord) == 16);

inline constexpr unsigned kRawSizeBits = 10;
inline constexpr std::uint32_t kRawMaxSize = (1u << kRawSizeBits) - 1;
inline constexpr std::uint64_t kRawMaxRepeats = 4096;
inline constexpr std::uint64_t kRawPlaceMask = (std::uint64_t{1} << 48) - 1;

constexpr RawKind kind_of(const RawRecord& record) {
  return static_cast<RawKind>(record.what & 63);
}
constexpr std::uint32_t size_of(const RawRecord& record) { return record.what >> 6 & kRawMaxSize; }
constexpr std::uint64_t object_of(const RawRecord& record) { return record.what >> 16; }
constexpr std::int64_t stride_of(const RawRecord& repeat) {
  return static_cast<std::int64_t>(repeat.what) >> 16;
}
constexpr std::uint64_t place_of(const RawRecord& record) { return record.more & kRawPlaceMask; }
constexpr std::uint64_t clock_step_of(const RawRecord& record) { return record.more >> 48; }

// How many records the text of a record fills.
constexpr std::size_t text_records(const RawRecord& record) {
  return kind_of(record) < RawKind::kThreadName
             ? 0
             : (size_of(record) + sizeof(RawRecord) - 1) / sizeof(RawRecord);
}

struct RawModule {
  std::uint64_t bias;        // address in memory = address in the file + bias
  std::uint64_t begin, end;  // in memory
  std::uint64_t modified;    // when its file was, in nanoseconds since 1970; 0: there is none
};

// The header of a block; its records follow.
struct RawBlock {
  std::uint32_t magic;
  std::uint32_t thread;  // number, 0, 1, ... in the order of creation, never used twice
  std::uint64_t sequence;
  std::uint64_t first_clock;         // before the first record
  std::atomic<std::uint32_t> count;  // of records
  std::uint32_t sealed;              // 1: the hash counts; 0: the thread was still filling it
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
