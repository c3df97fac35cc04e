// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/cell.h"

#include "runtime/shadow/rows.h"
#include "runtime/system/channel.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// Do all bytes that have a value have the same one? `bytes` says which have one.
template <typename T>
bool is_uniform(const T (&values)[4], unsigned& bytes, T& value) {
  bytes = 0;
  value = T();
  for (unsigned i = 0; i < 4; ++i) {
    if (values[i] == T()) continue;
    if (bytes != 0 && values[i] != value) return false;
    bytes |= 1u << i;
    value = values[i];
  }
  return true;
}

}  // namespace

Bytes unpack(Cell cell) {
  Bytes bytes{};
  if (cell.form() == Form::kBytes) {
    rows.read_story(cell.read().value(), reinterpret_cast<std::uint32_t*>(&bytes));
    return bytes;
  }
  const Readers readers = cell.readers();
  const Field written = cell.written(), read = cell.read();
  for (unsigned i = 0; i < 4; ++i) {
    if ((written.bytes() >> i & 1) != 0) bytes.written[i] = written.value();
    if ((read.bytes() >> i & 1) != 0) bytes.read[i] = readers;
  }
  return bytes;
}

Cell pack(const Bytes& bytes, Cell before) {
  unsigned written, read;
  Epoch writer;
  Readers reader;
  if (is_uniform(bytes.written, written, writer) && is_uniform(bytes.read, read, reader)) {
    return Cell(false, Field(written, writer), read, reader);
  }
  const auto* words = reinterpret_cast<const std::uint32_t*>(&bytes);
  static_assert(sizeof(bytes) == kStory * sizeof(*words));
  if (before.form() == Form::kBytes && rows.is_current(before.read().value())) {
    rows.write_story(before.read().value(), words);
    return before;
  }
  const std::uint32_t row = rows.make_story(words);
  if (row == 0) count_forgotten();
  return row == 0 ? Cell() : Cell(Form::kBytes, Field(), Field(0, row));
}

Cell wait_for_unlocked(const AtomicCell& cell) {
  Backoff backoff;
  for (;;) {
    const Cell content = cell.load(std::memory_order_acquire);
    if (!content.is_locked()) return content;
    backoff.pause();
  }
}

Cell lock_cell(AtomicCell& cell) {
  for (;;) {
    const Cell content = load_unlocked(cell);
    if (cell.replace(content, content.locked(), std::memory_order_acquire)) return content;
  }
}

}  // namespace omnium::runtime
