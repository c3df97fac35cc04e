// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/story.h"

#include "runtime/system/signal_gate.h"

namespace omnium::runtime {

namespace {

// Changes what the story says of one byte.
template <bool kWrite>
Marked mark_byte(ThreadState& thread, Epoch& written, Readers& read) {
  if (read.is_set() || read.is_list()) return Marked::kNot;
  const bool repeated =
      kWrite ? thread.is_current(written) && read.is_nobody()
             : thread.is_current(written) || (!read.is_nobody() && thread.is_current(read.epoch()));
  if (repeated) return Marked::kBefore;
  const bool seen = !read.is_nobody() && is_mine(thread, read.epoch());
  if (!seen && !read.is_nobody() && is_live(thread, read.epoch())) {
    if (!kWrite || has_effect(thread, read.epoch())) return Marked::kNot;
  }
  // If this thread has read the byte since the last write, that write is no new dependency.
  if (!seen && written != 0 && has_effect(thread, written)) return Marked::kNot;
  if (thread.is_idle()) return Marked::kBefore;
  if (kWrite) written = thread.now;
  read = kWrite ? Readers() : Readers(thread.now);
  return Marked::kNow;
}

template <bool kWrite>
Marked change_story(ThreadState& thread, Bytes& story, unsigned bytes) {
  Marked marked = Marked::kBefore;
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) == 0) continue;
    const Marked one = mark_byte<kWrite>(thread, story.written[i], story.read[i]);
    if (one == Marked::kNot) return one;
    if (one == Marked::kNow) marked = one;
  }
  return marked;
}

// In the bytes that the access does not touch.
void leave_out_dead_bytes(Bytes& story, unsigned touched) {
  for (unsigned i = 0; i < 4; ++i) {
    if ((touched >> i & 1) == 0) leave_out_dead(story.written[i], story.read[i]);
  }
}

}  // namespace

template <bool kWrite>
Marked mark_story(ThreadState& thread, AtomicCell& cell, Cell old, unsigned bytes) {
  // Without the lock some bytes may be seen as they were, but entries of this thread are its own.
  Bytes story = unpack(old);
  Marked marked = change_story<kWrite>(thread, story, bytes);
  if (marked != Marked::kNow) return marked;
  overflow_now_or_not();
  thread.locked_count = 1;
  std::atomic_ref(thread.locked).store(&cell, std::memory_order_release);
  if (!cell.replace(old, old.locked(), std::memory_order_acquire)) return Marked::kNot;
  story = unpack(old);
  marked = change_story<kWrite>(thread, story, bytes);
  if (old.is_plain()) leave_out_dead_bytes(story, bytes);
  if (marked == Marked::kNow) thread.set_state(kDirty, true);
  cell.store(marked == Marked::kNow ? pack(story, old) : old, std::memory_order_release);
  return marked;
}

template Marked mark_story<false>(ThreadState&, AtomicCell&, Cell, unsigned);
template Marked mark_story<true>(ThreadState&, AtomicCell&, Cell, unsigned);

}  // namespace omnium::runtime
