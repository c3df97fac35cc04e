// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/access.h"

#include "runtime/online/local_time.h"
#include "runtime/online/lock_free.h"
#include "runtime/online/readers.h"
#include "runtime/online/slots.h"
#include "runtime/shadow/ownership.h"

namespace omnium::runtime {

namespace {

using wire::StepKind;

void publish(ThreadState& thread, Cell& cell, std::uint64_t old, std::uint64_t fresh) {
  if (fresh != old) thread.set_state(kDirty, true);
  cell.store(fresh, std::memory_order_release);
}

std::uint64_t lock_one(ThreadState& thread, Cell& cell) {
  thread.locked_count = 1;
  std::atomic_ref(thread.locked).store(&cell, std::memory_order_release);
  return lock_cell(cell);
}

// Live dependencies of the current event, handed on in portions.
class Incoming {
 public:
  Incoming(ThreadState& thread, const Sink& sink) : thread_(thread), sink_(sink) {}
  ~Incoming() { hand_on(); }
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  void add(Epoch source, StepKind kind) {
    if (is_mine(thread_, source) || !is_live(thread_, source)) return;
    for (std::size_t i = 0; i < count_; ++i) {
      if (items_[i].source == owner_of(source) && items_[i].time == full_time(source)) return;
    }
    if (count_ == kPortion) hand_on();
    items_[count_++] = {owner_of(source), full_time(source), kind};
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

// The direct dependencies of an access [docs/semantics.md#conflicts-and-order].
void gather(ThreadState& thread, Epoch written, Readers read, bool write, Incoming& incoming) {
  if (write && read != 0) {
    for_each_reader(read, [&](Epoch epoch) { incoming.add(epoch, StepKind::kReadWrite); });
  } else if (written != 0 && (write || !contains_thread(read, thread))) {
    incoming.add(written, write ? StepKind::kWriteWrite : StepKind::kWriteRead);
  }
}

void gather_from(ThreadState& thread, std::uint64_t cell, unsigned bytes, bool write,
                 Incoming& incoming) {
  if (cell == 0 || is_object(cell)) return;
  if (form_of(cell) != Form::kBytes) {
    const unsigned read = bytes & bytes_of(read_field(cell));
    const unsigned written = bytes & bytes_of(written_field(cell));
    const Epoch writer = value_of(written_field(cell));
    if (read != 0)
      gather(thread, (written & read) != 0 ? writer : 0, readers_of(cell), write, incoming);
    if ((written & ~read) != 0) gather(thread, writer, 0, write, incoming);
    return;
  }
  const Bytes story = unpack(cell);
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) != 0) gather(thread, story.written[i], story.read[i], write, incoming);
  }
}

// What is remembered of the access.
void remember(ThreadState& thread, std::uint32_t& written, Readers& read, bool write,
              std::uint32_t words) {
  if (write) {
    written = thread.now;
    read = 0;
    return;
  }
  if (written == thread.now) return;
  read = add_reader(read, thread, words);
}

// The other bytes of the word: their story must not make it a complicated one without need.
void leave_out_dead(std::uint32_t& written, Readers& read) {
  if (written != 0 && !is_live(written)) written = 0;
  if (read != 0 && (read & kSetBit) == 0 && !is_live(read)) read = 0;
}

// The next content of a cell that this thread has locked.
std::uint64_t after_access(ThreadState& thread, std::uint64_t cell, unsigned bytes,
                           const Access& access, bool write) {
  if (is_object(cell)) return cell;  // the bytes of a lock
  {
    Incoming incoming(thread, access.sink());
    gather_from(thread, cell, bytes, write, incoming);
  }
  if (thread.is_idle()) return cell;
  if (write && bytes == kAllBytes) return make_cell(Form::kPlain, thread.now_field, 0);
  Bytes story = unpack(cell);
  if (bytes != kAllBytes) {
    for (Readers& readers : story.read) readers = without_list(readers);
  }
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) != 0) {
      remember(thread, story.written[i], story.read[i], write, 0);
    } else {
      leave_out_dead(story.written[i], story.read[i]);
    }
  }
  return pack(story);
}

void check_cell(ThreadState& thread, Cell& cell, unsigned bytes, const Access& access) {
  if (thread.is_idle() && cell.load(std::memory_order_acquire) == 0) return;
  enter_chunk(thread, owner_of(cell));
  const Marked marked = access.write ? mark_cell_without_lock<true>(thread, cell, bytes)
                                     : mark_cell_without_lock<false>(thread, cell, bytes);
  if (marked != Marked::kNot) return;
  const std::uint64_t old = lock_one(thread, cell);
  publish(thread, cell, old, after_access(thread, old, bytes, access, access.write));
}

// Splits [address, address + size) into words: visit(cell, bytes of it).
template <typename Visit>
void for_each_cell(std::uintptr_t address, std::size_t size, Visit visit) {
  Cell* cell = cell_at(address);
  for (unsigned skipped = address % 4; size > 0; ++cell, skipped = 0) {
    const std::size_t count = size < 4 - skipped ? size : 4 - skipped;
    visit(*cell, ((1u << count) - 1) << skipped);
    size -= count;
  }
}

// An access of several words: time advances before the first of them is marked.
void receive_all(ThreadState& thread, const Access& access) {
  if (access.address % 4 + access.size <= 4) return;
  Incoming incoming(thread, access.sink());
  for_each_cell(access.address, access.size, [&](Cell& cell, unsigned bytes) {
    gather_from(thread, load_unlocked(cell), bytes, access.write, incoming);
  });
}

// An event that depends on other threads has its place among theirs; so has every atomic one.
inline void note(ThreadState& thread, wire::EntryKind kind, const Access& access) {
  const bool placed = (thread.state.load(std::memory_order_relaxed) & kUnplaced) == 0;
  if (thread.advanced || access.atomic || !placed) {
    add_placed(thread, kind, access.address, access.size, access.pc);
  } else {
    thread.history.add(kind, access.address, access.size, access.pc);
  }
}

void check_whole(const Access& access, ThreadState& thread) {
  start_event(thread);
  receive_all(thread, access);
  for_each_cell(access.address, access.size,
                [&](Cell& cell, unsigned bytes) { check_cell(thread, cell, bytes, access); });
  if (thread.is_idle()) return;
  note(thread, access.write ? wire::EntryKind::kWrite : wire::EntryKind::kRead, access);
}

void check_unless_repeated(const Access& access, ThreadState& thread) {
  const Quick quick = quick_cells(thread);
  bool repeated = true;
  for_each_cell(access.address, access.size, [&](const Cell& cell, unsigned bytes) {
    const std::uint64_t content = cell.load(std::memory_order_acquire);
    repeated = repeated && (access.write ? is_repeated<true>(quick, content, bytes)
                                         : is_repeated<false>(quick, content, bytes));
  });
  if (!repeated) check_whole(access, thread);
}

void gather_from_object(ThreadState& thread, std::uint64_t cell, bool write, const Sink& sink) {
  if (!is_object(cell)) return;
  Incoming incoming(thread, sink);
  gather(thread, value_of(written_field(cell)), readers_of(cell), write, incoming);
}

// A reader-writer lock with one writer and one reader, both the thread's own or dead: as with a
// word, no lock bit is needed.
bool use_object_without_lock(ThreadState& thread, Cell& cell, bool write) {
  std::uint64_t old = cell.load(std::memory_order_acquire);
  if (old >> 60 != static_cast<std::uint64_t>(Form::kObject) || thread.is_idle()) return false;
  const Epoch written = value_of(written_field(old)), read = value_of(read_field(old));
  if (!write && (written == thread.now || read == thread.now)) return true;
  if (!is_own_or_dead(thread, read) || !is_own_or_dead(thread, written)) return false;
  enter_chunk(thread, owner_of(cell));
  thread.set_state(kDirty, true);
  const std::uint64_t fresh = write
                                  ? make_cell(Form::kObject, thread.now_field, 0)
                                  : make_cell(Form::kObject, written_field(old), thread.now_field);
  return cell.compare_exchange_strong(old, fresh, std::memory_order_acq_rel);
}

// A reader-writer lock that this thread has read since it was written last needs no lock bit.
bool reread_object_without_lock(ThreadState& thread, Cell& cell) {
  const std::uint64_t content = cell.load(std::memory_order_acquire);
  if (content >> 60 != static_cast<std::uint64_t>(Form::kObjectList)) return false;
  ReaderList& list = reader_lists.at(readers_of(content) & ~kListBit);
  const std::atomic<Epoch>* mine = list.find(thread, thread.slot, thread.index);
  if (mine == nullptr || thread.is_idle()) return false;
  if (mine->load(std::memory_order_relaxed) == thread.now) return true;
  thread.set_state(kDirty, true);
  // The list is only good as long as the cell has it.
  return renew_in_list(list, thread) && cell.load(std::memory_order_seq_cst) == content;
}

}  // namespace

void unlock_cells(ThreadState& thread) {
  if (thread.locked == nullptr) return;
  for (std::uint32_t i = 0; i < thread.locked_count; ++i) thread.locked[i].fetch_and(~kLocked);
  thread.locked = nullptr;
}

void lock_cells(ThreadState& thread, const Access& access, std::uint64_t* contents) {
  thread.locked_count = static_cast<std::uint32_t>((access.address % 4 + access.size + 3) / 4);
  std::atomic_ref(thread.locked).store(cell_at(access.address), std::memory_order_release);
  for_each_cell(access.address, access.size,
                [&](Cell& cell, unsigned) { *contents++ = lock_cell(cell); });
}

void check_access(std::uintptr_t address, Pc pc, unsigned size, bool write) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  update_idle(inside.thread());
  check_whole({address, pc, static_cast<std::uint8_t>(size), write, false}, inside.thread());
}

void check_part_of_range(std::uintptr_t address, std::size_t size, bool write, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  update_idle(inside.thread());
  check_unless_repeated({address, pc, static_cast<std::uint8_t>(size), write, false},
                        inside.thread());
}

void mark_atomic(ThreadState& thread, const Access& access, const std::uint64_t* contents,
                 bool read, bool write) {
  const std::uint64_t* content = contents;
  {
    Incoming incoming(thread, access.sink());
    for_each_cell(access.address, access.size, [&](const Cell&, unsigned bytes) {
      gather_from(thread, *content++, bytes, write, incoming);
    });
  }
  content = contents;
  for_each_cell(access.address, access.size, [&](Cell& cell, unsigned bytes) {
    const std::uint64_t old = *content++;
    std::uint64_t fresh = old;
    if (read) fresh = after_access(thread, fresh, bytes, access, false);
    if (write) fresh = after_access(thread, fresh, bytes, access, true);
    publish(thread, cell, old, fresh);
  });
  if (thread.is_idle()) return;
  if (read) note(thread, wire::EntryKind::kAtomicRead, access);
  if (write) note(thread, wire::EntryKind::kAtomicWrite, access);
}

void acquire_object(ThreadState& thread, const void* object, Pc pc) {
  const std::uint64_t cell = load_unlocked(*cell_at(object));
  const Epoch released = value_of(written_field(cell));
  if (!is_object(cell) || is_own_or_dead(thread, released)) return;
  Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0, false});
  incoming.add(released, StepKind::kReleaseAcquire);
}

void release_object(ThreadState& thread, const void* object) {
  if (thread.is_idle()) return;
  Cell& cell = *cell_at(object);
  enter_chunk(thread, owner_of(cell));
  publish(thread, cell, cell.load(std::memory_order_relaxed),
          make_cell(Form::kObject, thread.now_field, 0));
}

void read_or_write_object(ThreadState& thread, const void* object, bool write, Pc pc) {
  Cell& cell = *cell_at(object);
  if (use_object_without_lock(thread, cell, write)) return;
  if (!write && reread_object_without_lock(thread, cell)) return;
  const Sink sink{reinterpret_cast<std::uint64_t>(object), pc, 0, false};
  if (thread.is_idle()) {
    gather_from_object(thread, load_unlocked(cell), write, sink);
    if (thread.is_idle()) return;
  }
  enter_chunk(thread, owner_of(cell));
  const std::uint64_t old = lock_one(thread, cell);
  gather_from_object(thread, old, write, sink);
  std::uint32_t written = is_object(old) ? value_of(written_field(old)) : 0;
  Readers read = is_object(old) ? readers_of(old) : 0;
  remember(thread, written, read, write, 1);
  publish(thread, cell, old,
          make_cell(true, written == 0 ? 0 : field(kAllBytes, written), kAllBytes, read));
}

void contribute_to_object(ThreadState& thread, const void* object) {
  if (thread.is_idle()) return;
  Cell& cell = *cell_at(object);
  enter_chunk(thread, owner_of(cell));
  const std::uint64_t old = lock_one(thread, cell);
  const Readers read = add_reader(is_object(old) ? readers_of(old) : 0, thread, 1);
  publish(thread, cell, old, make_cell(true, 0, kAllBytes, read));
}

void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc) {
  const std::uint64_t cell = load_unlocked(*cell_at(meeting));
  if (!is_object(cell)) return;
  Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0, false});
  for_each_reader(readers_of(cell), [&](Epoch epoch) { incoming.add(epoch, StepKind::kMeeting); });
}

}  // namespace omnium::runtime
