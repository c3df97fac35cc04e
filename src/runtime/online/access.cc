// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/access.h"

#include "runtime/online/readers.h"
#include "runtime/options.h"

namespace omnium::runtime {

namespace {

using live::StepKind;

bool is_object(std::uint64_t cell) {
  return form_of(cell) == Form::kObject || form_of(cell) == Form::kObjectSet;
}

void publish(ThreadState& thread, Cell& cell, std::uint64_t old, std::uint64_t fresh) {
  if (old == 0 && fresh != 0) mark_in_use(&cell);
  if (fresh != old) thread.dirty = true;
  cell.store(fresh, std::memory_order_release);
}

// Live dependencies of the current event, handed on in portions.
class Incoming {
 public:
  Incoming(ThreadState& thread, const Sink& sink) : thread_(thread), sink_(sink) {}
  ~Incoming() { hand_on(); }
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

  void add(Epoch source, StepKind kind) {
    if (is_mine(thread_, source) || !is_live(source)) return;
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

// The direct dependencies of an access [SEMANTICS.md, "Conflicts and order"].
void gather(ThreadState& thread, Epoch written, Readers read, bool write, Incoming& incoming) {
  if (write && read != 0) {
    for_each_reader(read, [&](Epoch epoch) { incoming.add(epoch, StepKind::kReadWrite); });
  } else if (written != 0 && (write || !contains_thread(read, thread))) {
    incoming.add(written, write ? StepKind::kWriteWrite : StepKind::kWriteRead);
  }
}

// What is remembered of the access.
void remember(ThreadState& thread, std::uint32_t& written, Readers& read, bool write) {
  if (write) {
    written = thread.now;
    read = 0;
    return;
  }
  if (written == thread.now) return;
  read = add_reader(read, thread);
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
  Bytes story = unpack(cell);
  {
    Incoming incoming(thread, access.sink());
    for (unsigned i = 0; i < 4; ++i) {
      if ((bytes >> i & 1) != 0) {
        gather(thread, story.written[i], story.read[i], write, incoming);
      }
    }
  }
  if (!thread.recording) return cell;
  for (unsigned i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) != 0) {
      remember(thread, story.written[i], story.read[i], write);
    } else {
      leave_out_dead(story.written[i], story.read[i]);
    }
  }
  return pack(story);
}

// What becomes of a cell with a simple story, if no live dependency leads here: then no lock is
// needed. False: the general way must decide. Epochs that are dead are left out.
class SimpleAccess {
 public:
  SimpleAccess(ThreadState& thread, unsigned bytes, bool write)
      : thread_(thread), bytes_(bytes), write_(write) {}

  [[gnu::always_inline]] bool change(std::uint64_t old, std::uint64_t& fresh) const {
    const bool set = form_of(old) == Form::kPlainSet;
    if (old >> 60 > static_cast<std::uint64_t>(Form::kPlainSet)) return false;
    std::uint64_t w = written_field(old), r = read_field(old);
    const bool my_read = !set && r != 0 && is_mine(thread_, value_of(r));
    if (!my_read && r != 0) {
      if (write_ && (bytes_of(r) & bytes_) != 0 && (set || is_live(value_of(r)))) return false;
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
    if (thread_.recording) return write_ ? written(w, r, set, fresh) : read(w, r, set, fresh);
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
  bool write_;
};

// A write of a whole word may simply be stored: in a program without data races nobody else touches
// the cell now.
bool access_quickly(ThreadState& thread, Cell& cell, unsigned bytes, bool write) {
  std::uint64_t old = cell.load(std::memory_order_acquire), fresh;
  if (!SimpleAccess(thread, bytes, write).change(old, fresh)) return false;
  if (fresh == old) return true;
  if (write && bytes == kAllBytes && thread.recording) {
    publish(thread, cell, old, fresh);
    return true;
  }
  if (old == 0) mark_in_use(&cell);
  thread.dirty = true;
  return cell.compare_exchange_strong(old, fresh, std::memory_order_acq_rel);
}

// The same for two words with the same story, as most aligned ones of eight bytes have.
bool access_pair_quickly(ThreadState& thread, Cell* cells, bool write) {
  const std::uint64_t old = cells[0].load(std::memory_order_acquire);
  std::uint64_t fresh;
  if (cells[1].load(std::memory_order_acquire) != old) return false;
  if (!SimpleAccess(thread, kAllBytes, write).change(old, fresh)) return false;
  if (fresh == old) return true;
  if (old == 0) mark_in_use(cells);
  thread.dirty = true;
  if (write && thread.recording) {
    cells[0].store(fresh, std::memory_order_release);
    cells[1].store(fresh, std::memory_order_release);
    return true;
  }
  using Pair = unsigned __int128;
  return __sync_bool_compare_and_swap(reinterpret_cast<Pair*>(cells), Pair{old} << 64 | old,
                                      Pair{fresh} << 64 | fresh);
}

void access_cell(ThreadState& thread, Cell& cell, unsigned bytes, const Access& access) {
  if (access_quickly(thread, cell, bytes, access.write)) return;
  const std::uint64_t old = lock_cell(cell);
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

inline void note(ThreadState& thread, live::EntryKind kind, const void* object, unsigned size,
                 Pc pc, std::uint64_t stamp) {
  thread.history.add(kind, reinterpret_cast<std::uint64_t>(object), size, pc, thread.time(), stamp);
}

}  // namespace

void update_recording(ThreadState& thread) {
  if (thread.recording &&
      thread.transaction.load(std::memory_order_relaxed) == Transaction::kClosed &&
      slots[thread.slot].reached_from.load(std::memory_order_relaxed) == kNever) {
    thread.recording = false;
  }
}

void record_memory(std::uintptr_t address, Pc pc, unsigned size, bool write) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  const auto* pointer = reinterpret_cast<const void*>(address);
  record::ThreadLog& log = *inside.thread().log;
  if (size > 8) {
    record::access(log, pointer, std::size_t{size}, write, pc);
  } else if (write) {
    record::access<true>(log, pointer, size, pc);
  } else {
    record::access<false>(log, pointer, size, pc);
  }
}

void access_memory(std::uintptr_t address, Pc pc, unsigned size, bool write) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  ThreadState& thread = inside.thread();
  start_event(thread);
  update_recording(thread);
  const Epoch before = thread.now;
  const Access access{address, pc, static_cast<std::uint8_t>(size), write, false};
  if (access.size != 8 || access.address % 8 != 0 ||
      !access_pair_quickly(thread, cell_at(access.address), access.write)) {
    for_each_cell(access.address, access.size,
                  [&](Cell& cell, unsigned bytes) { access_cell(thread, cell, bytes, access); });
  }
  if (!thread.recording) return;
  note(thread, access.write ? live::EntryKind::kWrite : live::EntryKind::kRead,
       reinterpret_cast<const void*>(access.address), access.size, access.pc,
       thread.now == before ? 0 : History::stamp());
}

void access_range(std::uintptr_t address, std::size_t size, bool write, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  ThreadState& thread = inside.thread();
  if (thread.log != nullptr) {
    record::access(*thread.log, reinterpret_cast<const void*>(address), size, write, pc);
  }
  update_recording(thread);
  while (size > 0 && options.checks) {
    const std::size_t piece = size < 8 - address % 8 ? size : 8 - address % 8;
    start_event(thread);
    const Access access{address, pc, static_cast<std::uint8_t>(piece), write, false};
    bool changed = false;
    const Epoch before = thread.now;
    for_each_cell(address, piece, [&](Cell& cell, unsigned bytes) {
      const std::uint64_t content = cell.load(std::memory_order_acquire);
      if (write ? is_repeated<true>(thread, content, bytes)
                : is_repeated<false>(thread, content, bytes)) {
        return;
      }
      access_cell(thread, cell, bytes, access);
      changed = true;
    });
    if (changed && thread.recording) {
      note(thread, write ? live::EntryKind::kWrite : live::EntryKind::kRead,
           reinterpret_cast<const void*>(address), access.size, pc,
           thread.now == before ? 0 : History::stamp());
    }
    address += piece;
    size -= piece;
  }
}

AtomicOperation::AtomicOperation(const void* address, unsigned size, Pc pc)
    : access_{reinterpret_cast<std::uintptr_t>(address), pc, static_cast<std::uint8_t>(size), false,
              true} {
  if (!looks()) return;
  // May wait until all threads have been outside: nobody may wait for a cell of ours meanwhile.
  start_event(inside_.thread());
  update_recording(inside_.thread());
  if (inside_.thread().log != nullptr) record::atomic_begin(address, size);
  std::uint64_t* content = contents_;
  for_each_cell(access_.address, size, [&](Cell& cell, unsigned) { *content++ = lock_cell(cell); });
}

void AtomicOperation::finish(bool read, bool write) {
  if (!looks()) return;
  ThreadState& thread = inside_.thread();
  ++thread.counters->atomics;
  if (thread.log != nullptr) {
    record::atomic_end(*thread.log, reinterpret_cast<const void*>(access_.address), access_.size,
                       read, write, access_.pc);
  }
  const Epoch before = thread.now;
  const std::uint64_t* content = contents_;
  for_each_cell(access_.address, access_.size, [&](Cell& cell, unsigned bytes) {
    const std::uint64_t old = *content++;
    std::uint64_t fresh = old;
    if (read) fresh = after_access(thread, fresh, bytes, access_, false);
    if (write) fresh = after_access(thread, fresh, bytes, access_, true);
    publish(thread, cell, old, fresh);
  });
  if (!thread.recording) return;
  const std::uint64_t stamp = thread.now == before ? 0 : History::stamp();
  const auto* address = reinterpret_cast<const void*>(access_.address);
  if (read) {
    note(thread, live::EntryKind::kAtomicRead, address, access_.size, access_.pc, stamp);
  }
  if (write) {
    note(thread, live::EntryKind::kAtomicWrite, address, access_.size, access_.pc,
         read ? 0 : stamp);
  }
}

void acquire_object(ThreadState& thread, const void* object, Pc pc) {
  const std::uint64_t cell = load_unlocked(*cell_at(object));
  if (is_object(cell) && written_field(cell) != 0) {
    Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0, false});
    incoming.add(value_of(written_field(cell)), StepKind::kReleaseAcquire);
  }
}

void release_object(ThreadState& thread, const void* object) {
  if (!thread.recording) return;
  Cell& cell = *cell_at(object);
  publish(thread, cell, cell.load(std::memory_order_relaxed),
          make_cell(Form::kObject, thread.now_field, 0));
}

void access_object(ThreadState& thread, const void* object, bool write, Pc pc) {
  Cell& cell = *cell_at(object);
  const std::uint64_t old = lock_cell(cell);
  const std::uint64_t content = is_object(old) ? old : 0;
  const Bytes story = unpack(content);
  std::uint32_t written = story.written[0];
  Readers read = story.read[0];
  {
    Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0, false});
    gather(thread, written, read, write, incoming);
  }
  std::uint64_t fresh = old;
  if (thread.recording) {
    remember(thread, written, read, write);
    const bool set = (read & kSetBit) != 0;
    fresh = make_cell(set ? Form::kObjectSet : Form::kObject,
                      written == 0 ? 0 : field(kAllBytes, written),
                      read == 0 ? 0 : field(kAllBytes, read & ~kSetBit));
  }
  publish(thread, cell, old, fresh);
}

void contribute_to_object(ThreadState& thread, const void* object) {
  if (!thread.recording) return;
  Cell& cell = *cell_at(object);
  const std::uint64_t old = lock_cell(cell);
  const Readers read = add_reader(is_object(old) ? unpack(old).read[0] : 0, thread);
  const Form form = (read & kSetBit) != 0 ? Form::kObjectSet : Form::kObject;
  publish(thread, cell, old, make_cell(form, 0, field(kAllBytes, read & ~kSetBit)));
}

void collect_from_object(ThreadState& thread, const void* meeting, const void* object, Pc pc) {
  const std::uint64_t cell = load_unlocked(*cell_at(meeting));
  if (!is_object(cell)) return;
  Incoming incoming(thread, {reinterpret_cast<std::uint64_t>(object), pc, 0, false});
  for_each_reader(unpack(cell).read[0],
                  [&](Epoch epoch) { incoming.add(epoch, StepKind::kMeeting); });
}

}  // namespace omnium::runtime
