// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/cell.h"

#include <cstring>

#include "runtime/shadow/rows.h"
#include "runtime/system/channel.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

// All bytes that have a value have the same one. `bytes` says which have.
bool is_uniform(const std::uint32_t (&values)[4], unsigned& bytes, std::uint32_t& value) {
  bytes = 0;
  value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (values[i] == 0) continue;
    if (bytes != 0 && values[i] != value) return false;
    bytes |= 1u << i;
    value = values[i];
  }
  return true;
}

}  // namespace

Bytes unpack(std::uint64_t cell) {
  Bytes bytes{};
  const Form form = form_of(cell);
  if (form == Form::kBytes) {
    std::memcpy(&bytes, rows.words(value_of(cell)), sizeof(bytes));
    return bytes;
  }
  const Readers readers = readers_of(cell);
  const std::uint64_t written = written_field(cell), read = read_field(cell);
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes_of(written) >> i & 1) != 0) bytes.written[i] = value_of(written);
    if ((bytes_of(read) >> i & 1) != 0) bytes.read[i] = readers;
  }
  return bytes;
}

std::uint64_t pack(const Bytes& bytes) {
  unsigned written, read;
  std::uint32_t writer, reader;
  if (is_uniform(bytes.written, written, writer) && is_uniform(bytes.read, read, reader)) {
    return make_cell(false, field(written, writer), read, reader);
  }
  const std::uint32_t row = rows.intern(reinterpret_cast<const std::uint32_t*>(&bytes), 8);
  if (row == 0) count_forgotten();
  return row == 0 ? 0 : make_cell(Form::kBytes, 0, row);
}

std::uint64_t wait_for_unlocked(const Cell& cell) {
  Backoff backoff;
  for (;;) {
    const std::uint64_t content = cell.load(std::memory_order_acquire);
    if ((content & kLocked) == 0) return content;
    backoff.pause();
  }
}

std::uint64_t lock_cell(Cell& cell) {
  for (;;) {
    std::uint64_t content = load_unlocked(cell);
    if (cell.compare_exchange_weak(content, content | kLocked, std::memory_order_acquire)) {
      return content;
    }
  }
}

}  // namespace omnium::runtime
