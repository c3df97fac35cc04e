// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Strings <-> dense ids, in order of first appearance.
//
// Text traces intern two or three names per event, so the look-up is one probe of an
// open-addressing table whose slots hold names of up to 16 bytes themselves (two words and the
// length identify them); longer names hold their hash there and are compared in full. Names live in
// an arena and never move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace omnium::support {

class Interner {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Interner() = default;
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;

  // The id of `name`, new if it was not there.
  std::uint32_t intern(std::string_view name);
  // The id of `name`, or kNone.
  std::uint32_t find(std::string_view name);
  // Adds `name` under the next id without looking for it: for tables that were interned before.
  std::uint32_t append(std::string_view name);
  // Adds names that put() will tell, if somebody wants to know; until then they are empty.
  void append_unknown(std::uint32_t count) { unknown_ += count; }
  void put(std::uint32_t id, std::string_view name);
  // So many names may come, and need no more memory than that.
  void expect(std::uint32_t names);

  std::string_view name(std::uint32_t id) const {
    return id < names_.size() ? names_[id] : std::string_view();
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()) + unknown_; }

 private:
  struct Key {
    std::uint64_t low, high;
    std::uint32_t length;
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    std::uint64_t low = 0, high = 0;
    std::uint32_t length = 0;
    std::uint32_t id = kNone;
  };

  static Key key_of(std::string_view name);
  static std::size_t hash_of(const Key& key);
  Slot& slot_for(const Key& key, std::string_view name);
  void index_appended();
  void give_room_to_unknown();
  void grow_slots();
  std::string_view store(std::string_view name);

  std::vector<std::string_view> names_;
  std::uint32_t unknown_ = 0;  // so many more have no place in names_ yet
  std::vector<Slot> slots_;    // a power of two, at most half full
  std::uint32_t indexed_ = 0;  // ids below this are in slots_; append() leaves the rest for later
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* chunk_cursor_ = nullptr;
  std::size_t chunk_left_ = 0;
};

}  // namespace omnium::support
