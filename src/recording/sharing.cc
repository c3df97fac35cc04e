// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sharing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "recording/fork_join_order.h"
#include "recording/merge.h"
#include "recording/page_table.h"

namespace omnium::recording {

using live::RawKind;

namespace {

// Where the pieces of an access in one group begin and end.
constexpr std::uint8_t cuts_of(std::uint64_t begin, std::uint64_t end) {
  return static_cast<std::uint8_t>((1u << begin % 8 | 1u << end % 8) & 254);
}

class Sharing {
 public:
  explicit Sharing(const RawLog& log) : order_(log.threads().size()) {
    for (const auto& [number, blocks] : log.threads()) {
      indices_.emplace(number, static_cast<std::uint32_t>(indices_.size()));
    }
  }

  void observe(const MergedRecord& merged);
  // Nothing comes after this.
  SharedLives finish();

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::uint32_t kSeveral = kNobody - 1;

  struct By {
    std::uint32_t thread, stretch;
    bool write;
  };
  struct Group {
    std::uint32_t writer = kNobody;  // stretch of the last write; kSeveral: the life is shared
    std::uint32_t reader = kNobody;  // stretch of the last read since, all others are before it
    std::uint64_t life = 0;          // number << 8 | cuts

    bool lives() const { return writer != kNobody || reader != kNobody; }
    // Would the access change nothing?
    bool knows(const By& by) const {
      return writer == kSeveral || (reader == by.stretch && !by.write) ||
             (writer == by.stretch && (reader == kNobody || reader == by.stretch));
    }
  };
  struct Page {
    std::array<Group, kGroups> groups;
    std::uint64_t number = 0;
    std::uint32_t living = 0;
    PageLives* lives = nullptr;
  };

  void access(const By& by, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    for (std::uint64_t next; address < end; address = next) {
      next = std::min(end, (address / 8 + 1) * 8);
      access_group(by, address, cuts_of(address, next));
    }
  }
  void forget(std::uint64_t address, std::uint64_t size);
  void access_group(const By& by, std::uint64_t address, std::uint8_t cuts) {
    Page& page =
        pages_.at(address, [](Page& fresh, std::uint64_t number) { fresh.number = number; });
    Group& group = page.groups[group_index(address)];
    if (!group.knows(by)) {
      if (!group.lives()) begin_life(page, group);
      meet(group, by);
    }
    if (cuts != 0) group.life |= cuts;
  }
  void begin_life(Page& page, Group& group);
  void meet(Group& group, const By& by);
  bool forget_in(Page& page, std::uint64_t begin, std::uint64_t end);
  static void end_life(Page& page, Group& group);

  std::unordered_map<std::uint64_t, std::uint32_t> indices_;  // by number of a thread
  ForkJoinOrder order_;
  PageTable<Page> pages_;
  SharedLives lives_;
};

void Sharing::observe(const MergedRecord& merged) {
  const std::uint64_t object = live::object_of(merged.record);
  const RawKind kind = live::kind_of(merged.record);
  switch (kind) {
    case RawKind::kRead:
    case RawKind::kWrite:
    case RawKind::kUpdate: {
      const By by{merged.index, order_.stretch_of(merged.index), kind != RawKind::kRead};
      for (std::uint64_t i = 0; i <= merged.repeats; ++i) {
        access(by, merged.address(i), live::size_of(merged.record));
      }
      break;
    }
    case RawKind::kForget: forget(object, live::place_of(merged.record)); break;
    case RawKind::kBegin:
    case RawKind::kBeginFunction: order_.begin(merged.index); break;
    case RawKind::kEnd: order_.end(merged.index); break;
    case RawKind::kFork:
    case RawKind::kJoin: {
      const auto other = indices_.find(object);
      if (other == indices_.end()) break;
      kind == RawKind::kFork ? order_.fork(merged.index, other->second)
                             : order_.join(merged.index, other->second);
      break;
    }
    default: break;
  }
}

void Sharing::begin_life(Page& page, Group& group) {
  if (page.living++ == 0) page.lives = &lives_[page.number];
  group.life = page.lives->begun++ << 8;
}

void Sharing::meet(Group& group, const By& by) {
  const auto precedes = [&](std::uint32_t stretch) {
    return stretch == kNobody || (stretch != kSeveral && order_.precedes(stretch, by.thread));
  };
  const bool after_reads = precedes(group.reader);
  if (!precedes(group.writer) || (by.write && !after_reads)) {
    group.writer = kSeveral;
  } else if (by.write) {
    group.writer = by.stretch;
    group.reader = kNobody;
  } else {
    group.reader = after_reads ? by.stretch : kSeveral;
  }
}

void Sharing::end_life(Page& page, Group& group) {
  if (group.writer == kSeveral) {
    page.lives->shared.push_back({group.life >> 8, static_cast<std::uint8_t>(group.life)});
  }
  group = {};
  --page.living;
}

// A group that is forgotten in parts lives on, with pieces that fit. Returns whether nothing lives.
bool Sharing::forget_in(Page& page, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t next; begin < end; begin = next) {
    next = std::min(end, (begin / 8 + 1) * 8);
    Group& group = page.groups[group_index(begin)];
    if (!group.lives()) continue;
    group.life |= cuts_of(begin, next);
    if (next - begin == 8) end_life(page, group);
  }
  return page.living == 0;
}

void Sharing::forget(std::uint64_t address, std::uint64_t size) {
  pages_.for_each_in(address, size, [&](Page& page, std::uint64_t begin, std::uint64_t end) {
    return forget_in(page, begin, end);
  });
}

SharedLives Sharing::finish() {
  pages_.for_each([&](Page& page) {
    const std::uint64_t begin = page.number * kPageBytes;
    forget_in(page, begin, begin + kPageBytes);
  });
  pages_.clear();
  std::erase_if(lives_, [](const auto& entry) { return entry.second.shared.empty(); });
  for (auto& [number, lives] : lives_) {
    std::ranges::sort(lives.shared, {}, &PageLives::Life::number);
  }
  return std::move(lives_);
}

}  // namespace

Result<SharedLives> find_shared_lives(const RawLog& log) {
  Sharing sharing(log);
  auto read = Merge(log).read([&](const MergedRecord& record) {
    sharing.observe(record);
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  return sharing.finish();
}

}  // namespace omnium::recording
