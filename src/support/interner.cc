// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/interner.h"

#include <algorithm>
#include <cstring>

#include <xxhash.h>

namespace omnium::support {

namespace {

constexpr std::size_t kInlineBytes = 16;
constexpr std::size_t kFirstSlots = 64;
// The first chunk and the later ones, each twice as large as the one before: most traces have few
// names.
constexpr std::size_t kFirstChunkBytes = 1024, kChunkBytes = 64 * 1024;

template <class Word>
std::uint64_t load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace

// Overlapping loads cover every byte, so together with the length they identify a short name.
Interner::Key Interner::key_of(std::string_view name) {
  const char* p = name.data();
  const std::size_t n = name.size();
  const auto length = static_cast<std::uint32_t>(n);
  if (n > kInlineBytes) {
    const XXH128_hash_t hash = XXH3_128bits(p, n);
    return {hash.low64, hash.high64, length};
  }
  if (n >= 8) return {load<std::uint64_t>(p), load<std::uint64_t>(p + n - 8), length};
  if (n >= 4) return {load<std::uint32_t>(p) | load<std::uint32_t>(p + n - 4) << 32, 0, length};
  if (n == 0) return {0, 0, 0};
  return {load<std::uint8_t>(p) | load<std::uint8_t>(p + n / 2) << 8 |
              load<std::uint8_t>(p + n - 1) << 16,
          0, length};
}

std::size_t Interner::hash_of(const Key& key) {
  std::uint64_t hash = (key.low ^ key.length) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 32) ^ key.high) * 0xd6e8feb86659fd93ull;
  return hash ^ hash >> 32;
}

// The slot that holds `key`, or the free slot where it belongs.
Interner::Slot& Interner::slot_for(const Key& key, std::string_view name) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(key) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id == kNone) return slot;
    if (slot.low != key.low || slot.high != key.high || slot.length != key.length) continue;
    if (key.length <= kInlineBytes || names_[slot.id] == name) return slot;
  }
}

void Interner::grow_slots() {
  std::vector<Slot> old(slots_.empty() ? kFirstSlots : slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id == kNone) continue;
    slot_for({slot.low, slot.high, slot.length}, names_[slot.id]) = slot;
  }
}

void Interner::index_appended() {
  for (; indexed_ < size(); ++indexed_) {
    if (std::size_t{indexed_} * 2 >= slots_.size()) grow_slots();
    const Key key = key_of(names_[indexed_]);
    Slot& slot = slot_for(key, names_[indexed_]);
    if (slot.id == kNone) slot = {key.low, key.high, key.length, indexed_};
  }
}

std::string_view Interner::store(std::string_view name) {
  if (name.size() > chunk_left_) {
    const std::size_t usual =
        std::min(kChunkBytes, kFirstChunkBytes << std::min<std::size_t>(chunks_.size(), 6));
    const std::size_t bytes = name.size() > usual / 4 ? std::max(name.size(), usual) : usual;
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    chunk_cursor_ = chunks_.back().get();
    chunk_left_ = bytes;
  }
  if (!name.empty()) std::memcpy(chunk_cursor_, name.data(), name.size());
  const std::string_view stored(chunk_cursor_, name.size());
  chunk_cursor_ += name.size();
  chunk_left_ -= name.size();
  return stored;
}

std::uint32_t Interner::intern(std::string_view name) {
  if (indexed_ != size()) index_appended();
  if (std::size_t{size()} * 2 >= slots_.size()) grow_slots();
  const Key key = key_of(name);
  Slot& slot = slot_for(key, name);
  if (slot.id != kNone) return slot.id;
  const std::uint32_t id = append(name);
  slot = {key.low, key.high, key.length, id};
  indexed_ = size();
  return id;
}

std::uint32_t Interner::find(std::string_view name) {
  if (indexed_ != size()) index_appended();
  return slots_.empty() ? kNone : slot_for(key_of(name), name).id;
}

std::uint32_t Interner::append(std::string_view name) {
  names_.push_back(store(name));
  return size() - 1;
}

}  // namespace omnium::support
