// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Words whose bytes have different histories: strings, and buffers that are read at odd addresses.
#pragma once

#include "runtime/online/reach.h"
#include "runtime/online/readers.h"
#include "runtime/shadow/cell.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

enum class Marked { kNot, kBefore, kNow };

// May a dependency on the epoch have an effect? If it is live and has none, the event gets a time
// stamp nevertheless.
inline bool has_effect(ThreadState& thread, Epoch source) {
  if (is_mine(thread, source) || !is_live(thread, source)) return false;
  if (thread.is_idle() || !is_known_source(thread, *owner_of(source), full_time(source))) {
    return true;
  }
  thread.depends = true;
  return false;
}

// Removes what is dead from a byte of the word, so that the cell needs no story for it.
inline void leave_out_dead(Epoch& written, Readers& read) {
  if (written != 0 && !is_live(written)) written = 0;
  if (!read.is_nobody() && !read.is_set() && !is_live(read.epoch())) read = Readers();
}

// Marks bytes of a word whose cell is `old`, a story or one that may have to become one, if no
// dependency of the access has an effect and each byte has one reader at most. Never waits: if
// another thread has locked the cell, it is not marked.
template <bool kWrite>
[[gnu::noinline]] Marked mark_story(ThreadState& thread, AtomicCell& cell, Cell old,
                                    unsigned bytes);

}  // namespace omnium::runtime
