// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/labels.h"

#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/state/module_extent.h"

namespace omnium::runtime {

namespace {

constinit ModuleExtent executable;

// The copies, found by their text. Nothing is ever taken out, so no lock is needed.
constexpr std::size_t kLabels = 1 << 13, kTextBytes = 1 << 19;
constinit std::atomic<const char*> copies[kLabels] = {};
constinit char texts[kTextBytes] = {};
constinit std::atomic<std::size_t> texts_used = 0;

int note_extent(dl_phdr_info* info, std::size_t, void*) {
  executable = extent_of(*info);
  return 1;  // the executable is the first one
}

std::uint64_t hash_of(const char* text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return hash ^ hash >> 32;
}

// Null if there is no room.
const char* copy_of(const char* text) {
  const std::size_t size = std::strlen(text) + 1;
  const std::size_t at = texts_used.fetch_add(size, std::memory_order_relaxed);
  if (at + size > kTextBytes) return nullptr;
  return static_cast<const char*>(std::memcpy(texts + at, text, size));
}

}  // namespace

void find_executable() { dl_iterate_phdr(note_extent, nullptr); }

const char* lasting_label(const char* label) {
  const auto address = reinterpret_cast<std::uintptr_t>(label);
  if (executable.begin <= address && address < executable.end) return label;
  const std::uint64_t hash = hash_of(label);
  for (std::size_t i = 0; i < kLabels; ++i) {
    std::atomic<const char*>& place = copies[(hash + i) % kLabels];
    const char* known = place.load(std::memory_order_acquire);
    if (known == nullptr) {
      const char* copy = copy_of(label);
      if (copy == nullptr) break;
      if (place.compare_exchange_strong(known, copy)) return copy;
    }
    if (std::strcmp(known, label) == 0) return known;
  }
  return "one of too many names";
}

}  // namespace omnium::runtime
