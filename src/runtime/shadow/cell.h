// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The shadow of four bytes of the program in one word: the last write and the reads since, with the
// bytes that they touched.
//
//    63     62..60  59..56     55..30  29..26     25..0
//    locked form    written    W       read       R
//
// W is the epoch of the last write of the bytes in `written`; R that of the last read since of the
// bytes in `read`, or, if several threads read, a set of epochs (rows.h) or a list
// (reader_lists.h). What does not fit (bytes of one word with different stories) is a row W0..W3
// R0..R3 of the same table. The shadow of a lock is a cell of its own form: the bytes of a mutex
// are not data.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/epoch.h"

namespace omnium::runtime {

using Cell = std::atomic<std::uint64_t>;

enum class Form : std::uint64_t {
  kPlain = 0,
  kPlainSet = 1,    // R is a set
  kPlainList = 2,   // R is a list
  kObject = 3,      // a lock, a reader-writer lock, a meeting
  kObjectSet = 4,   // the same, R is a set
  kObjectList = 5,  // the same, R is a list
  kBytes = 6,       // bits 25..0: a row W0..W3 R0..R3
};

inline constexpr std::uint64_t kLocked = std::uint64_t{1} << 63;
inline constexpr std::uint32_t kEpochBits = kSlotBits + kTimeBits;
inline constexpr std::uint64_t kEpochMask = (1u << kEpochBits) - 1;
inline constexpr std::uint32_t kFieldBits = kEpochBits + 4;
inline constexpr std::uint64_t kFieldMask = (1u << kFieldBits) - 1;
inline constexpr unsigned kAllBytes = 15;

constexpr Form form_of(std::uint64_t cell) { return static_cast<Form>(cell >> 60 & 7); }
constexpr std::uint64_t written_field(std::uint64_t cell) {
  return cell >> kFieldBits & kFieldMask;
}
constexpr std::uint64_t read_field(std::uint64_t cell) { return cell & kFieldMask; }
constexpr std::uint64_t field(unsigned bytes, std::uint32_t value) {
  return std::uint64_t{bytes} << kEpochBits | value;
}
constexpr unsigned bytes_of(std::uint64_t field) {
  return static_cast<unsigned>(field >> kEpochBits);
}
constexpr std::uint32_t value_of(std::uint64_t field) {
  return static_cast<std::uint32_t>(field & kEpochMask);
}
constexpr std::uint64_t make_cell(Form form, std::uint64_t written, std::uint64_t read) {
  return static_cast<std::uint64_t>(form) << 60 | written << kFieldBits | read;
}

constexpr bool is_object(std::uint64_t cell) {
  return form_of(cell) >= Form::kObject && form_of(cell) <= Form::kObjectList;
}

// The threads that read since the last write: nobody (0), one epoch, or with one of these bits a
// set (rows.h) or a list (reader_lists.h).
using Readers = std::uint32_t;
inline constexpr Readers kSetBit = 1u << 31, kListBit = 1u << 30;

inline Readers readers_of(std::uint64_t cell) {
  const Readers readers = value_of(read_field(cell));
  switch (form_of(cell)) {
    case Form::kPlainSet:
    case Form::kObjectSet: return readers | kSetBit;
    case Form::kPlainList:
    case Form::kObjectList: return readers | kListBit;
    default: return readers;
  }
}

// A cell with the readers of these bytes.
inline std::uint64_t make_cell(bool object, std::uint64_t written, unsigned bytes,
                               Readers readers) {
  auto form = static_cast<std::uint64_t>(object ? Form::kObject : Form::kPlain);
  if ((readers & kSetBit) != 0) form += 1;
  if ((readers & kListBit) != 0) form += 2;
  return make_cell(static_cast<Form>(form), written,
                   readers == 0 ? 0 : field(bytes, readers & static_cast<Readers>(kEpochMask)));
}

// The content of a cell, byte by byte.
struct Bytes {
  std::uint32_t written[4];
  Readers read[4];
};

Bytes unpack(std::uint64_t cell);
std::uint64_t pack(const Bytes& bytes);

// Waits while another thread works on the cell.
[[gnu::noinline]] std::uint64_t wait_for_unlocked(const Cell& cell);
inline std::uint64_t load_unlocked(const Cell& cell) {
  const std::uint64_t content = cell.load(std::memory_order_acquire);
  return (content & kLocked) == 0 ? content : wait_for_unlocked(cell);
}
// Takes the cell's lock bit; the content that it had.
std::uint64_t lock_cell(Cell& cell);

}  // namespace omnium::runtime
