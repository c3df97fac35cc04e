// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where a debugger finds what the runtime knows: a table of named numbers, so that neither debug
// information nor a certain version of the runtime is needed. The reader is
// src/driver/files/omnium_gdb.py (docs/runtime/debugger.md).
#include <cstddef>
#include <cstdint>

#include "runtime/online/found.h"
#include "runtime/state/heap.h"
#include "runtime/state/thread.h"
#include "runtime/system/options.h"

// An offset in a ThreadState is a fact of its layout, which does not change within a build.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace omnium::runtime {

// The name is ended by a zero; the table, by an empty name.
struct DebuggerFact {
  char name[32];
  std::uint64_t value;
};

namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// The distance of the pointer to the current thread's state from the thread pointer (%fs), which is
// the same in every thread.
std::uint64_t distance_from_thread_pointer() {
  std::uint64_t thread_pointer;
  __asm__("movq %%fs:0, %0" : "=r"(thread_pointer));
  return number(&tls_thread) - thread_pointer;
}

}  // namespace

// The script knows these by heart; another layout is another version.
static_assert(sizeof(FoundEnd) == 120 && sizeof(FoundStep) == 16 + 2 * sizeof(FoundEnd));
static_assert(sizeof(Found) == 104 + Found::kSteps * sizeof(FoundStep) && Found::kSteps == 8);
static_assert(sizeof(HeldLock) == 24);

struct DebuggerTable {
  static constexpr std::size_t kMost = 64;
  DebuggerFact facts[kMost];

  void fill() {
    std::size_t count = 0;
    const auto set = [&](const char* name, std::uint64_t value) {
      DebuggerFact& fact = facts[count++];
      for (std::size_t i = 0; name[i] != '\0'; ++i) fact.name[i] = name[i];
      fact.value = value;
    };
    set("version", 1);
    set("tls", distance_from_thread_pointer());
    set("threads", number(&thread_at(0)));
    set("most_threads", kMaxThreads);
    set("heap", number(heap_table()));
    set("checks", number(&options.checks));
    set("block_mode", number(&options.block_mode));
    set("found", number(found));
    set("found_count", number(&found_count));
    set("most_found", kMostFound);
    // The rest is the layout of what these point to.
    set("thread", sizeof(ThreadState));
    set("thread.number", offsetof(ThreadState, number));
    set("thread.life", offsetof(ThreadState, life));
    set("thread.name", offsetof(ThreadState, name));
    set("thread.start", offsetof(ThreadState, start_function));
    set("thread.stack_begin", offsetof(ThreadState, stack_begin));
    set("thread.stack_end", offsetof(ThreadState, stack_end));
    set("thread.depth", offsetof(ThreadState, depth));
    set("thread.blocks", offsetof(ThreadState, blocks));
    set("block", sizeof(OpenBlock));
    set("block.name", offsetof(OpenBlock, name));
    set("block.function", offsetof(OpenBlock, function));
    set("block.pc", offsetof(OpenBlock, pc));
    set("block.refuted", offsetof(OpenBlock, refuted));
    set("held.count", offsetof(ThreadState, held) + offsetof(HeldLocks, count_));
    set("held.locks", offsetof(ThreadState, held) + offsetof(HeldLocks, locks_));
    set("held.most", HeldLocks::kMost);
    set("history.entries", offsetof(ThreadState, history) + offsetof(History, entries_));
    set("history.end", offsetof(ThreadState, history) + offsetof(History, end_));
    set("history.capacity", History::kCapacity);
  }
};

}  // namespace omnium::runtime

extern "C" {
__attribute__((visibility("default"), used)) omnium::runtime::DebuggerTable __omnium_debugger;
}

namespace {

// After the constructor that starts the runtime (process.cc).
__attribute__((constructor(102))) void fill_table() { __omnium_debugger.fill(); }

}  // namespace
