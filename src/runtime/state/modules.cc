// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/modules.h"

#include <link.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstring>

#include "runtime/state/module_extent.h"
#include "runtime/system/channel.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

struct Range {
  std::atomic<Pc> begin = 0, end = 0;
  bool instrumented = false;
};
constexpr std::size_t kMaxRanges = 512;
constinit Range ranges[kMaxRanges];
constinit std::atomic<std::size_t> range_count = 0;
constinit SpinLock lock;

void add_range(Pc begin, Pc end, bool instrumented) {
  const SpinGuard guard(lock);
  const std::size_t count = range_count.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < count; ++i) {
    if (ranges[i].begin == begin && ranges[i].end == end) return;
  }
  if (count == kMaxRanges) return;
  ranges[count].begin = begin;
  ranges[count].end = end;
  ranges[count].instrumented = instrumented;
  range_count.store(count + 1, std::memory_order_release);
}

int add_if_acting(dl_phdr_info* info, std::size_t, void*) {
  const char* slash = std::strrchr(info->dlpi_name, '/');
  const char* name = slash == nullptr ? info->dlpi_name : slash + 1;
  for (const char* acting : {"libstdc++.so", "libc++.so", "libgomp.so"}) {
    if (std::strncmp(name, acting, std::strlen(acting)) != 0) continue;
    const auto [begin, end] = extent_of(*info);
    add_range(begin, end, false);
  }
  return 0;
}

// A kModules message under construction.
struct ModuleList {
  static constexpr std::size_t kMost = wire::kMaxModules;
  wire::Modules head;
  wire::Module modules[kMost];
  char strings[64 * 1024];
};
ModuleList list;
constinit SpinLock list_lock;
unsigned long long told_additions;
unsigned told_introduction;  // of the channel: a new watcher knows nothing yet

int append(dl_phdr_info* info, std::size_t, void*) {
  static char self[PATH_MAX];
  const char* path = info->dlpi_name;
  if (list.head.count == 0 && path[0] == '\0') {  // the main program
    const ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[size < 0 ? 0 : size] = '\0';
    path = self;
  }
  const std::size_t length = std::strlen(path) + 1;
  if (list.head.count == ModuleList::kMost ||
      list.head.string_bytes + length > sizeof(list.strings)) {
    return 1;
  }
  wire::Module& module = list.modules[list.head.count++];
  const auto [begin, end] = extent_of(*info);
  module = {info->dlpi_addr, begin, end, list.head.string_bytes,
            is_instrumented_code(begin) ? 1u : 0u};
  std::memcpy(list.strings + list.head.string_bytes, path, length);
  list.head.string_bytes += static_cast<std::uint32_t>(length);
  return 0;
}

int count_additions(dl_phdr_info* info, std::size_t, void* additions) {
  *static_cast<unsigned long long*>(additions) = info->dlpi_adds;
  return 1;
}

// Makes the message. Returns its size.
std::size_t make_message(char (&packet)[sizeof(ModuleList)], bool wants_functions) {
  const SpinGuard guard(list_lock);
  list.head = {header(wire::Type::kModules), wants_functions ? 1u : 0u, 0, 0};
  dl_iterate_phdr(append, nullptr);
  std::size_t size = 0;
  const auto add = [&](const void* data, std::size_t bytes) {
    std::memcpy(packet + size, data, bytes);
    size += bytes;
  };
  add(&list.head, sizeof(list.head));
  add(list.modules, list.head.count * sizeof(wire::Module));
  add(list.strings, list.head.string_bytes);
  return size;
}

}  // namespace

void lock_modules() {
  list_lock.lock();
  lock.lock();
}

void unlock_modules() {
  lock.unlock();
  list_lock.unlock();
}

void add_instrumented_module(Pc begin, Pc end) { add_range(begin, end, true); }

bool is_instrumented_code(Pc pc) {
  for (std::size_t i = 0; i < range_count.load(std::memory_order_acquire); ++i) {
    if (pc >= ranges[i].begin && pc < ranges[i].end) return ranges[i].instrumented;
  }
  return false;
}

bool is_program_code(Pc pc) {
  for (std::size_t i = 0; i < range_count.load(std::memory_order_acquire); ++i) {
    if (pc >= ranges[i].begin && pc < ranges[i].end) return true;
  }
  return false;
}

void find_acting_libraries() { dl_iterate_phdr(add_if_acting, nullptr); }

void send_modules() {
  unsigned long long additions = 0;
  dl_iterate_phdr(count_additions, &additions);
  const unsigned current = current_introduction();
  if (additions == told_additions && current == told_introduction) return;
  told_additions = additions;
  told_introduction = current;
  static char message[sizeof(ModuleList)];  // findings are sent one at a time
  send_message(message, make_message(message, false));
}

std::size_t send_modules_and_ask(void* answer, std::size_t most, int& descriptor) {
  static char message[sizeof(ModuleList)];  // modules are loaded one at a time
  return ask(message, make_message(message, true), answer, most, descriptor);
}

}  // namespace omnium::runtime
