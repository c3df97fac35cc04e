// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/schedule/sharing.h"

#include <limits.h>
#include <link.h>
#include <unistd.h>

#include <cstring>

#include "runtime/schedule/dice.h"

namespace omnium::runtime {

namespace {

wire::SerialBoard* board;

const char* file_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

int add_module(dl_phdr_info* info, std::size_t, void*) {
  const std::uint32_t count = board->modules_seen.load(std::memory_order_relaxed);
  Pc begin = ~Pc{0}, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const Pc from = info->dlpi_addr + part.p_vaddr;
    if (from < begin) begin = from;
    if (from + part.p_memsz > end) end = from + part.p_memsz;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (board->modules[i].begin == begin) return 0;
  }
  if (count == wire::SerialBoard::kMostModules || end == 0) return 0;
  wire::SerialModule& module = board->modules[count];
  module.begin = begin;
  module.end = end;
  module.bias = info->dlpi_addr;
  module.path[0] = '\0';
  std::strncat(module.path, info->dlpi_name, sizeof(module.path) - 1);
  if (module.path[0] == '\0') {
    const ssize_t size = readlink("/proc/self/exe", module.path, sizeof(module.path) - 1);
    module.path[size < 0 ? 0 : size] = '\0';
  }
  board->modules_seen.store(count + 1, std::memory_order_release);
  return 0;
}

// A set of instructions.
constexpr std::uint32_t kPlaceBuckets = 4 * wire::SerialBoard::kMostPlaces;
Pc shared[kPlaceBuckets];
std::uint32_t shared_count;

Pc& bucket_of(Pc pc) {
  std::uint64_t at = mixed(pc) % kPlaceBuckets;
  while (shared[at] != 0 && shared[at] != pc) at = (at + 1) % kPlaceBuckets;
  return shared[at];
}

// For later runs: places that become points within a run would make it another one.
Pc learned[kPlaceBuckets];
void learn(Pc pc) {
  const std::uint32_t count = board->places_seen.load(std::memory_order_relaxed);
  if (pc == 0 || is_shared_place(pc) || count == wire::SerialBoard::kMostPlaces) return;
  std::uint64_t at = mixed(pc) % kPlaceBuckets;
  while (learned[at] != 0 && learned[at] != pc) at = (at + 1) % kPlaceBuckets;
  if (learned[at] == pc) return;
  learned[at] = pc;
  board->shared_places[count] = pc;
  board->places_seen.store(count + 1, std::memory_order_release);
}

// The latest accesses to eight bytes. Threads are named by their order, from 1.
struct Granule {
  std::uintptr_t address;
  Pc writer, reader;  // plain accesses only; 0: atomic
  std::uint32_t writing, reading;
  std::uint64_t written_at;  // for pairs: the place of the latest write, atomic or not
};
constexpr std::uint32_t kGranules = 1 << 16;
Granule granules[kGranules];

// Memory that finds no room takes the one of others.
Granule& granule_at(std::uintptr_t address) {
  constexpr std::uint32_t kTries = 4;
  const std::uint64_t first = mixed(address) % kGranules;
  for (std::uint32_t i = 0; i < kTries; ++i) {
    Granule& granule = granules[(first + i) % kGranules];
    if (granule.address == address) return granule;
    if (granule.address != 0) continue;
    granule.address = address;
    return granule;
  }
  granules[first] = {address, 0, 0, 0, 0, 0};
  return granules[first];
}

// A read, by what the thread read before it.
void note_pair(const Granule& granule, SerialThread& thread, Pc reader, std::uint64_t time) {
  const std::uint64_t others = granule.writing == thread.order + 1 ? 0 : 1;
  const std::uint64_t pair = mixed(granule.written_at * 31 + place_of(reader) * 2 + others);
  note_feature(mixed(pair + 7919 * thread.latest_pair), time);
  thread.latest_pair = pair;
}

void note_at(Granule& granule, SerialThread& self, const Point& point, std::uint64_t time) {
  const std::uint32_t thread = self.order + 1;
  const Pc plain = point.atomic ? 0 : point.pc;
  const bool others_wrote = granule.writing != 0 && granule.writing != thread;
  const bool others_read = granule.reading != 0 && granule.reading != thread;
  const bool writes = point.kind == PointKind::kWrite;
  if (others_wrote || (writes && others_read)) {
    learn(plain);
    if (others_wrote) learn(granule.writer);
    if (others_read) learn(granule.reader);
  }
  if (!writes || point.atomic) note_pair(granule, self, point.pc, time);
  if (writes) {
    granule.writer = plain;
    granule.writing = thread;
    granule.written_at = place_of(point.pc);
  } else {
    granule.reader = plain;
    granule.reading = thread;
  }
}

// Visits by thread and place.
struct Visits {
  std::uint64_t key;
  std::uint32_t count;
};
constexpr std::uint32_t kVisits = 1 << 15;
Visits visits[kVisits];

}  // namespace

void find_serial_modules() {
  if (board != nullptr) dl_iterate_phdr(add_module, nullptr);
}

void prepare_sharing(wire::SerialBoard& wanted) {
  board = &wanted;
  find_serial_modules();
  for (std::uint32_t i = 0; i < board->wanted_places && i < wire::SerialBoard::kMostPlaces; ++i) {
    share_place(in_memory(board->places[i]));
  }
}

Pc in_memory(const wire::SerialPlace& place) {
  if (place.module >= board->wanted_modules) return 0;
  const char* const name = file_name(board->module_paths[place.module]);
  const std::uint32_t count = board->modules_seen.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) {
    const wire::SerialModule& module = board->modules[i];
    if (std::strcmp(file_name(module.path), name) == 0) return place.address + module.bias;
  }
  return 0;
}

std::uint64_t place_of(Pc pc) {
  const std::uint32_t count = board->modules_seen.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) {
    const wire::SerialModule& module = board->modules[i];
    if (module.begin <= pc && pc < module.end) return (pc - module.bias) ^ std::uint64_t{i} << 48;
  }
  return pc;
}

void note_feature(std::uint64_t hash, std::uint64_t time) {
  const std::uint64_t bit = hash % (64 * wire::SerialBoard::kFeatureWords);
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  std::uint64_t& word = board->features[bit / 64];
  if ((word & mask) != 0) return;
  word |= mask;
  if ((board->known[bit / 64] & mask) == 0) board->last_new = time;
}

void share_place(Pc pc) {
  Pc& bucket = bucket_of(pc);
  if (bucket == pc || pc == 0 || shared_count == wire::SerialBoard::kMostPlaces) return;
  bucket = pc;
  ++shared_count;
}

bool is_shared_place(Pc pc) { return bucket_of(pc) == pc; }

void note_access(SerialThread& thread, const Point& point, std::uint64_t time) {
  if (point.kind != PointKind::kRead && point.kind != PointKind::kWrite) return;
  constexpr std::uintptr_t kMostBytes = 64;
  const std::uintptr_t size = point.size < kMostBytes ? point.size : kMostBytes;
  for (std::uintptr_t at = point.address / 8; at <= (point.address + size - 1) / 8; ++at) {
    note_at(granule_at(at), thread, point, time);
  }
}

std::uint32_t count_visit(const SerialThread& thread, Pc pc) {
  const std::uint64_t key = (std::uint64_t{thread.order} + 1) << 48 ^ pc;
  std::uint64_t at = mixed(key) % kVisits;
  constexpr std::uint32_t kTries = 64;
  for (std::uint32_t i = 0; i < kTries; ++i, at = (at + 1) % kVisits) {
    if (visits[at].key == 0) visits[at].key = key;
    if (visits[at].key == key) return ++visits[at].count;
  }
  return 0;  // there is no room: nothing can be wanted there
}

}  // namespace omnium::runtime
