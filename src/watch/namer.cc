// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "watch/namer.h"

#include <algorithm>

#include <fmt/format.h>

#include "symbols/allocation.h"
#include "symbols/demangle.h"

namespace omnium::watch {

namespace {

// The function that the C++ library starts every thread with says nothing about the thread.
bool is_library_start(std::string_view function) {
  return function == "execute_native_thread_routine" || function.starts_with("std::");
}

}  // namespace

std::string Namer::thread(std::uint32_t index) {
  const wire::Thread& thread = message_.threads[index];
  if (const auto name = message_.text(thread.name); !name.empty()) return std::string(name);
  if (thread.start_function == 0 && thread.number == 0) return "main";
  const auto frames = memory_.frames(thread.start_function);
  std::string body = frames.empty() ? "" : frames.back().function;
  if (const std::string inner = symbols::thread_body(body); !inner.empty()) body = inner;
  if (body.empty() || is_library_start(body)) return fmt::format("T{}", thread.number);
  constexpr std::string_view kNowhere = "(anonymous namespace)::";
  for (std::size_t at; (at = body.find(kNowhere)) != std::string::npos;) {
    body.erase(at, kNowhere.size());
  }
  return fmt::format("{}-{}", body, thread.number);
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

std::string Namer::plain_object(std::uint64_t address, std::uint64_t pc) {
  if (const wire::HeapBlock* block = heap_block(address)) {
    const std::uint64_t offset = address - block->address;
    return fmt::format("offset {} of {}", offset,
                       symbols::allocation_name(block->size, place(block->pc)));
  }
  if (const auto name = memory_.object(address, pc == 0 ? 0 : pc - 1)) return *name;
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
