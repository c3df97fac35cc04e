// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Walks over the records of one block: keeps the clock, and steps over the text that follows some
// records, which looks like records and is none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "decode/raw_log.h"

namespace omnium::decode {

class RecordCursor {
 public:
  RecordCursor() = default;  // over no records
  explicit RecordCursor(const Piece& piece)
      : next_(piece.records().data()),
        end_(next_ + piece.records().size()),
        clock_(piece.block().first_clock) {}

  bool is_at_end() const { return next_ == end_; }

  // The next record. The cursor stands behind its text then.
  const wire::RawRecord& take() {
    const wire::RawRecord& record = *next_++;
    if (wire::kind_of(record) < wire::RawKind::kOperand) [[likely]] {
      clock_ += wire::clock_step_of(record);
    } else {
      pass(record);
    }
    return record;
  }

  // The clock of the record that was taken last.
  std::uint64_t clock() const { return clock_; }

  // The record behind the one that was taken last; there must be one.
  const wire::RawRecord& next() const { return *next_; }
  // A record at most that far behind the one that was taken last, which was an event.
  const wire::RawRecord* ahead(std::ptrdiff_t records) const {
    return next_ - 1 + std::min(records, end_ - next_);
  }

  // Does the text of a record that was taken lie in this block, as it must?
  bool has_text(const wire::RawRecord& record) const {
    return end_ - &record > static_cast<std::ptrdiff_t>(wire::text_records(record));
  }
  std::string_view text(const wire::RawRecord& record) const {
    const bool any = wire::text_records(record) != 0;
    return {reinterpret_cast<const char*>(&record + 1), any ? wire::size_of(record) : 0};
  }

 private:
  // A record that is no event.
  void pass(const wire::RawRecord& record);

  const wire::RawRecord* next_ = nullptr;
  const wire::RawRecord* end_ = nullptr;
  std::uint64_t clock_ = 0;
};

}  // namespace omnium::decode
