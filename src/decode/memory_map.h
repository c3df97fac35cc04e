// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which variable lies at an address. Variables of a trace do not overlap: they are the pieces of
// the shared lives (decode/sharing.h), so the log is read twice in the same order: for the lives,
// and for the events. Memory is needed for the groups that live in pages with shared lives.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "decode/page_table.h"
#include "decode/sharing.h"

namespace omnium::decode {

class MemoryMap {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Variable {
    std::uint32_t id = kNone;      // kNone: it has no id yet
    std::uint32_t writer = kNone;  // the thread of the last write
    std::uint32_t reader = kNone;  // the thread that read it since the write, or kSeveral
    std::uint32_t user = kNone;    // the only thread that ever touched it, or kSeveral

    // May an access by the thread depend on another thread?
    bool depends(std::uint32_t thread, bool write) const {
      if (reader == thread) return false;
      return reader != kNone && write ? true : writer != kNone && writer != thread;
    }
    void touch(std::uint32_t thread, bool write) {
      reader = write ? kNone : reader == kNone || reader == thread ? thread : kSeveral;
      if (write) writer = thread;
      user = user == kNone || user == thread ? thread : kSeveral;
    }
    bool is_single() const { return user != kNone && user != kSeveral; }
    bool is_touched_by_others(std::uint32_t thread) const {
      return user != kNone && user != thread;
    }
  };

  // Must be called before anything else.
  void set_shared(SharedLives lives) { lives_ = std::move(lives); }
  // Instead of set_shared(): the log is read once, so all memory counts as shared, and variables
  // are cut when an access needs it.
  void set_live();
  // Starts again at the first access.
  void restart() { pages_.clear(); }

  // Called before for_each_piece if set_live() was: makes the bytes whole variables. A variable
  // that has to be cut becomes a former one.
  void prepare(std::uint64_t address, std::uint64_t size) {
    if (live_) make_cuts(address, size);
  }
  bool has_former() const { return !former_.empty(); }
  // Calls visit(id) for the former variables that the bytes were a part of, and whose last write
  // they may still depend on. Returns how many reads by other threads an access that writes the
  // bytes loses.
  template <class Visit>
  std::uint64_t for_each_former(std::uint64_t address, std::uint64_t size, std::uint32_t thread,
                                bool write, Visit visit);

  // Calls visit(address, variable) for each shared piece that the access covers; `variable` is a
  // Variable&.
  template <class Visit>
  void for_each_piece(std::uint64_t address, std::uint64_t size, Visit visit);

  // The common cases: an access of one variable or two that have ids, or certainly of none.
  struct Found {
    Variable* first = nullptr;  // null: not one of the common cases
    Variable* second = nullptr;
    bool nothing = false;
  };
  Found look_at(std::uint64_t address, std::uint32_t size) {
    const Page& page = page_at(address);
    const std::uint32_t offset = address % 8;
    if (page.content == nullptr) {
      return {nullptr, nullptr, page.lives == nullptr && address % kPageBytes + size <= kPageBytes};
    }
    if (offset + size > 8) return {};
    Group& group = page.content->groups[group_index(address)];
    // A log that is not complete: the variable may have to be cut.
    if (live_ && (group.has_former || (cuts_of(address, address + size) & ~group.cuts) != 0)) {
      return {};
    }
    if (!group.shared) return {nullptr, nullptr, group.lives};
    const unsigned cuts_inside = group.cuts >> offset >> 1 & ((1u << size >> 1) - 1);
    Variable* const middle = page.content->middles == nullptr
                                 ? nullptr
                                 : &(*page.content->middles)[group_index(address)];
    Variable* const first = offset == 0 ? &group.first : offset == 4 ? middle : nullptr;
    if (first == nullptr || first->id == kNone) return {};
    if (cuts_inside == 0) return {first, nullptr, false};
    constexpr unsigned kInTheMiddle = 1u << 4 >> 1;
    const bool two =
        offset == 0 && cuts_inside == kInTheMiddle && middle != nullptr && middle->id != kNone;
    return two ? Found{first, middle, false} : Found{};
  }

  // Fetches what the access of the record needs from memory. Does nothing for other records.
  [[gnu::always_inline]] void prefetch(const wire::RawRecord& record) {
    if (wire::kind_of(record) > wire::RawKind::kUpdate) return;
    const std::uint64_t address = wire::object_of(record);
    const Page* page = pages_.find(address);
    if (page == nullptr || page->content == nullptr) return;
    __builtin_prefetch(&page->content->groups[group_index(address)], 1);
  }

  // The access that made the memory at the address shared.
  const SharingAccess& sharing_access(std::uint64_t address) {
    const Page& page = page_at(address);
    const bool known = page.content != nullptr;
    return lives_.accesses[known ? page.content->groups[group_index(address)].access : 0];
  }

  // Nothing between the address and the address returned is ever shared.
  std::uint64_t private_end(std::uint64_t address) {
    return page_at(address).lives != nullptr ? address : (address / kPageBytes + 1) * kPageBytes;
  }

  // Calls visit(variable) for each shared piece in the bytes that has been touched.
  template <class Visit>
  void for_each_living_piece(std::uint64_t address, std::uint64_t size, Visit visit);

  // From now on the bytes are new variables. Calls visit(variable) for those that have an id, if
  // set_live() was called.
  template <class Visit>
  void forget(std::uint64_t address, std::uint64_t size, Visit visit);
  void forget(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint32_t kSeveral = kNone - 1;

  struct Group {
    Variable first;  // the one that starts at byte 0
    bool lives = false;
    bool shared = false;
    bool has_former = false;
    std::uint8_t cuts = 0;
    std::uint32_t access = 0;  // index into SharedLives::accesses
  };
  using Middles = std::array<Variable, kGroups>;
  struct Content {
    std::array<Group, kGroups> groups;
    std::uint32_t living = 0;
    std::unique_ptr<Middles> middles;                           // variables that start at byte 4
    std::unordered_map<std::uint64_t, Variable> odd_variables;  // others, by address
  };
  struct Page {
    std::unique_ptr<Content> content;  // null if nothing lives here
    const PageLives* lives = nullptr;  // null if none are shared
    std::uint64_t begun = 0;           // lives that have begun
    std::size_t next_shared = 0;       // the first shared life that has not begun
  };

  Page& page_at(std::uint64_t address) {
    return pages_.at(address, [this](Page& page, std::uint64_t number) {
      if (live_) page.lives = &all_;
      const auto shared = lives_.pages.find(number);
      if (shared != lives_.pages.end()) page.lives = &shared->second;
    });
  }
  static Variable& variable_at(Content& content, std::uint64_t address) {
    if (address % 8 == 0) return content.groups[group_index(address)].first;
    if (address % 8 != 4) return content.odd_variables[address];
    if (content.middles == nullptr) content.middles = std::make_unique<Middles>();
    return (*content.middles)[group_index(address)];
  }
  Content& new_content(Page& page);
  void begin_life(Page& page, Group& group) const;
  void make_cuts(std::uint64_t address, std::uint64_t size);
  void cut(Content& content, Group& group, std::uint64_t group_address, std::uint8_t cuts);
  void forget_former(std::uint64_t group_address, std::uint8_t bytes);
  void forget_in(Page& page, std::uint64_t begin, std::uint64_t end);
  static void forget_variables(Content& content, std::uint64_t begin, std::uint64_t end);

  // A variable that was cut, and the bytes of it that nobody has written since.
  struct Former {
    Variable variable;
    std::uint8_t bytes;
  };

  SharedLives lives_;
  bool live_ = false;
  PageLives all_;                                                 // of every page, if live_
  std::unordered_map<std::uint64_t, std::vector<Former>> former_;  // by address of the group
  PageTable<Page> pages_;
  std::vector<std::unique_ptr<Content>> spare_;
};

// Bit i: byte i of the group.
constexpr std::uint8_t bytes_of(std::uint64_t begin, std::uint64_t end) {
  return static_cast<std::uint8_t>(((1u << (end - begin)) - 1) << begin % 8);
}

template <class Visit>
std::uint64_t MemoryMap::for_each_former(std::uint64_t address, std::uint64_t size,
                                         std::uint32_t thread, bool write, Visit visit) {
  std::uint64_t lost = 0;
  for (const std::uint64_t end = address + size; address < end;) {
    const std::uint64_t next = std::min(end, (address / 8 + 1) * 8);
    const auto found = former_.find(address / 8 * 8);
    const std::uint8_t bytes = bytes_of(address, next);
    for (std::size_t i = 0; found != former_.end() && i < found->second.size(); ++i) {
      const Former& former = found->second[i];
      if ((former.bytes & bytes) == 0) continue;
      const std::uint32_t reader = former.variable.reader;
      if (write && reader != kNone && reader != thread) ++lost;
      visit(former.variable.id);
    }
    if (write && found != former_.end()) forget_former(address / 8 * 8, bytes);
    address = next;
  }
  return lost;
}

template <class Visit>
void MemoryMap::forget(std::uint64_t address, std::uint64_t size, Visit visit) {
  if (live_) {
    for_each_living_piece(address, size, [&](const Variable& variable) {
      if (variable.id != kNone) visit(variable);
    });
  }
  forget(address, size);
}

template <class Visit>
void MemoryMap::for_each_living_piece(std::uint64_t address, std::uint64_t size, Visit visit) {
  pages_.for_each_in(address, size, [&](Page& page, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; page.content != nullptr && at < end;) {
      const Group& group = page.content->groups[group_index(at)];
      if (!group.lives || !group.shared) {
        at = (at / 8 + 1) * 8;
        continue;
      }
      const bool starts = at % 8 == 0 || (group.cuts >> at % 8 & 1) != 0;
      if (starts) visit(variable_at(*page.content, at));
      ++at;
    }
    return false;
  });
}

template <class Visit>
void MemoryMap::for_each_piece(std::uint64_t address, std::uint64_t size, Visit visit) {
  for (const std::uint64_t end = address + size; address < end;) {
    Page& page = page_at(address);
    if (page.lives == nullptr) {
      address = (address / kPageBytes + 1) * kPageBytes;
      continue;
    }
    Content& content = page.content != nullptr ? *page.content : new_content(page);
    Group& group = content.groups[group_index(address)];
    const std::uint64_t group_end = std::min(end, (address / 8 + 1) * 8);
    if (!group.lives) begin_life(page, group);
    if (!group.shared) {
      address = group_end;
      continue;
    }
    while (address < group_end) {
      const unsigned cuts_behind = group.cuts >> address % 8 >> 1;
      visit(address, variable_at(content, address));
      if (cuts_behind == 0) {
        address = group_end;
      } else {
        address =
            std::min(group_end, address + 1 + static_cast<unsigned>(std::countr_zero(cuts_behind)));
      }
    }
  }
}

}  // namespace omnium::decode
