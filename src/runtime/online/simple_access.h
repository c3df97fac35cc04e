// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a cell with a simple story, if no live dependency leads here: then no lock is
// needed. Epochs that are dead are left out.
#pragma once

#include <cstdint>

#include "runtime/online/readers.h"
#include "runtime/shadow/cell.h"
#include "runtime/thread.h"

namespace omnium::runtime {

template <bool kWrite>
class SimpleAccess {
 public:
  SimpleAccess(ThreadState& thread, unsigned bytes) : thread_(thread), bytes_(bytes) {}

  // False: the general way must decide.
  [[gnu::always_inline]] bool change(std::uint64_t old, std::uint64_t& fresh) const {
    const bool set = form_of(old) == Form::kPlainSet;
    if (old >> 60 > static_cast<std::uint64_t>(Form::kPlainSet)) return false;
    std::uint64_t w = written_field(old), r = read_field(old);
    const bool my_read = !set && r != 0 && is_mine(thread_, value_of(r));
    if (!my_read && r != 0) {
      if (kWrite && (bytes_of(r) & bytes_) != 0 && (set || is_live(value_of(r)))) return false;
      if (!set && !is_live(value_of(r))) r = 0;
    }
    if (w != 0 && value_of(w) != thread_.now) {
      const bool seen = my_read && (bytes_ & ~bytes_of(r)) == 0;
      if (!is_live(value_of(w))) {
        w = 0;
      } else if ((bytes_of(w) & bytes_) != 0 && !seen && !is_mine(thread_, value_of(w))) {
        return false;
      }
    }
    if (thread_.recording()) return kWrite ? written(w, r, set, fresh) : read(w, r, set, fresh);
    fresh = make_cell(r != 0 && set ? Form::kPlainSet : Form::kPlain, w, r);
    return true;
  }

 private:
  bool written(std::uint64_t w, std::uint64_t r, bool set, std::uint64_t& fresh) const {
    const bool now = value_of(w) == thread_.now;
    if (!now && (bytes_of(w) & ~bytes_) != 0) return false;
    const unsigned read_only = bytes_of(r) & ~bytes_;
    r = read_only == 0 ? 0 : field(read_only, value_of(r));
    fresh = make_cell(r != 0 && set ? Form::kPlainSet : Form::kPlain,
                      field(bytes_ | (now ? bytes_of(w) : 0), thread_.now), r);
    return true;
  }

  bool read(std::uint64_t w, std::uint64_t r, bool set, std::uint64_t& fresh) const {
    Form form = Form::kPlain;
    if (value_of(w) == thread_.now && (bytes_ & ~bytes_of(w)) == 0) {
      form = set ? Form::kPlainSet : Form::kPlain;
    } else if (!set && (r == 0 || value_of(r) == thread_.now)) {
      r = field(bytes_ | bytes_of(r), thread_.now);
    } else if (!set && is_mine(thread_, value_of(r))) {
      if ((bytes_of(r) & ~bytes_) != 0) return false;
      r = field(bytes_, thread_.now);
    } else {
      if (bytes_of(r) != bytes_) return false;
      const Readers readers = add_reader(value_of(r) | (set ? kSetBit : 0), thread_);
      if ((readers & kSetBit) != 0) form = Form::kPlainSet;
      r = field(bytes_, readers & ~kSetBit);
    }
    fresh = make_cell(form, w, r);
    return true;
  }

  ThreadState& thread_;
  unsigned bytes_;
};

enum class Marked { kNot, kBefore, kNow };

// A read of a whole word by one of many: the next word has the same story, as likely as not.
template <bool kWrite>
inline void remember_cell(ThreadState& thread, std::uint64_t cell) {
  if (!kWrite && form_of(cell) == Form::kPlainSet && bytes_of(read_field(cell)) == kAllBytes) {
    thread.known_cell = cell;
  }
}

// A write of a whole word may simply be stored: in a program without data races nobody else touches
// the cell now.
template <bool kWrite>
inline Marked access_simply(ThreadState& thread, Cell& cell, unsigned bytes) {
  std::uint64_t old = cell.load(std::memory_order_acquire), fresh;
  if (!SimpleAccess<kWrite>(thread, bytes).change(old, fresh)) return Marked::kNot;
  if (thread.recording()) remember_cell<kWrite>(thread, fresh);
  if (fresh == old) return Marked::kBefore;
  thread.dirty = true;
  if (kWrite && bytes == kAllBytes && thread.recording()) {
    cell.store(fresh, std::memory_order_release);
    return Marked::kNow;
  }
  return cell.compare_exchange_strong(old, fresh, std::memory_order_acq_rel) ? Marked::kNow
                                                                             : Marked::kNot;
}

// The same for two words, which mostly have the same story.
template <bool kWrite>
inline Marked access_pair_simply(ThreadState& thread, Cell* cells) {
  const std::uint64_t old = cells[0].load(std::memory_order_acquire);
  std::uint64_t fresh;
  if (cells[1].load(std::memory_order_acquire) != old) {
    const Marked low = access_simply<kWrite>(thread, cells[0], kAllBytes);
    if (low == Marked::kNot) return low;
    const Marked high = access_simply<kWrite>(thread, cells[1], kAllBytes);
    return high == Marked::kBefore ? low : high;
  }
  if (!SimpleAccess<kWrite>(thread, kAllBytes).change(old, fresh)) return Marked::kNot;
  if (thread.recording()) remember_cell<kWrite>(thread, fresh);
  if (fresh == old) return Marked::kBefore;
  thread.dirty = true;
  if (kWrite && thread.recording()) {
    cells[0].store(fresh, std::memory_order_release);
    cells[1].store(fresh, std::memory_order_release);
    return Marked::kNow;
  }
  using Pair = unsigned __int128;
  return __sync_bool_compare_and_swap(reinterpret_cast<Pair*>(cells), Pair{old} << 64 | old,
                                      Pair{fresh} << 64 | fresh)
             ? Marked::kNow
             : Marked::kNot;
}

}  // namespace omnium::runtime
