// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/interner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <xxhash.h>

namespace omnium::support {

namespace {

constexpr std::size_t kInlineBytes = 16;
constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kManySlots = 4096;  // from here on memory counts more than time
// The first chunk and the later ones, each twice as large as the one before: most traces have few
// names.
constexpr std::size_t kFirstChunkBytes = 1024, kChunkBytes = 64 * 1024;

template <class Word>
std::uint64_t load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// The first and the last word, which may overlap.
template <class Word>
void copy_as_words(const char* from, std::size_t bytes, char* to) {
  Word first, last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + bytes - sizeof last, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + bytes - sizeof last, &last, sizeof last);
}

// As std::memcpy; most names are short, and a call takes longer than two words.
void copy(std::string_view name, char* to) {
  if (name.size() > kInlineBytes) {
    std::memcpy(to, name.data(), name.size());
  } else if (name.size() >= 8) {
    copy_as_words<std::uint64_t>(name.data(), name.size(), to);
  } else if (name.size() >= 4) {
    copy_as_words<std::uint32_t>(name.data(), name.size(), to);
  } else {
    for (const char c : name) *to++ = c;
  }
}

}  // namespace

// Overlapping loads cover every byte, so together with the length they identify a short name.
[[gnu::always_inline]] inline Interner::Key Interner::key_of(std::string_view name) {
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

[[gnu::always_inline]] inline std::size_t Interner::hash_of(const Key& key) {
  std::uint64_t hash = (key.low ^ key.length) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 32) ^ key.high) * 0xd6e8feb86659fd93ull;
  return hash ^ hash >> 32;
}

// The slot that holds `key`, or the free slot where it belongs.
[[gnu::always_inline]] inline Interner::Slot& Interner::slot_for(const Key& key,
                                                                 std::string_view name) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(key) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id == kNone) return slot;
    if (slot.low != key.low || slot.high != key.high || slot.length != key.length) continue;
    if (key.length <= kInlineBytes || names_[slot.id] == name) return slot;
  }
}

void Interner::grow_slots() {
  const std::size_t factor = slots_.size() < kManySlots ? 4 : 2;
  std::vector<Slot> old(slots_.empty() ? kFirstSlots : slots_.size() * factor);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kNone) continue;
    std::size_t at = hash_of({slot.low, slot.high, slot.length}) & mask;
    while (slots_[at].id != kNone) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void Interner::give_room_to_unknown() {
  if (unknown_ != 0) names_.resize(names_.size() + std::exchange(unknown_, 0));
}

void Interner::expect(std::uint32_t names) {
  names_.reserve(names);
  if (!slots_.empty()) return;
  slots_.resize(std::max(kFirstSlots, std::bit_ceil(std::size_t{names} * 2 + 1)));
}

void Interner::index_appended() {
  give_room_to_unknown();
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
  copy(name, chunk_cursor_);
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

void Interner::put(std::uint32_t id, std::string_view name) {
  give_room_to_unknown();
  names_[id] = store(name);
}

std::uint32_t Interner::append(std::string_view name) {
  give_room_to_unknown();
  names_.push_back(store(name));
  return size() - 1;
}

}  // namespace omnium::support
