// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/namer.h"

#include <algorithm>

#include <fmt/format.h>

#include "symbols/thread_name.h"

namespace omnium::watch {

std::string Namer::thread(std::uint32_t index) {
  const wire::Thread& thread = message_.threads[index];
  if (const auto name = message_.text(thread.name); !name.empty()) return std::string(name);
  const auto frames = memory_.frames(thread.start_function);
  return symbols::thread_name(frames.empty() ? "" : frames.back().function, thread.number);
}

std::string Namer::label(std::uint32_t index) {
  const wire::Label& label = message_.labels[index];
  if (label.function == 0) return std::string(message_.text(label.name));
  const std::string name = memory_.function(label.function);
  return name.empty() ? "a function" : name;
}

std::string Namer::place(std::uint64_t pc) { return pc == 0 ? "" : memory_.place(pc - 1); }

std::string Namer::place_and_function(std::uint64_t pc) {
  return pc == 0 ? "" : memory_.place_and_function(pc - 1);
}

std::vector<report::StackFrame> Namer::stack() {
  std::vector<report::StackFrame> out;
  for (const std::uint64_t pc : message_.stack) {
    for (const symbols::Frame& frame : memory_.own_frames(pc - 1)) {
      out.push_back({frame.function, frame.line == 0 ? place(pc) : memory_.place(frame)});
    }
  }
  return out;
}

const wire::HeapBlock* Namer::heap_block(std::uint64_t address) const {
  const auto at = std::ranges::find_if(message_.heap, [&](const wire::HeapBlock& block) {
    return block.address <= address && address - block.address < block.size;
  });
  return at == message_.heap.end() ? nullptr : &*at;
}

// Those of the steps of the witness.
void Namer::add_uses_in_steps(std::uint64_t address, std::vector<symbols::Use>& uses) const {
  for (const wire::Step& step : message_.steps) {
    const bool access = step.kind <= wire::StepKind::kWriteWrite;
    const std::uint64_t offset = address - step.object;
    if (access && offset < step.size) {
      uses.push_back(
          {step.from_pc, step.size, offset, false, step.kind != wire::StepKind::kReadWrite});
      uses.push_back(
          {step.to_pc, step.size, offset, false, step.kind != wire::StepKind::kWriteRead});
    }
    const bool lock = step.kind == wire::StepKind::kReleaseAcquire;
    if (offset != 0 || !(lock || step.kind == wire::StepKind::kMeeting)) continue;
    for (const std::uint64_t pc : {step.from_pc, step.to_pc}) {
      if (pc != 0) uses.push_back({pc, 0, 0, lock});
    }
  }
}

// The instructions of the message that use the object.
std::vector<symbols::Use> Namer::uses_of(std::uint64_t address, std::uint64_t pc) const {
  std::vector<symbols::Use> uses;
  for (const wire::Entry& entry : message_.entries) {
    const bool access =
        entry.kind >= wire::EntryKind::kRead && entry.kind <= wire::EntryKind::kUpdate;
    const bool lock =
        entry.kind >= wire::EntryKind::kAcquire && entry.kind <= wire::EntryKind::kWriteRelease;
    const std::uint64_t offset = address - entry.object;
    const bool write = entry.kind == wire::EntryKind::kWrite ||
                       entry.kind == wire::EntryKind::kAtomicWrite ||
                       entry.kind == wire::EntryKind::kUpdate;
    if (access && offset < entry.size) {
      uses.push_back({entry.pc, entry.size, offset, false, write});
    }
    if (lock && offset == 0) uses.push_back({entry.pc, 0, 0, true});
  }
  add_uses_in_steps(address, uses);
  if (uses.empty()) uses.push_back({pc});
  // The same in every message, whatever is left of the histories.
  std::ranges::sort(uses);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  return uses;
}

std::string Namer::plain_object(std::uint64_t address, std::uint64_t pc) {
  const auto uses = uses_of(address, pc);
  if (const wire::HeapBlock* block = heap_block(address)) {
    return memory_.names().in_block({block->size, block->pc}, address - block->address, uses);
  }
  if (const auto name = memory_.names().object(address, uses)) return *name;
  for (std::uint32_t i = 0; i < message_.threads.size(); ++i) {
    const wire::Thread& it = message_.threads[i];
    if (it.stack_begin <= address && address < it.stack_end) {
      return fmt::format("unnamed stack object of {}", thread(i));
    }
  }
  return "unnamed object";
}

std::string Namer::object(std::uint64_t address, std::uint64_t pc) {
  const auto [at, added] = objects_.try_emplace(address);
  if (!added) return at->second;
  const std::string name = plain_object(address, pc);
  const int number = ++used_[name];
  at->second = number == 1 ? name : fmt::format("{} #{}", name, number);
  return at->second;
}

}  // namespace omnium::watch
