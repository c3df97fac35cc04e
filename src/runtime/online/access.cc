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
    if ((bytes >> i & 1) != 0) remember(thread, story.written[i], story.read[i], write);
  }
  return pack(story);
}

// A whole word with a simple story and no live dependency: no lock is needed. A write may simply be
// stored: in a program without data races nobody else touches the cell now.
bool access_quickly(ThreadState& thread, Cell& cell, bool write) {
  std::uint64_t old = cell.load(std::memory_order_acquire);
  if (old >> 60 != 0) return false;
  const std::uint64_t w = written_field(old), r = read_field(old);
  const std::uint32_t writer = value_of(w), reader = value_of(r);
  if ((w != 0 && bytes_of(w) != kAllBytes) || (r != 0 && bytes_of(r) != kAllBytes)) return false;
  const bool my_read = reader != 0 && is_mine(thread, reader);
  const bool live_reader = reader != 0 && !my_read && is_live(reader);
  if (live_reader) return false;
  const bool depends_on_writer = writer != 0 && (write ? reader == 0 : !my_read);
  if (depends_on_writer && !is_mine(thread, writer) && is_live(writer)) return false;
  if (!thread.recording) {
    // Nothing that can matter is left here: the next access sees that at once.
    if ((writer == 0 || !is_live(writer)) && (reader == 0 || !is_live(reader))) {
      cell.compare_exchange_strong(old, 0, std::memory_order_relaxed);
    }
    return true;
  }
  if (write) {
    publish(thread, cell, old, thread.now_field << kFieldBits);
    return true;
  }
  if (writer == thread.now) return true;
  if (old == 0) mark_in_use(&cell);
  thread.dirty = true;
  return cell.compare_exchange_strong(old, w << kFieldBits | thread.now_field,
                                      std::memory_order_acq_rel);
}

void access_cell(ThreadState& thread, Cell& cell, unsigned bytes, const Access& access) {
  if (bytes == kAllBytes && access_quickly(thread, cell, access.write)) return;
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

void note(ThreadState& thread, live::EntryKind kind, const void* object, unsigned size, Pc pc,
          std::uint64_t stamp) {
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

void record_memory(const Access& access) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  const auto* pointer = reinterpret_cast<const void*>(access.address);
  record::ThreadLog& log = *inside.thread().log;
  if (access.size > 8) {
    record::access(log, pointer, access.size, access.write, access.pc);
  } else if (access.write) {
    record::access<true>(log, pointer, access.size, access.pc);
  } else {
    record::access<false>(log, pointer, access.size, access.pc);
  }
}

void access_memory(const Access& access) {
  const Inside inside;
  if (!inside || inside.thread().ignored != 0) return;
  ThreadState& thread = inside.thread();
  start_event(thread);
  update_recording(thread);
  const Epoch before = thread.now;
  for_each_cell(access.address, access.size,
                [&](Cell& cell, unsigned bytes) { access_cell(thread, cell, bytes, access); });
  if (!thread.recording) return;
  ++thread.counters->missed_cells;
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
  if (inside_.thread().log != nullptr) record::atomic_begin(address, size);
  start_event(inside_.thread());
  update_recording(inside_.thread());
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
