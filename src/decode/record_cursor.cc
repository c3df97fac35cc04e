// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/record_cursor.h"

namespace omnium::decode {

void RecordCursor::pass(const wire::RawRecord& record) {
  switch (wire::kind_of(record)) {
    case wire::RawKind::kOperand:
    case wire::RawKind::kRepeat:
    case wire::RawKind::kLoop: return;
    case wire::RawKind::kClock: clock_ = record.more; return;
    default: break;
  }
  clock_ += wire::clock_step_of(record);
  next_ += std::min(static_cast<std::ptrdiff_t>(wire::text_records(record)), end_ - next_);
}

}  // namespace omnium::decode
