// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A cell is the shadow of four bytes of the program in one word: the last write and the reads
// since, with the bytes that they touched.
//
//    63     62..60  59..56     55..30  29..26     25..0
//    locked form    written    W       read       R
//
// W is the epoch of the last write of the bytes in `written`. R is the epoch of the last read since
// of the bytes in `read`; or, if several threads read them, a set of epochs (rows.h) or a list
// (reader_lists.h). If the bytes of the word have different histories, the cell holds the number of
// a story W0..W3 R0..R3 in the same table as the sets. Locks have cells of other forms, because the
// bytes of a mutex are not data.
//
// Only this file knows where the bits are, and the code that is inlined into programs
// (wire/inlined.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/epoch.h"

namespace omnium::runtime {

inline constexpr unsigned kAllBytes = 15;

// The threads that read since the last write: nobody, one epoch, a set (rows.h) or a list
// (reader_lists.h).
class Readers {
 public:
  Readers() = default;  // `Readers()` is nobody; a variable without it is not initialized
  constexpr explicit Readers(Epoch epoch) : word_(epoch) {}
  static constexpr Readers set(std::uint32_t row) { return Readers(row | kSetBit); }
  static constexpr Readers list(std::uint32_t number) { return Readers(number | kListBit); }

  constexpr bool is_nobody() const { return word_ == 0; }
  constexpr bool is_set() const { return (word_ & kSetBit) != 0; }
  constexpr bool is_list() const { return (word_ & kListBit) != 0; }

  constexpr Epoch epoch() const { return word_; }                       // of one reader
  constexpr std::uint32_t row() const { return word_ & ~kSetBit; }      // of a set
  constexpr std::uint32_t number() const { return word_ & ~kListBit; }  // of a list
  constexpr std::uint32_t word() const { return word_; }  // unequal for unequal readers

  friend constexpr bool operator==(Readers, Readers) = default;

 private:
  static constexpr std::uint32_t kSetBit = 1u << 31, kListBit = 1u << 30;

  std::uint32_t word_;
};

enum class Form : std::uint64_t {
  kPlain = 0,
  kPlainSet = 1,    // R is a set
  kPlainList = 2,   // R is a list
  kObject = 3,      // a lock, a reader-writer lock, a meeting
  kObjectSet = 4,   // an object, and R is a set
  kObjectList = 5,  // an object, and R is a list
  kBytes = 6,       // bits 25..0: a story W0..W3 R0..R3
};

// One half of a cell: some bytes of its word, and who wrote or read them.
class Field {
 public:
  static constexpr unsigned kBits = kSlotBits + kTimeBits + 4;

  Field() = default;  // `Field()` has no bytes; a variable without it is not initialized
  constexpr Field(unsigned bytes, std::uint32_t value)
      : bits_(std::uint64_t{bytes} << kValueBits | value) {}
  static constexpr Field from_bits(std::uint64_t bits) { return Field(bits); }
  constexpr std::uint64_t bits() const { return bits_; }

  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr unsigned bytes() const { return static_cast<unsigned>(bits_ >> kValueBits); }
  // An epoch, or the number of a set, a list or a row.
  constexpr std::uint32_t value() const { return static_cast<std::uint32_t>(bits_ & kValueMask); }

 private:
  friend class CellDifference;
  static constexpr unsigned kValueBits = kSlotBits + kTimeBits;
  static constexpr std::uint64_t kValueMask = (1u << kValueBits) - 1;

  constexpr explicit Field(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_;
};

// The content of a cell.
class Cell {
 public:
  Cell() = default;  // `Cell()` is empty; a variable without it is not initialized
  constexpr Cell(Form form, Field written, Field read)
      : word_(static_cast<std::uint64_t>(form) << kFormShift | written.bits() << Field::kBits |
              read.bits()) {}
  // A cell whose bytes `bytes` have these readers.
  constexpr Cell(bool object, Field written, unsigned bytes, Readers readers)
      : Cell(form_with(object, readers), written,
             readers.is_nobody()
                 ? Field()
                 : Field(bytes, readers.word() & static_cast<std::uint32_t>(kEpochMask))) {}
  static constexpr Cell from_word(std::uint64_t word) { return Cell(word); }
  constexpr std::uint64_t word() const { return word_; }

  constexpr bool is_empty() const { return word_ == 0; }
  constexpr bool is_locked() const { return (word_ & kLocked) != 0; }
  constexpr Cell locked() const { return Cell(word_ | kLocked); }
  constexpr Cell unlocked() const { return Cell(word_ & ~kLocked); }

  constexpr Form form() const { return static_cast<Form>(word_ >> kFormShift & 7); }
  // Does it have this form, and is it not locked?
  constexpr bool is(Form form) const {
    return word_ >> kFormShift == static_cast<std::uint64_t>(form);
  }
  constexpr bool is_plain() const { return is(Form::kPlain); }
  constexpr bool is_plain_or_set() const {
    return word_ >> kFormShift <= static_cast<std::uint64_t>(Form::kPlainSet);
  }
  // Has nobody but the owner of the slot left a mark?
  constexpr bool is_only_of(std::uint32_t slot) const {
    const auto is_mine = [&](Field field) {
      return field.is_empty() || slot_of(field.value()) == slot;
    };
    return is_plain() && is_mine(written()) && is_mine(read());
  }
  constexpr bool is_object() const {
    return form() >= Form::kObject && form() <= Form::kObjectList;
  }
  template <std::size_t kCount>
  static constexpr bool are_plain(const Cell (&cells)[kCount]) {
    std::uint64_t all = 0;
    for (const Cell cell : cells) all |= cell.word_;
    return Cell(all).is_plain();
  }

  constexpr Field written() const { return Field::from_bits(word_ >> Field::kBits & kFieldMask); }
  constexpr Field read() const { return Field::from_bits(word_ & kFieldMask); }
  constexpr Readers readers() const {
    const std::uint32_t value = read().value();
    switch (form()) {
      case Form::kPlainSet:
      case Form::kObjectSet: return Readers::set(value);
      case Form::kPlainList:
      case Form::kObjectList: return Readers::list(value);
      default: return Readers(value);
    }
  }

  constexpr Cell with_read(Field read) const { return Cell((word_ & ~kFieldMask) | read.bits()); }
  // Adds bytes to a field that is empty or has the same epoch already.
  constexpr Cell with_more_written(Field more) const {
    return Cell(word_ | more.bits() << Field::kBits);
  }
  constexpr Cell with_more_read(Field more) const { return Cell(word_ | more.bits()); }
  constexpr Cell without_reads_of(unsigned bytes) const {
    const Cell left(word_ & ~Field(bytes, 0).bits());
    return left.read().bytes() == 0 ? left.with_read(Field()) : left;
  }

  friend constexpr bool operator==(Cell, Cell) = default;

 private:
  friend class CellDifference;
  static constexpr unsigned kFormShift = 60;
  static constexpr std::uint64_t kLocked = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << Field::kBits) - 1;
  static constexpr std::uint64_t kEpochMask = (1u << (kSlotBits + kTimeBits)) - 1;

  constexpr explicit Cell(std::uint64_t word) : word_(word) {}

  static constexpr Form form_with(bool object, Readers readers) {
    auto form = static_cast<std::uint64_t>(object ? Form::kObject : Form::kPlain);
    if (readers.is_set()) form += 1;
    if (readers.is_list()) form += 2;
    return static_cast<Form>(form);
  }

  std::uint64_t word_;
};

// Where two cells differ. One exclusive-or answers several questions.
class CellDifference {
 public:
  constexpr CellDifference(Cell a, Cell b) : bits_(a.word_ ^ b.word_) {}

  // Do they differ in the form or the lock?
  constexpr bool is_in_form() const { return bits_ >> Cell::kFormShift != 0; }
  // Do the writes differ in these bytes or in the epoch?
  constexpr bool is_in_written(unsigned bytes) const {
    return (bits_ >> Field::kBits & mask(bytes)) != 0;
  }
  // Do the reads differ in these bytes or in the epoch?
  constexpr bool is_in_read(unsigned bytes) const { return (bits_ & mask(bytes)) != 0; }
  // Do the reads differ in any byte or in the slot of the reader?
  constexpr bool is_in_reader() const {
    return (bits_ & Field(kAllBytes, epoch_of(kSlots - 1, 0)).bits()) != 0;
  }

 private:
  static constexpr std::uint64_t mask(unsigned bytes) {
    return Field(bytes, static_cast<std::uint32_t>(Field::kValueMask)).bits();
  }

  std::uint64_t bits_;
};

// The place of a cell in the shadow.
class AtomicCell {
 public:
  Cell load(std::memory_order order) const { return Cell::from_word(word_.load(order)); }
  void store(Cell cell, std::memory_order order) { word_.store(cell.word(), order); }
  // Replaces the content if it is still `old`.
  bool replace(Cell old, Cell fresh, std::memory_order order = std::memory_order_acq_rel) {
    std::uint64_t expected = old.word();
    return word_.compare_exchange_strong(expected, fresh.word(), order);
  }
  // Replaces the contents of this cell and the next one, if both are still `old`.
  bool replace_pair(Cell old, Cell fresh) {
    __extension__ typedef unsigned __int128 Pair;
    return __sync_bool_compare_and_swap(reinterpret_cast<Pair*>(this),
                                        Pair{old.word()} << 64 | old.word(),
                                        Pair{fresh.word()} << 64 | fresh.word());
  }

 private:
  std::atomic<std::uint64_t> word_;
};
static_assert(sizeof(AtomicCell) == 8);

// The content of a cell, byte by byte.
struct Bytes {
  Epoch written[4];
  Readers read[4];

  friend bool operator==(const Bytes&, const Bytes&) = default;
};

Bytes unpack(Cell cell);
// The content of a cell that has been `before` and is locked, or is not in use: if both need a
// story it is changed in place, and the content is the same.
Cell pack(const Bytes& bytes, Cell before = Cell());

// Waits until no other thread has the cell locked.
[[gnu::noinline]] Cell wait_for_unlocked(const AtomicCell& cell);
inline Cell load_unlocked(const AtomicCell& cell) {
  const Cell content = cell.load(std::memory_order_acquire);
  return content.is_locked() ? wait_for_unlocked(cell) : content;
}
// Locks the cell. Returns the content that it had.
Cell lock_cell(AtomicCell& cell);

}  // namespace omnium::runtime
