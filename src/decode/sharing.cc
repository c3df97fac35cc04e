// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/sharing.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "decode/fork_join_order.h"
#include "decode/merge.h"
#include "decode/page_table.h"

namespace omnium::decode {

using wire::RawKind;

namespace {

class Sharing {
 public:
  explicit Sharing(const RawLog& log)
      : order_(log.threads().size()), everything_(log.keeps() == wire::RawKeeps::kEverything) {
    for (const auto& [number, blocks] : log.threads()) {
      indices_.emplace(number, static_cast<std::uint32_t>(indices_.size()));
    }
  }

  void observe(const MergedRecord& merged);
  // Fetches what the access of the record needs from memory. Does nothing for other records.
  [[gnu::always_inline]] void prefetch(const wire::RawRecord& record) const {
    if (wire::kind_of(record) > RawKind::kUpdate) return;
    const PagePointer* page = pages_.find(wire::object_of(record));
    if (page == nullptr) return;
    __builtin_prefetch(&(*page)->groups[group_index(wire::object_of(record))], 1);
  }
  // Ends all lives, and returns those that were shared.
  SharedLives finish();

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::uint32_t kSeveral = kNobody - 1;
  static constexpr std::size_t kMaxSpare = 64;
  static constexpr std::size_t kWorthKnowing = 8;  // groups of an access that is remembered

  struct By {
    std::uint32_t thread, stretch;
    bool write;
    const MergedRecord* merged = nullptr;  // of an access
  };
  struct Group {
    std::uint32_t writer = kNobody;  // stretch of the last write; kSeveral: the life is shared
    std::uint32_t reader = kNobody;  // stretch of the last read since; it follows all other reads;
                                     // of a shared life: the access that made it one
    std::uint64_t life = 0;          // number << 8 | cuts

    bool lives() const { return writer != kNobody || reader != kNobody; }
    // Does the group know the access? Then the access would change nothing.
    bool knows(const By& by) const {
      return writer == kSeveral || (reader == by.stretch && !by.write) ||
             (writer == by.stretch && (reader == kNobody || reader == by.stretch));
    }
  };
  // A range of groups that all know an access.
  struct Known {
    std::uint32_t begin = 0, end = 0;
    By by{};

    bool covers(const By& access, std::size_t from, std::size_t to) const {
      return from >= begin && to <= end && by.stretch == access.stretch && by.write >= access.write;
    }
  };
  struct Page {
    std::array<Group, kGroups> groups;
    std::uint64_t number = 0;
    std::uint32_t living = 0;
    std::array<Known, 4> known;
    std::size_t remembered = 0;  // ranges that were put into `known` since a group changed
    PageLives* lives = nullptr;

    bool all_know(const By& by, std::size_t begin, std::size_t end) const {
      const auto count = static_cast<std::ptrdiff_t>(std::min(remembered, known.size()));
      return std::any_of(known.begin(), known.begin() + count,
                         [&](const Known& range) { return range.covers(by, begin, end); });
    }
    // A group changes: the remembered ranges may not be true any more.
    void change() { remembered = 0; }
    void remember(const By& by, std::size_t begin, std::size_t end);
  };
  using PagePointer = std::unique_ptr<Page>;

  void access(const By& by, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    const std::uint64_t first_whole = (address + 7) / 8 * 8, last_whole = end / 8 * 8;
    if (first_whole + 8 < last_whole) {
      if (address < first_whole) access_group(by, address, cuts_of(address, first_whole));
      access_groups(by, first_whole, (last_whole - first_whole) / 8, 1);
      if (last_whole < end) access_group(by, last_whole, cuts_of(last_whole, end));
      return;
    }
    for (std::uint64_t next; address < end; address = next) {
      next = std::min(end, (address / 8 + 1) * 8);
      access_group(by, address, cuts_of(address, next));
    }
  }
  void repeated_accesses(const By& by, const MergedRecord& merged);
  void loop(const MergedRecord& merged);
  std::uint64_t rounds_in_pages(const MergedRecord& merged, std::uint64_t round) const;
  bool all_know(const MergedRecord& merged, std::uint64_t round, std::uint64_t rounds);
  void access_groups(const By& by, std::uint64_t address, std::uint64_t count, std::size_t step);
  void free(const By& by, std::uint64_t address, std::uint64_t size);
  void forget(std::uint64_t address, std::uint64_t size);
  void access_group(const By& by, std::uint64_t address, std::uint8_t cuts) {
    Page& page = page_at(address);
    Group& group = page.groups[group_index(address)];
    if (!group.knows(by)) enter(page, group, by);
    if (cuts != 0) group.life |= cuts;
  }
  Page& page_at(std::uint64_t address) {
    return *pages_.at(address, [this](PagePointer& fresh, std::uint64_t number) {
      fresh = new_page();
      fresh->number = number;
    });
  }
  void enter(Page& page, Group& group, const By& by) {
    if (!group.lives()) begin_life(page, group);
    meet(group, by);
    page.change();
  }
  PagePointer new_page();
  void begin_life(Page& page, Group& group);
  void meet(Group& group, const By& by);
  std::uint32_t number_of(const By& by);
  bool forget_in(Page& page, std::uint64_t begin, std::uint64_t end);
  void end_life(Page& page, Group& group);

  std::unordered_map<std::uint64_t, std::uint32_t> indices_;  // by number of a thread
  ForkJoinOrder order_;
  PageTable<PagePointer> pages_;
  std::vector<PagePointer> spare_;  // empty pages to use again
  SharedLives lives_{{}, {SharingAccess{}}};
  std::map<SharingAccess, std::uint32_t> access_numbers_;
  bool everything_;  // all memory counts as shared
};

void Sharing::observe(const MergedRecord& merged) {
  const std::uint64_t object = wire::object_of(merged.record);
  const RawKind kind = wire::kind_of(merged.record);
  switch (kind) {
    case RawKind::kRead:
    case RawKind::kWrite:
    case RawKind::kAtomicRead:
    case RawKind::kAtomicWrite:
    case RawKind::kRetry:
    case RawKind::kUpdate: {
      const By by{merged.index, order_.stretch_of(merged.index), wire::is_write(kind), &merged};
      if (merged.repeats == 0) {
        access(by, object, wire::size_of(merged.record));
      } else {
        repeated_accesses(by, merged);
      }
      break;
    }
    case RawKind::kLoop: loop(merged); break;
    case RawKind::kFree:
      free({merged.index, order_.stretch_of(merged.index), true}, object,
           wire::place_of(merged.record));
      break;
    case RawKind::kForget: forget(object, wire::place_of(merged.record)); break;
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

Sharing::PagePointer Sharing::new_page() {
  if (spare_.empty()) return std::make_unique<Page>();
  PagePointer page = std::move(spare_.back());
  spare_.pop_back();
  return page;
}

void Sharing::repeated_accesses(const By& by, const MergedRecord& merged) {
  const std::uint32_t size = wire::size_of(merged.record);
  const bool whole_groups = size == 8 && merged.address(0) % 8 == 0 && merged.stride % 8 == 0;
  if (whole_groups && merged.stride > 0) {
    access_groups(by, merged.address(0), merged.repeats + 1,
                  static_cast<std::size_t>(merged.stride) / 8);
    return;
  }
  for (std::uint64_t i = 0; i <= merged.repeats; ++i) access(by, merged.address(i), size);
}

// In how many rounds from `round` on does each access stay in its page? At least one.
std::uint64_t Sharing::rounds_in_pages(const MergedRecord& merged, std::uint64_t round) const {
  std::uint64_t rounds = merged.repeats / merged.loop.size() - round;
  for (const LoopStep& step : merged.loop) {
    if (step.stride == 0) continue;
    const std::uint64_t inside = step.address(round) % kPageBytes;
    const std::uint64_t room = step.stride > 0 ? kPageBytes - 1 - inside : inside;
    const auto width = static_cast<std::uint64_t>(step.stride > 0 ? step.stride : -step.stride);
    rounds = std::min(rounds, room / width + 1);
  }
  return rounds;
}

// Would the next rounds of the loop, which stay in their pages, change nothing?
bool Sharing::all_know(const MergedRecord& merged, std::uint64_t round, std::uint64_t rounds) {
  for (const LoopStep& step : merged.loop) {
    const std::uint64_t first = step.address(round), last = step.address(round + rounds - 1);
    const bool whole = wire::size_of(step.record) == 8 && first % 8 == 0 && step.stride % 8 == 0;
    if (!whole) return false;
    const By by{merged.index, order_.stretch_of(merged.index),
                wire::is_write(wire::kind_of(step.record))};
    const std::size_t begin = group_index(std::min(first, last));
    const std::size_t end = group_index(std::max(first, last)) + 1;
    Page& page = page_at(first);
    if (page.all_know(by, begin, end)) continue;
    if (rounds >= kWorthKnowing) page.remember(by, begin, end);
    if (!page.all_know(by, begin, end)) return false;
  }
  return true;
}

// The order is that of the program: the second pass counts lives in the same order.
void Sharing::loop(const MergedRecord& merged) {
  const std::size_t length = merged.loop.size();
  MergedRecord one = merged;
  one.repeats = 0;
  const auto access_step = [&](const LoopStep& step, std::uint64_t round) {
    one.record = step.record;
    const By by{merged.index, order_.stretch_of(merged.index),
                wire::is_write(wire::kind_of(step.record)), &one};
    access(by, step.address(round), wire::size_of(step.record));
  };
  const std::uint64_t whole = merged.repeats / length;
  for (std::uint64_t round = 0; round < whole;) {
    const std::uint64_t rounds = rounds_in_pages(merged, round);
    const std::uint64_t end = round + rounds;
    if (all_know(merged, round, rounds)) {
      round = end;
      continue;
    }
    for (; round < end; ++round) {
      for (const LoopStep& step : merged.loop) access_step(step, round);
    }
  }
  for (std::size_t i = 0; i < merged.repeats % length; ++i) access_step(merged.loop[i], whole);
}

// Accesses of whole groups, each `step` bytes behind the one before.
void Sharing::access_groups(const By& by, std::uint64_t address, std::uint64_t count,
                            std::size_t step) {
  for (std::uint64_t here; count != 0; count -= here, address += here * step * 8) {
    Page& page = page_at(address);
    const std::size_t begin = group_index(address);
    here = std::min<std::uint64_t>(count, (kGroups - begin + step - 1) / step);
    const std::size_t end = begin + (here - 1) * step + 1;
    if (page.all_know(by, begin, end)) continue;
    bool changed = false;
    for (std::size_t i = begin; i < end; i += step) {
      if (page.groups[i].knows(by)) continue;
      enter(page, page.groups[i], by);
      changed = true;
    }
    if (!changed && here >= kWorthKnowing) page.remember(by, begin, end);
  }
}

// Remembers that all of these groups know the access, and the neighbours that do so too.
void Sharing::Page::remember(const By& by, std::size_t begin, std::size_t end) {
  const auto does_not_know = [&](const Group& group) { return !group.knows(by); };
  const auto from = groups.begin() + begin, to = groups.begin() + end;
  if (std::any_of(from, to, does_not_know)) return;
  const auto first = std::find_if(std::reverse_iterator(from), groups.rend(), does_not_know).base();
  const auto last = std::find_if(to, groups.end(), does_not_know);
  known[remembered++ % known.size()] = {static_cast<std::uint32_t>(first - groups.begin()),
                                        static_cast<std::uint32_t>(last - groups.begin()), by};
}

void Sharing::begin_life(Page& page, Group& group) {
  if (page.living++ == 0) page.lives = &lives_.pages[page.number];
  group.life = page.lives->begun++ << 8;
}

void Sharing::meet(Group& group, const By& by) {
  const auto precedes = [&](std::uint32_t stretch) {
    return stretch == kNobody || (stretch != kSeveral && order_.precedes(stretch, by.thread));
  };
  const bool after_reads = precedes(group.reader);
  if (!precedes(group.writer) || (by.write && !after_reads)) {
    group.writer = kSeveral;
    group.reader = number_of(by);
  } else if (by.write) {
    group.writer = by.stretch;
    group.reader = kNobody;
  } else {
    group.reader = after_reads ? by.stretch : kSeveral;
  }
}

// The number of the access among those that made a life a shared one.
[[gnu::noinline]] std::uint32_t Sharing::number_of(const By& by) {
  if (by.merged == nullptr || (by.merged->repeats != 0 && by.merged->stride % 8 != 0)) return 0;
  const wire::RawRecord& record = by.merged->record;
  const std::uint64_t start = wire::object_of(record) % 8, size = wire::size_of(record);
  if (start + size > 8) return 0;
  const SharingAccess access{wire::place_of(record), static_cast<std::uint8_t>(start),
                             static_cast<std::uint8_t>(size), by.write};
  const auto number = static_cast<std::uint32_t>(lives_.accesses.size());
  const auto [at, added] = access_numbers_.try_emplace(access, number);
  if (added) lives_.accesses.push_back(access);
  return at->second;
}

void Sharing::end_life(Page& page, Group& group) {
  const bool shared = group.writer == kSeveral;
  if (shared || everything_) {
    page.lives->shared.push_back(
        {group.life >> 8, shared ? group.reader : 0, static_cast<std::uint8_t>(group.life)});
  }
  group = {};
  --page.living;
  page.change();
}

// A group that is forgotten only in part lives on, with pieces that end where that part ends.
// Returns whether no group of the page lives.
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

// Whoever frees memory writes what lives there.
void Sharing::free(const By& by, std::uint64_t address, std::uint64_t size) {
  pages_.for_each_in(address, size, [&](PagePointer& page, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t next; begin < end; begin = next) {
      next = std::min(end, (begin / 8 + 1) * 8);
      Group& group = page->groups[group_index(begin)];
      if (!group.lives()) continue;
      if (!group.knows(by)) enter(*page, group, by);
      group.life |= cuts_of(begin, next);
    }
    return false;
  });
}

void Sharing::forget(std::uint64_t address, std::uint64_t size) {
  pages_.for_each_in(address, size, [&](PagePointer& page, std::uint64_t begin, std::uint64_t end) {
    if (!forget_in(*page, begin, end)) return false;
    if (spare_.size() < kMaxSpare) spare_.push_back(std::move(page));
    return true;
  });
}

SharedLives Sharing::finish() {
  pages_.for_each([&](PagePointer& page) {
    const std::uint64_t begin = page->number * kPageBytes;
    forget_in(*page, begin, begin + kPageBytes);
  });
  pages_.clear();
  std::erase_if(lives_.pages, [](const auto& entry) { return entry.second.shared.empty(); });
  for (auto& [number, lives] : lives_.pages) {
    std::ranges::sort(lives.shared, {}, &PageLives::Life::number);
  }
  return std::move(lives_);
}

}  // namespace

Result<SharedLives> find_shared_lives(RawLog& log) {
  Sharing sharing(log);
  auto read = Merge(log).read([&](const MergedRecord& record) {
    sharing.prefetch(*record.ahead);
    sharing.observe(record);
    return true;
  });
  if (!read) return tl::unexpected(read.error());
  return sharing.finish();
}

}  // namespace omnium::decode
