// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Marks accesses without locking their cells. That is possible if no dependency of the access has
// an effect and the result fits into the cell. Dead epochs are removed on the way.
#pragma once

#include <cstdint>

#include "runtime/online/readers.h"
#include "runtime/online/story.h"
#include "runtime/shadow/cell.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// Changes the cell as an access of these bytes does if other threads do not matter. False if the
// result does not fit into a plain cell.
template <bool kWrite>
[[gnu::always_inline]] inline bool change_plain(ThreadState& thread, Cell& cell, unsigned bytes) {
  if (!cell.is_plain()) return false;
  Field written = cell.written(), read = cell.read();
  Field& changed = kWrite ? written : read;
  unsigned all = bytes;
  if (changed.value() == thread.now) {
    all |= changed.bytes();
  } else if ((changed.bytes() & ~bytes) != 0 && is_live(thread, changed.value())) {
    return false;
  }
  changed = Field(all, thread.now);
  if (kWrite) {
    const unsigned still = read.bytes() & ~bytes;
    read = still == 0 ? Field() : Field(still, read.value());
  }
  cell = Cell(Form::kPlain, written, read);
  return true;
}

// Removes from the cell what other threads did to these bytes. False if that is still live.
[[gnu::always_inline]] inline bool leave_out_others(ThreadState& thread, Cell& cell,
                                                    unsigned bytes) {
  if (!cell.is_plain()) return false;
  Field written = cell.written(), read = cell.read();
  const bool my_read = slot_of(read.value()) == thread.slot;
  if (!read.is_empty() && !my_read) {
    if (is_live(thread, read.value())) return false;
    read = Field();
  }
  if (!written.is_empty() && slot_of(written.value()) != thread.slot) {
    const bool seen = my_read && (bytes & ~read.bytes()) == 0;
    if (!seen && is_live(thread, written.value())) return false;
    if (!seen) written = Field();
  }
  cell = Cell(Form::kPlain, written, read);
  return true;
}

template <bool kWrite>
class LockFreeChange {
 public:
  LockFreeChange(ThreadState& thread, unsigned bytes, std::uint32_t words)
      : thread_(thread), bytes_(bytes), words_(words) {}

  // kNot: the access needs check_access.
  [[gnu::always_inline]] Marked change(Cell old, Cell& fresh) const {
    if (!kWrite && old.is(Form::kPlainList)) {
      fresh = old;
      return read_in_list(old);
    }
    if (!change_cell(old, fresh)) return Marked::kNot;
    return fresh == old ? Marked::kBefore : Marked::kNow;
  }

 private:
  [[gnu::always_inline]] bool change_cell(Cell old, Cell& fresh) const {
    const bool set = old.form() == Form::kPlainSet;
    if (!old.is_plain_or_set()) return false;
    Field w = old.written(), r = old.read();
    const bool my_read = !set && !r.is_empty() && is_mine(thread_, r.value());
    if (!my_read && !r.is_empty()) {
      if (kWrite && (r.bytes() & bytes_) != 0 && (set || has_effect(thread_, r.value()))) {
        return false;
      }
      if (!set && !is_live(thread_, r.value())) r = Field();
    }
    if (!w.is_empty() && w.value() != thread_.now) {
      const bool seen = my_read && (bytes_ & ~r.bytes()) == 0;
      if (!is_live(thread_, w.value())) {
        w = Field();
      } else if ((w.bytes() & bytes_) != 0 && !seen && has_effect(thread_, w.value())) {
        return false;
      }
    }
    if (!thread_.is_idle()) return kWrite ? written(w, r, set, fresh) : read(w, r, set, fresh);
    fresh = Cell(!r.is_empty() && set ? Form::kPlainSet : Form::kPlain, w, r);
    return true;
  }

  // A thread that has an entry in the list has read since the last write, so it has no new
  // dependency.
  [[gnu::noinline]] Marked read_in_list(Cell cell) const {
    ReaderList& list = reader_lists.at(cell.readers().number());
    if (bytes_ != cell.read().bytes() || list.words != words_ || thread_.is_idle())
      return Marked::kNot;
    const std::atomic<Epoch>* mine = list.find(thread_, thread_.slot, thread_.index);
    if (mine != nullptr && thread_.is_current(mine->load(std::memory_order_relaxed))) {
      return Marked::kBefore;
    }
    if (mine != nullptr && renew_in_list(list, thread_)) return Marked::kNow;
    const Epoch writer = cell.written().value();
    if (writer != 0 && is_live(thread_, writer) && !is_mine(thread_, writer)) return Marked::kNot;
    return list.add(thread_.now, thread_.index) ? Marked::kNow : Marked::kNot;
  }

  bool written(Field w, Field r, bool set, Cell& fresh) const {
    if (thread_.is_current(w.value()) && (bytes_ & (~w.bytes() | r.bytes())) == 0) {
      fresh = Cell(!r.is_empty() && set ? Form::kPlainSet : Form::kPlain, w, r);
      return true;
    }
    const bool now = w.value() == thread_.now;
    if (!now && (w.bytes() & ~bytes_) != 0) return false;
    const unsigned read_only = r.bytes() & ~bytes_;
    r = read_only == 0 ? Field() : Field(read_only, r.value());
    fresh = Cell(!r.is_empty() && set ? Form::kPlainSet : Form::kPlain,
                 Field(bytes_ | (now ? w.bytes() : 0), thread_.now), r);
    return true;
  }

  bool read(Field w, Field r, bool set, Cell& fresh) const {
    Readers readers = set ? Readers::set(r.value()) : Readers(r.value());
    if (thread_.is_current(w.value()) && (bytes_ & ~w.bytes()) == 0) {
      fresh = Cell(false, w, r.bytes(), readers);
      return true;
    }
    if (!set && thread_.is_current(r.value()) && (bytes_ & ~r.bytes()) == 0) {
      fresh = Cell(Form::kPlain, w, r);
      return true;
    }
    if (!set && (r.is_empty() || r.value() == thread_.now)) {
      fresh = Cell(Form::kPlain, w, Field(bytes_ | r.bytes(), thread_.now));
      return true;
    }
    if (!set && is_mine(thread_, r.value())) {
      if ((r.bytes() & ~bytes_) != 0) return false;
      fresh = Cell(Form::kPlain, w, Field(bytes_, thread_.now));
      return true;
    }
    if (r.bytes() != bytes_) return false;
    readers = add_reader(readers, thread_, words_);
    fresh = Cell(false, w, bytes_, readers);
    return true;
  }

  ThreadState& thread_;
  unsigned bytes_;
  std::uint32_t words_;
};

// After a read of a whole word that several threads read: the next word often has an equal cell, so
// the fast path compares with this one.
template <bool kWrite>
inline void remember_cell(ThreadState& thread, Cell cell) {
  const bool many = cell.form() == Form::kPlainSet || cell.form() == Form::kPlainList;
  if (!kWrite && many && !thread.is_idle() && thread.log == nullptr &&
      cell.read().bytes() == kAllBytes) {
    thread.quick.known = cell.word();
  }
}

// Marks one cell. A write of the whole word is a plain store: in a program without data races no
// other thread accesses the word, and so the cell, at the same time.
template <bool kWrite>
[[gnu::always_inline]] inline Marked mark_cell_without_lock(ThreadState& thread, AtomicCell& cell,
                                                            unsigned bytes) {
  const Cell old = cell.load(std::memory_order_acquire);
  if (old.is(Form::kBytes)) return mark_story<kWrite>(thread, cell, old, bytes);
  Cell fresh;
  const Marked marked = LockFreeChange<kWrite>(thread, bytes, 1).change(old, fresh);
  if (marked == Marked::kNot) {
    return old.is_plain() ? mark_story<kWrite>(thread, cell, old, bytes) : marked;
  }
  if (marked == Marked::kNow) thread.set_state(kDirty, true);
  if (fresh == old) {
    // The entry in a list counts only if the cell still has the list.
    if (marked == Marked::kNow && cell.load(std::memory_order_seq_cst) != old) return Marked::kNot;
    remember_cell<kWrite>(thread, fresh);
    return marked;
  }
  if (kWrite && bytes == kAllBytes && !thread.is_idle()) {
    cell.store(fresh, std::memory_order_release);
    return Marked::kNow;
  }
  if (!cell.replace(old, fresh)) return Marked::kNot;
  remember_cell<kWrite>(thread, fresh);
  return Marked::kNow;
}

// Marks two cells. Mostly they are equal, and one change serves both.
template <bool kWrite>
[[gnu::always_inline]] inline Marked mark_pair_without_lock(ThreadState& thread,
                                                            AtomicCell* cells) {
  const Cell old = cells[0].load(std::memory_order_acquire);
  Cell fresh;
  if (cells[1].load(std::memory_order_acquire) != old) {
    const Marked low = mark_cell_without_lock<kWrite>(thread, cells[0], kAllBytes);
    if (low == Marked::kNot) return low;
    const Marked high = mark_cell_without_lock<kWrite>(thread, cells[1], kAllBytes);
    return high == Marked::kBefore ? low : high;
  }
  const Marked marked = LockFreeChange<kWrite>(thread, kAllBytes, 2).change(old, fresh);
  if (marked == Marked::kNot) return marked;
  if (marked == Marked::kNow) thread.set_state(kDirty, true);
  if (fresh == old) {
    if (marked == Marked::kNow && (cells[0].load(std::memory_order_seq_cst) != old ||
                                   cells[1].load(std::memory_order_seq_cst) != old)) {
      return Marked::kNot;
    }
    remember_cell<kWrite>(thread, fresh);
    return marked;
  }
  if (kWrite && !thread.is_idle()) {
    cells[0].store(fresh, std::memory_order_release);
    cells[1].store(fresh, std::memory_order_release);
    return Marked::kNow;
  }
  if (!cells->replace_pair(old, fresh)) return Marked::kNot;
  remember_cell<kWrite>(thread, fresh);
  return Marked::kNow;
}

}  // namespace omnium::runtime
