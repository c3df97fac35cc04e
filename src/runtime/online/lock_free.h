// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a cell with a simple story, if no live dependency leads here: then no lock is
// needed. Epochs that are dead are left out.
#pragma once

#include <cstdint>

#include "runtime/online/readers.h"
#include "runtime/shadow/cell.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

enum class Marked { kNot, kBefore, kNow };

// The cell after an access of these bytes if nobody else's story matters; false: two stories in one
// word, or more than one writer and one reader.
template <bool kWrite>
[[gnu::always_inline]] inline bool change_plain(ThreadState& thread, std::uint64_t& cell,
                                                unsigned bytes) {
  if (cell >> 60 != 0) return false;
  std::uint64_t written = written_field(cell), read = read_field(cell);
  std::uint64_t& changed = kWrite ? written : read;
  unsigned all = bytes;
  if (value_of(changed) == thread.now) {
    all |= bytes_of(changed);
  } else if ((bytes_of(changed) & ~bytes) != 0 && is_live(thread, value_of(changed))) {
    return false;
  }
  changed = field(all, thread.now);
  if (kWrite) {
    const unsigned still = bytes_of(read) & ~bytes;
    read = still == 0 ? 0 : field(still, value_of(read));
  }
  cell = make_cell(Form::kPlain, written, read);
  return true;
}

// Leaves out what others did to these bytes; false if that matters still.
[[gnu::always_inline]] inline bool leave_out_others(ThreadState& thread, std::uint64_t& cell,
                                                    unsigned bytes) {
  if (cell >> 60 != 0) return false;
  std::uint64_t written = written_field(cell), read = read_field(cell);
  const bool my_read = slot_of(value_of(read)) == thread.slot;
  if (read != 0 && !my_read) {
    if (is_live(thread, value_of(read))) return false;
    read = 0;
  }
  if (written != 0 && slot_of(value_of(written)) != thread.slot) {
    const bool seen = my_read && (bytes & ~bytes_of(read)) == 0;
    if (!seen && is_live(thread, value_of(written))) return false;
    if (!seen) written = 0;
  }
  cell = make_cell(Form::kPlain, written, read);
  return true;
}

template <bool kWrite>
class LockFreeChange {
 public:
  LockFreeChange(ThreadState& thread, unsigned bytes, std::uint32_t words)
      : thread_(thread), bytes_(bytes), words_(words) {}

  // kNot: the general way must decide.
  [[gnu::always_inline]] Marked change(std::uint64_t old, std::uint64_t& fresh) const {
    if (!kWrite && old >> 60 == static_cast<std::uint64_t>(Form::kPlainList)) {
      fresh = old;
      return read_in_list(old);
    }
    if (!change_cell(old, fresh)) return Marked::kNot;
    return fresh == old ? Marked::kBefore : Marked::kNow;
  }

 private:
  [[gnu::always_inline]] bool change_cell(std::uint64_t old, std::uint64_t& fresh) const {
    const bool set = form_of(old) == Form::kPlainSet;
    if (old >> 60 > static_cast<std::uint64_t>(Form::kPlainSet)) return false;
    std::uint64_t w = written_field(old), r = read_field(old);
    const bool my_read = !set && r != 0 && is_mine(thread_, value_of(r));
    if (!my_read && r != 0) {
      if (kWrite && (bytes_of(r) & bytes_) != 0 && (set || is_live(thread_, value_of(r))))
        return false;
      if (!set && !is_live(thread_, value_of(r))) r = 0;
    }
    if (w != 0 && value_of(w) != thread_.now) {
      const bool seen = my_read && (bytes_ & ~bytes_of(r)) == 0;
      if (!is_live(thread_, value_of(w))) {
        w = 0;
      } else if ((bytes_of(w) & bytes_) != 0 && !seen && !is_mine(thread_, value_of(w))) {
        return false;
      }
    }
    if (!thread_.is_idle()) return kWrite ? written(w, r, set, fresh) : read(w, r, set, fresh);
    fresh = make_cell(r != 0 && set ? Form::kPlainSet : Form::kPlain, w, r);
    return true;
  }

  // Who has read since the last write has seen it already.
  [[gnu::noinline]] Marked read_in_list(std::uint64_t cell) const {
    ReaderList& list = reader_lists.at(value_of(read_field(cell)));
    if (bytes_ != kAllBytes || list.words != words_ || thread_.is_idle()) return Marked::kNot;
    const std::atomic<Epoch>* mine = list.find(thread_, thread_.slot, thread_.index);
    if (mine != nullptr && mine->load(std::memory_order_relaxed) == thread_.now) {
      return Marked::kBefore;
    }
    if (mine != nullptr && renew_in_list(list, thread_)) return Marked::kNow;
    const Epoch writer = value_of(written_field(cell));
    if (writer != 0 && is_live(thread_, writer) && !is_mine(thread_, writer)) return Marked::kNot;
    return list.add(thread_.now, thread_.index) ? Marked::kNow : Marked::kNot;
  }

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
    Readers readers = value_of(r) | (set ? kSetBit : 0);
    if (value_of(w) == thread_.now && (bytes_ & ~bytes_of(w)) == 0) {
      fresh = make_cell(false, w, bytes_of(r), readers);
      return true;
    }
    if (!set && (r == 0 || value_of(r) == thread_.now)) {
      fresh = make_cell(Form::kPlain, w, field(bytes_ | bytes_of(r), thread_.now));
      return true;
    }
    if (!set && is_mine(thread_, value_of(r))) {
      if ((bytes_of(r) & ~bytes_) != 0) return false;
      fresh = make_cell(Form::kPlain, w, field(bytes_, thread_.now));
      return true;
    }
    if (bytes_of(r) != bytes_) return false;
    if (bytes_ == kAllBytes) {
      readers = add_reader(readers, thread_, words_);
    } else {
      readers = refreshed(readers, &thread_, thread_.now);
    }
    fresh = make_cell(false, w, bytes_, readers);
    return true;
  }

  ThreadState& thread_;
  unsigned bytes_;
  std::uint32_t words_;
};

// A read of a whole word by one of many: the next word has the same story, as likely as not.
template <bool kWrite>
inline void remember_cell(ThreadState& thread, std::uint64_t cell) {
  const bool many = form_of(cell) == Form::kPlainSet || form_of(cell) == Form::kPlainList;
  if (!kWrite && many && !thread.is_idle() && thread.log == nullptr &&
      bytes_of(read_field(cell)) == kAllBytes) {
    thread.quick.known = cell;
  }
}

// A write of a whole word may simply be stored: in a program without data races nobody else touches
// the cell now.
template <bool kWrite>
[[gnu::always_inline]] inline Marked mark_cell_without_lock(ThreadState& thread, Cell& cell,
                                                            unsigned bytes) {
  std::uint64_t old = cell.load(std::memory_order_acquire), fresh;
  const Marked marked = LockFreeChange<kWrite>(thread, bytes, 1).change(old, fresh);
  if (marked == Marked::kNot) return marked;
  if (marked == Marked::kNow) thread.set_state(kDirty, true);
  if (fresh == old) {
    // A list is only good as long as the cell has it.
    if (marked == Marked::kNow && cell.load(std::memory_order_seq_cst) != old) return Marked::kNot;
    remember_cell<kWrite>(thread, fresh);
    return marked;
  }
  if (kWrite && bytes == kAllBytes && !thread.is_idle()) {
    cell.store(fresh, std::memory_order_release);
    return Marked::kNow;
  }
  if (!cell.compare_exchange_strong(old, fresh, std::memory_order_acq_rel)) return Marked::kNot;
  remember_cell<kWrite>(thread, fresh);
  return Marked::kNow;
}

inline bool change_pair(Cell* cells, std::uint64_t old, std::uint64_t fresh) {
  using Pair = unsigned __int128;
  return __sync_bool_compare_and_swap(reinterpret_cast<Pair*>(cells), Pair{old} << 64 | old,
                                      Pair{fresh} << 64 | fresh);
}

// The same for two words, which mostly have the same story.
template <bool kWrite>
[[gnu::always_inline]] inline Marked mark_pair_without_lock(ThreadState& thread, Cell* cells) {
  const std::uint64_t old = cells[0].load(std::memory_order_acquire);
  std::uint64_t fresh;
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
  if (!change_pair(cells, old, fresh)) return Marked::kNot;
  remember_cell<kWrite>(thread, fresh);
  return Marked::kNow;
}

}  // namespace omnium::runtime
