// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/access.h"

#include "runtime/online/local_time.h"
#include "runtime/online/lock_free.h"
#include "runtime/online/readers.h"
#include "runtime/online/report.h"
#include "runtime/online/slots.h"
#include "runtime/shadow/ownership.h"

namespace omnium::runtime {

namespace {

using wire::StepKind;

void publish(ThreadState& thread, AtomicCell& cell, Cell old, Cell fresh) {
  if (fresh != old) thread.set_state(kDirty, true);
  cell.store(fresh, std::memory_order_release);
}

Cell lock_one(ThreadState& thread, AtomicCell& cell) {
  overflow_now_or_not();
  thread.locked_count = 1;
  std::atomic_ref(thread.locked).store(&cell, std::memory_order_release);
  return lock_cell(cell);
}

// Collects the live dependencies of the current event, and gives them to the reach engine in
// portions.
class Incoming {
 public:
  Incoming(ThreadState& thread, const Sink& sink) : thread_(thread), sink_(sink) {}
  ~Incoming() { hand_on(); }
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  void add(Epoch source, StepKind kind) {
    if (is_mine(thread_, source) || !is_live(thread_, source)) return;
    ThreadState* const owner = owner_of(source);
    const std::uint64_t time = full_time(source);
    if (is_known_source(thread_, *owner, time)) {
      thread_.depends = true;
      return;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (items_[i].source != owner || items_[i].time != time) continue;
      items_[i].only_read &= kind == StepKind::kReadWrite;
      return;
    }
    if (count_ == kPortion) hand_on();
    items_[count_++] = {owner, time, kind, kind == StepKind::kReadWrite};
  }

 private:
  static constexpr std::size_t kPortion = 32;

  void hand_on() {
    if (count_ > 0) receive(thread_, items_, count_, sink_);
    count_ = 0;
  }

  ThreadState& thread_;
  Sink sink_;
  Dependency items_[kPortion];
  std::size_t count_ = 0;
};

// The direct dependencies of an access [docs/semantics.md, "Conflicts and order"].
void gather(ThreadState& thread, Epoch written, Readers read, bool write, Incoming& incoming) {
  if (write && !read.is_nobody()) {
    for_each_reader(read, [&](Epoch epoch) { incoming.add(epoch, StepKind::kReadWrite); });
  } else if (written != 0 && (write || !contains_thread(read, thread))) {
    incoming.add(written, write ? StepKind::kWriteWrite : StepKind::kWriteRead);
  }
}

void gather_from(ThreadState& thread, Cell cell, unsigned bytes, bool write, Incoming& incoming) {
  if (cell.is_empty() || cell.is_object()) return;
  if (cell.form() != Form::kBytes) {
    const unsigned read = bytes & cell.read().bytes();
    const unsigned written = bytes & cell.written().bytes();
    const Epoch writer = cell.written().value();
    if (read != 0)
      gather(thread, (written & read) != 0 ? writer : 0, cell.readers(), write, incoming);
    if ((written & ~read) != 0) gather(thread, writer, Readers(), write, incoming);
    return;
  }
  const Bytes story = unpack(cell);
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) != 0) gather(thread, story.written[i], story.read[i], write, incoming);
  }
}

// Puts the access into what a cell says of a byte.
void remember(ThreadState& thread, Epoch& written, Readers& read, bool write, std::uint32_t words) {
  if (write) {
    written = thread.now;
    read = Readers();
    return;
  }
  if (written == thread.now) return;
  read = add_reader(read, thread, words);
}

// The next content of a cell that this thread has locked.
Cell after_access(ThreadState& thread, Cell cell, unsigned bytes, const Access& access,
                  bool write) {
  if (cell.is_object()) {
    // The bytes of a lock are not data. But who writes them as such makes something new of them:
    // not every lock is destroyed by a function that could be seen.
    if (!write || access.is_atomic()) return cell;
    cell = Cell();
  }
  {
    Incoming incoming(thread, access.sink());
    gather_from(thread, cell, bytes, write, incoming);
  }
  if (thread.is_idle()) return cell;
  if (write && bytes == kAllBytes) return Cell(Form::kPlain, now_field(thread), Field());
  const Bytes before = unpack(cell);
  Bytes story = before;
  if (bytes != kAllBytes || cell.read().bytes() != kAllBytes) {
    for (Readers& readers : story.read) readers = without_list(readers);
  }
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) != 0) {
      remember(thread, story.written[i], story.read[i], write, 0);
    } else {
      leave_out_dead(story.written[i], story.read[i]);
    }
  }
  // A story may change although the cell does not.
  if (story != before) thread.set_state(kDirty, true);
  return pack(story, cell);
}

void check_cell(ThreadState& thread, AtomicCell& cell, unsigned bytes, const Access& access) {
  if (thread.is_idle() && cell.load(std::memory_order_acquire).is_empty()) return;
  enter_chunk(thread, owner_of(cell));
  const Marked marked = access.write ? mark_cell_without_lock<true>(thread, cell, bytes)
                                     : mark_cell_without_lock<false>(thread, cell, bytes);
  if (marked != Marked::kNot) return;
  const Cell old = lock_one(thread, cell);
  publish(thread, cell, old, after_access(thread, old, bytes, access, access.write));
}

// An access of several words is one event: the dependencies of all words come first, so that time
// has advanced before the first word is marked.
void receive_all(ThreadState& thread, const Access& access) {
  if (access.address % 4 + access.size <= 4) return;
  Incoming incoming(thread, access.sink());
  for_each_cell(access.address, access.size, [&](AtomicCell& cell, unsigned bytes) {
    gather_from(thread, load_unlocked(cell), bytes, access.write, incoming);
  });
}

// Adds the access to the history, with a time stamp if it depends on other threads or is atomic.
inline void note(ThreadState& thread, wire::EntryKind kind, const Access& access) {
  const bool placed = (thread.state.load(std::memory_order_relaxed) & kUnplaced) == 0;
  if (thread.depends || access.is_atomic() || !placed) {
    add_placed(thread, kind, access.address, access.size, access.pc);
  } else {
    thread.history.add(kind, access.address, access.size, access.pc);
  }
}

void check_whole(const Access& access, ThreadState& thread) {
  start_event(thread);
  receive_all(thread, access);
  for_each_cell(access.address, access.size,
                [&](AtomicCell& cell, unsigned bytes) { check_cell(thread, cell, bytes, access); });
  if (thread.is_idle()) return;
  note(thread, access.write ? wire::EntryKind::kWrite : wire::EntryKind::kRead, access);
  send_findings_if_any(thread);
}

bool is_repeated_in(const Quick& quick, const Access& access, Cell content, unsigned bytes) {
  return access.write ? is_repeated<true>(quick, content, bytes)
                      : is_repeated<false>(quick, content, bytes);
}

void check_unless_repeated(const Access& access, ThreadState& thread) {
  const Quick quick = quick_cells(thread);
  bool repeated = true;
  for_each_cell(access.address, access.size, [&](const AtomicCell& cell, unsigned bytes) {
    const Cell content = cell.load(std::memory_order_acquire);
    repeated = repeated && is_repeated_in(quick, access, content, bytes);
  });
  if (!repeated) check_whole(access, thread);
}

void gather_from_object(ThreadState& thread, Cell cell, bool write, const Sink& sink) {
  if (!cell.is_object()) return;
  Incoming incoming(thread, sink);
  gather(thread, cell.written().value(), cell.readers(), write, incoming);
}

// A reader-writer lock with at most one writer and one reader, both the thread's own or dead,
// changes without the lock bit, like a word of memory.
bool use_object_without_lock(ThreadState& thread, AtomicCell& cell, bool write) {
  const Cell old = cell.load(std::memory_order_acquire);
  if (!old.is(Form::kObject) || thread.is_idle()) return false;
  const Epoch written = old.written().value(), read = old.read().value();
  if (!write && (written == thread.now || read == thread.now)) return true;
  if (!is_own_or_dead(thread, read) || !is_own_or_dead(thread, written)) return false;
  enter_chunk(thread, owner_of(cell));
  thread.set_state(kDirty, true);
  const Cell fresh = write ? Cell(Form::kObject, now_field(thread), Field())
                           : Cell(Form::kObject, old.written(), now_field(thread));
  return cell.replace(old, fresh);
}

// A reader-writer lock with a list of readers that this thread is in changes without the lock bit.
bool reread_object_without_lock(ThreadState& thread, AtomicCell& cell) {
  const Cell content = cell.load(std::memory_order_acquire);
  if (!content.is(Form::kObjectList)) return false;
  ReaderList& list = reader_lists.at(content.readers().number());
  const std::atomic<Epoch>* mine = list.find(thread, thread.slot, thread.index);
  if (mine == nullptr || thread.is_idle()) return false;
  if (mine->load(std::memory_order_relaxed) == thread.now) return true;
  thread.set_state(kDirty, true);
  // The entry counts only if the cell still has the list.
  return renew_in_list(list, thread) && cell.load(std::memory_order_seq_cst) == content;
}

}  // namespace

void unlock_cells(ThreadState& thread) {
  if (thread.locked == nullptr) return;
  // This is the child of a fork, in which no other thread runs.
  for (std::uint32_t i = 0; i < thread.locked_count; ++i) {
    AtomicCell& cell = thread.locked[i];
    cell.store(cell.load(std::memory_order_relaxed).unlocked(), std::memory_order_relaxed);
  }
  thread.locked = nullptr;
}

bool is_repeated(const ThreadState& thread, const Access& access, const Cell* contents) {
  const Quick quick = quick_cells(thread);
  bool repeated = true;
  for_each_cell(access.address, access.size, [&](const AtomicCell&, unsigned bytes) {
    repeated = repeated && is_repeated_in(quick, access, *contents++, bytes);
  });
  return repeated;
}

void restore_cells(ThreadState& thread, const Access& access, const Cell* contents) {
  for_each_cell(access.address, access.size, [&](AtomicCell& cell, unsigned) {
    cell.store(*contents++, std::memory_order_release);
  });
  thread.locked = nullptr;
}

void lock_cells(ThreadState& thread, const Access& access, Cell* contents) {
  thread.locked_count = static_cast<std::uint32_t>((access.address % 4 + access.size + 3) / 4);
  std::atomic_ref(thread.locked).store(cell_at(access.address), std::memory_order_release);
  for_each_cell(access.address, access.size,
                [&](AtomicCell& cell, unsigned) { *contents++ = lock_cell(cell); });
}

void check_access(std::uintptr_t address, Pc pc, unsigned size, bool write) {
  const Inside inside;
  if (!inside || ignores_accesses(inside.thread()) || !has_cells(address)) return;
  update_idle(inside.thread());
  check_whole({address, pc, static_cast<std::uint8_t>(size), write}, inside.thread());
}

template <bool kWrite>
void mark_words(std::uintptr_t address, Pc pc, unsigned size, ThreadState& thread) {
  start_marking(thread, thread.state.load(std::memory_order_relaxed));
  Marked marked = Marked::kNot;
  if (may_mark_in_chunk(thread, address) && may_mark_in_chunk(thread, address + size - 1)) {
    marked = Marked::kBefore;
    thread.depends = false;
    for_each_cell(address, size, [&](AtomicCell& cell, unsigned bytes) {
      if (marked == Marked::kNot) return;
      const Marked one = mark_cell_without_lock<kWrite>(thread, cell, bytes);
      if (one != Marked::kBefore) marked = one;
    });
    if (marked == Marked::kNow) note_marked_or_placed<kWrite, false>(thread, address, size, pc);
  }
  stop_marking(thread);
  // Some of the cells may have been marked already, which does no harm.
  if (marked == Marked::kNot) check_access(address, pc, size, kWrite);
}

template void mark_words<false>(std::uintptr_t, Pc, unsigned, ThreadState&);
template void mark_words<true>(std::uintptr_t, Pc, unsigned, ThreadState&);

void check_part_of_range(std::uintptr_t address, std::size_t size, bool write, Pc pc) {
  ThreadState& current = *tls_thread;
  if (is_usual_after_placing(current)) {
    const auto bytes = static_cast<unsigned>(size);
    return write ? mark_words<true>(address, pc, bytes, current)
                 : mark_words<false>(address, pc, bytes, current);
  }
  const Inside inside;
  if (!inside || ignores_accesses(inside.thread()) || !has_cells(address)) return;
  update_idle(inside.thread());
  check_unless_repeated({address, pc, static_cast<std::uint8_t>(size), write}, inside.thread());
}

namespace {

// Did the thread's open part access these bytes before?
bool touched_by_part(const ThreadState& thread, const Access& access, const Cell* contents) {
  const std::uint64_t start = thread.start.load(std::memory_order_relaxed);
  bool touched = false;
  const auto look = [&](Epoch epoch) {
    touched |= epoch != 0 && is_mine(thread, epoch) && full_time(epoch) >= start;
  };
  for_each_cell(access.address, access.size, [&](const AtomicCell&, unsigned bytes) {
    const Bytes story = unpack(*contents++);
    for (unsigned i = 0; i < 4; ++i) {
      if ((bytes >> i & 1) == 0) continue;
      look(story.written[i]);
      for_each_reader(story.read[i], look);
    }
  });
  return touched;
}

}  // namespace

void remember_attempt(ThreadState& thread, const Access& access, const Cell* contents, bool write) {
  const std::uint64_t start = thread.start.load(std::memory_order_relaxed);
  const AtomicVariable variable{access.address, access.size};
  if (write) return thread.attempts.remove(start, variable);
  if (thread.attempts.contains(start, variable)) return;
  if (!touched_by_part(thread, access, contents)) thread.attempts.add(start, variable);
}

namespace {

wire::EntryKind entry_kind(const Access& access, bool write) {
  if (access.atomicity == wire::Atomicity::kUpdate) return wire::EntryKind::kUpdate;
  if (!access.is_atomic()) return write ? wire::EntryKind::kWrite : wire::EntryKind::kRead;
  return write ? wire::EntryKind::kAtomicWrite : wire::EntryKind::kAtomicRead;
}

}  // namespace

namespace {

// Changes the content of one or two whole words that are alike, as accesses that are not atomic do.
Marked change_words(ThreadState& thread, const Access& access, const Cell* contents, bool write,
                    Cell& fresh) {
  const std::uint32_t words = access.size / 4;
  const bool alike = access.address % 4 == 0 &&
                     (access.size == 4 || (access.size == 8 && contents[0] == contents[1]));
  if (!alike) return Marked::kNot;
  return write ? LockFreeChange<true>(thread, kAllBytes, words).change(contents[0], fresh)
               : LockFreeChange<false>(thread, kAllBytes, words).change(contents[0], fresh);
}

}  // namespace

void mark_locked(ThreadState& thread, const Access& access, const Cell* contents, bool write) {
  Cell fresh;
  const Marked marked = change_words(thread, access, contents, write, fresh);
  if (marked == Marked::kNow) thread.set_state(kDirty, true);
  if (marked == Marked::kNot) {
    const Cell* content = contents;
    Incoming incoming(thread, access.sink());
    for_each_cell(access.address, access.size, [&](const AtomicCell&, unsigned bytes) {
      gather_from(thread, *content++, bytes, write, incoming);
    });
  }
  // The time stamp is taken while the cells are locked: it orders atomic operations as they happen.
  if (!thread.is_idle()) note(thread, entry_kind(access, write), access);
  const Cell* content = contents;
  for_each_cell(access.address, access.size, [&](AtomicCell& cell, unsigned bytes) {
    const Cell old = *content++;
    publish(thread, cell, old,
            marked == Marked::kNot ? after_access(thread, old, bytes, access, write) : fresh);
  });
  send_findings_if_any(thread);
}

void acquire_object(ThreadState& thread, const void* object, Pc pc) {
  const Cell cell = load_unlocked(*cell_at(object));
  const Epoch released = cell.written().value();
  if (!cell.is_object() || is_own_or_dead(thread, released)) return;
  Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0});
  incoming.add(released, StepKind::kReleaseAcquire);
}

void release_object(ThreadState& thread, const void* object) {
  if (thread.is_idle()) return;
  AtomicCell& cell = *cell_at(object);
  enter_chunk(thread, owner_of(cell));
  publish(thread, cell, cell.load(std::memory_order_relaxed),
          Cell(Form::kObject, now_field(thread), Field()));
}

void read_or_write_object(ThreadState& thread, const void* object, bool write, Pc pc) {
  AtomicCell& cell = *cell_at(object);
  if (use_object_without_lock(thread, cell, write)) return;
  if (!write && reread_object_without_lock(thread, cell)) return;
  const Sink sink{reinterpret_cast<std::uint64_t>(object), pc, 0};
  if (thread.is_idle()) {
    gather_from_object(thread, load_unlocked(cell), write, sink);
    if (thread.is_idle()) return;
  }
  enter_chunk(thread, owner_of(cell));
  const Cell old = lock_one(thread, cell);
  gather_from_object(thread, old, write, sink);
  Epoch written = old.is_object() ? old.written().value() : 0;
  Readers read = old.is_object() ? old.readers() : Readers();
  remember(thread, written, read, write, 1);
  publish(thread, cell, old,
          Cell(true, written == 0 ? Field() : Field(kAllBytes, written), kAllBytes, read));
}

void contribute_to_object(ThreadState& thread, const void* object) {
  if (thread.is_idle()) return;
  AtomicCell& cell = *cell_at(object);
  enter_chunk(thread, owner_of(cell));
  const Cell old = lock_one(thread, cell);
  const Readers read = add_reader(old.is_object() ? old.readers() : Readers(), thread, 1);
  publish(thread, cell, old, Cell(true, Field(), kAllBytes, read));
}

void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc) {
  const Cell cell = load_unlocked(*cell_at(meeting));
  if (!cell.is_object()) return;
  Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0});
  for_each_reader(cell.readers(), [&](Epoch epoch) { incoming.add(epoch, StepKind::kMeeting); });
}

}  // namespace omnium::runtime
