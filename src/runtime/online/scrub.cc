// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/scrub.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "runtime/online/reach.h"
#include "runtime/online/readers.h"
#include "runtime/shadow/map.h"
#include "runtime/shadow/ownership.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

struct Mentioned {
  bool slot[kSlots];
};

void note_mentioned(std::uint32_t written, Readers read, Mentioned& mentioned) {
  if (written != 0) mentioned.slot[slot_of(written)] = true;
  for_each_reader(read, [&](Epoch epoch) { mentioned.slot[slot_of(epoch)] = true; });
}

void note_all(const Bytes& story, Mentioned& mentioned) {
  for (unsigned i = 0; i < 4; ++i) note_mentioned(story.written[i], story.read[i], mentioned);
}

// A cell with a list. Threads may be writing into the list, so it stays; dead entries are removed.
Cell with_clean_list(Cell cell, Mentioned& mentioned) {
  const std::uint32_t number = cell.readers().number();
  reader_lists.keep(number);
  for (std::atomic<Epoch>& reader : reader_lists.at(number).readers) {
    Epoch epoch = reader.load(std::memory_order_acquire);
    if (epoch == 0) continue;
    if (is_live(epoch) || !reader.compare_exchange_strong(epoch, 0)) {
      mentioned.slot[slot_of(epoch)] = true;
    }
  }
  Field written = cell.written();
  if (!written.is_empty() && !is_live(written.value())) written = Field();
  if (!written.is_empty()) mentioned.slot[slot_of(written.value())] = true;
  return Cell(cell.is_object(), written, cell.read().bytes(), cell.readers());
}

Field without_dead(Field field, Mentioned& mentioned) {
  if (field.is_empty() || !is_live(field.value())) return Field();
  mentioned.slot[slot_of(field.value())] = true;
  return field;
}

// The cell without what is dead, and with rows of the current generation only.
Cell cleaned(Cell cell, Mentioned& mentioned) {
  if (cell.is_plain()) {  // most cells are
    return Cell(Form::kPlain, without_dead(cell.written(), mentioned),
                without_dead(cell.read(), mentioned));
  }
  if (cell.readers().is_list()) return with_clean_list(cell, mentioned);
  const Bytes before = unpack(cell);
  Bytes story = before;
  for (unsigned i = 0; i < 4; ++i) {
    if (story.written[i] != 0 && !is_live(story.written[i])) story.written[i] = 0;
    story.read[i] = i > 0 && before.read[i] == before.read[i - 1]
                        ? story.read[i - 1]
                        : refreshed(story.read[i], nullptr, 0);
    note_mentioned(story.written[i], story.read[i], mentioned);
  }
  const Cell fresh = pack(story, cell);
  if (!cell.is_object() || fresh.is_empty()) return fresh;
  return Cell(true, fresh.written(), kAllBytes, fresh.readers());
}

// A story changes in place, so that its cell must be locked.
void clean_locked(AtomicCell& cell, Mentioned& mentioned) {
  ThreadState& thread = *tls_thread;
  thread.locked_count = 1;
  std::atomic_ref(thread.locked).store(&cell, std::memory_order_release);
  const Cell old = lock_cell(cell);
  cell.store(cleaned(old, mentioned), std::memory_order_release);
}

void clean(AtomicCell& cell, void* context) {
  auto& mentioned = *static_cast<Mentioned*>(context);
  for (;;) {
    const Cell old = load_unlocked(cell);
    if (old.is_empty()) return;
    if (!may_be_changed(owner_of(cell))) return note_all(unpack(old), mentioned);
    if (old.form() == Form::kBytes) return clean_locked(cell, mentioned);
    const Cell fresh = cleaned(old, mentioned);
    if (fresh == old || cell.replace(old, fresh)) return;
  }
}

// Waits until every thread has been outside of the runtime since the call.
void wait_for_all() {
  syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    const ThreadState& thread = thread_at(i);
    Backoff backoff;
    while (thread.life == Life::kRunning &&
           (thread.state.load(std::memory_order_acquire) & (kInside | kMarking)) != 0) {
      backoff.pause();
    }
  }
}

// Numbers of rows will mean other rows, so the caches of the threads must be cleared. A line
// without its epoch is never used, whatever its thread writes into the rest of it at the same time.
void forget_remembered_readers() {
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    for (ReaderCache::Line& line : thread_at(i).readers.lines) {
      std::atomic_ref(line.epoch).store(0, std::memory_order_relaxed);
    }
    std::atomic_ref(thread_at(i).quick.known).store(kNoCell, std::memory_order_relaxed);
  }
}

// No cell has an epoch of the slot any more, so nothing is known about its next epochs.
void forget_dead(std::uint32_t slot) {
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    std::atomic_ref(thread_at(i).dead_before[slot]).store(0, std::memory_order_relaxed);
  }
}

// Frees the slots that their threads have left and that no cell mentions.
void free_slots(const Mentioned& mentioned) {
  const SpinGuard guard(reach_lock);
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    ThreadState& thread = thread_at(i);
    for (std::uint32_t* link = &thread.slot; *link != 0;) {
      Slot& slot = slots[*link];
      const bool open = slot.own_from.load(std::memory_order_relaxed) != kNever;
      if (!slot.retired || open || mentioned.slot[*link]) {
        link = &slot.older;
        continue;
      }
      forget_dead(*link);
      *link = slot.older;
      slot.owner.store(nullptr, std::memory_order_release);
    }
  }
}

}  // namespace

void scrub() {
  static Mentioned mentioned;
  mentioned = {};
  rows.start_generation();
  reader_lists.start_sweep();
  suspend_owners();
  wait_for_all();
  forget_remembered_readers();
  visit_cells(clean, &mentioned);
  wait_for_all();
  forget_remembered_readers();  // threads that were marking may have filled their caches again
  rows.empty_old_generation();
  reader_lists.finish_sweep();
  free_slots(mentioned);
  resume_owners();
}

}  // namespace omnium::runtime
