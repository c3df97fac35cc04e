// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Raw logs that are written here, record by record, and the events that become of them.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>

#include <fmt/format.h>
#include <sys/auxv.h>

#include "decode/addresses.h"
#include "decode/numbered_names.h"
#include "decode/raw_log.h"
#include "decode/source.h"
#include "wire/file_time.h"
#include "wire/raw_log.h"

namespace omnium::test {
namespace {

using wire::RawBlock;
using wire::RawKind;
using wire::RawRecord;

constexpr std::uint64_t kMemory = 0x7000'0000'0000;
constexpr std::uint64_t kPlace = 0x1234;

RawRecord record(RawKind kind, std::uint64_t object, std::uint64_t size = 0,
                 std::uint64_t place = kPlace, std::uint64_t clock_step = 1) {
  return wire::make_record(kind, object, static_cast<std::uint32_t>(size), clock_step, place);
}

RawRecord write(std::uint64_t group) { return record(RawKind::kWrite, kMemory + 8 * group, 8); }

RawRecord repeat(std::int64_t stride, std::uint64_t times) {
  RawRecord made = wire::make_repeat(static_cast<std::uint64_t>(stride));
  made.more = times;
  return made;
}

// What fills one record behind another.
RawRecord text(std::string_view sixteen_letters) {
  RawRecord made{};
  std::memcpy(&made, sixteen_letters.data(), sizeof made);
  return made;
}

class Log {
 public:
  Log() : bytes_(wire::kRawPieceBytes, '\0') {
    std::memcpy(bytes_.data(), wire::kRawMagic, 8);
    std::memcpy(bytes_.data() + 8, &wire::kRawVersion, sizeof wire::kRawVersion);
  }

  // A sealed block, or one that its thread is still filling. Returns where its records begin.
  std::size_t add_block(std::uint32_t thread, std::uint64_t sequence, std::uint64_t first_clock,
                        const std::vector<RawRecord>& records, bool sealed = true) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + wire::kRawPieceBytes);
    auto& block = *new (bytes_.data() + start) RawBlock{};
    block.magic = wire::kRawBlockMagic;
    block.thread = thread;
    block.sequence = sequence;
    block.first_clock = first_clock;
    block.count = static_cast<std::uint32_t>(records.size());
    block.sealed = sealed ? 1 : 0;
    const std::size_t size = records.size() * sizeof(RawRecord);
    block.hash =
        XXH3_64bits_withSeed(records.data(), size, XXH3_64bits(&block, offsetof(RawBlock, hash)));
    if (size != 0) std::memcpy(block.records(), records.data(), size);
    return start + sizeof(RawBlock);
  }
  void flip_a_bit(std::size_t at) { bytes_[at] = static_cast<char>(bytes_[at] ^ 0x40); }

  // One line for each event, then the warnings.
  std::string converted() const {
    auto source = decode::read_raw_log(trace::input_from_memory("log", bytes_));
    if (!source) return source.error().to_string();
    std::string out;
    std::vector<Event> events(100);
    for (;;) {
      const auto count = (*source)->read(events);
      if (!count) return count.error().to_string();
      if (*count == 0) break;
      for (const Event& event : std::span(events).first(*count)) {
        const Names& names = (*source)->names();
        const bool signals = event.kind == Kind::kSignal || event.kind == Kind::kAwait;
        const auto& objects = is_access(event.kind) ? names.variables
                              : signals             ? names.signals
                                                    : names.threads;
        out += std::string(names.threads.name(event.thread_id)) + " " +
               std::string(to_string(event.kind)) + " " + std::string(objects.name(event.object)) +
               "\n";
      }
    }
    for (const std::string& warning : (*source)->warnings()) out += warning + "\n";
    return out;
  }

 private:
  std::string bytes_;
};

TEST(Conversion, ABlockThatIsDamagedEndsTheTraceBeforeIt) {
  Log log;
  log.add_block(0, 0, 0, {record(RawKind::kFork, 1), write(0), write(0)});
  const std::size_t damaged = log.add_block(0, 1, 10, {write(0)});
  log.add_block(0, 2, 20, {record(RawKind::kThreadName, 0, 4), {0x746f6f72, 0}, write(0)});
  log.add_block(1, 0, 1, {write(0), write(0), write(0)});
  const std::string beginning =
      "root fork T1\n"
      "root write 0x700000000000\n"
      "T1 write 0x700000000000\n"
      "root write 0x700000000000\n"
      "T1 write 0x700000000000\n";
  EXPECT_EQ(log.converted(), beginning +
                                 "T1 write 0x700000000000\n"
                                 "root write 0x700000000000\n"
                                 "root write 0x700000000000\n");
  log.flip_a_bit(damaged + 3);
  EXPECT_EQ(log.converted(),
            beginning + "log: truncated: a part of the raw log is damaged or missing\n");
}

TEST(Conversion, NoEventsAreMissedSilentlyIfTheOnlyBlockOfAThreadIsDamaged) {
  Log log;
  log.add_block(0, 0, 0, {record(RawKind::kFork, 1), write(0), write(0), write(0)});
  const std::size_t damaged = log.add_block(1, 0, 2, {write(0), write(0)});
  log.flip_a_bit(damaged + 3);
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "log: truncated: a part of the raw log is damaged or missing\n");
}

TEST(Conversion, NoEventsAreMissedSilentlyIfTheLastBlockOfAThreadIsDamaged) {
  Log log;
  log.add_block(0, 0, 0, {record(RawKind::kFork, 1), write(0), write(0)});
  const std::size_t damaged = log.add_block(0, 1, 3, {write(0), write(0)});
  log.add_block(1, 0, 1, {write(0), write(0), write(0), write(0)});
  log.flip_a_bit(damaged + 3);
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "main write 0x700000000000\n"
            "T1 write 0x700000000000\n"
            "main write 0x700000000000\n"
            "T1 write 0x700000000000\n"
            "log: truncated: a part of the raw log is damaged or missing\n");
}

// The text of a name is no record: its bytes are not clocks. Nor are operands and repetitions.
TEST(Conversion, ATextBeforeAGapDoesNotMoveTheEnd) {
  Log log;
  log.add_block(0, 0, 0,
                {record(RawKind::kFork, 1), record(RawKind::kThreadName, 0, 16),
                 text("worker-of-main-1"), write(0), repeat(8, 1)});
  log.add_block(0, 2, 20, {write(0)});
  log.add_block(1, 0, 1, {write(0), write(0), write(0), write(0), write(0)});
  EXPECT_EQ(log.converted(),
            "worker-of-main-1 fork T1\n"
            "T1 write 0x700000000000\n"
            "worker-of-main-1 write 0x700000000000\n"
            "T1 write 0x700000000000\n"
            "log: truncated: a part of the raw log is damaged or missing\n");
}

// Clocks that a record sets count in the last block before a gap, too.
TEST(Conversion, AClockBeforeAGapMovesTheEnd) {
  Log log;
  log.add_block(0, 0, 0,
                {record(RawKind::kFork, 1), wire::make_aside(RawKind::kClock, 100), write(0)});
  log.add_block(0, 2, 200, {write(0)});
  log.add_block(1, 0, 99, {write(0), write(0), write(0)});
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "T1 write 0x700000000000\n"
            "main write 0x700000000000\n"
            "T1 write 0x700000000000\n"
            "log: truncated: a part of the raw log is damaged or missing\n");
}

// A thread was killed when it had written a block and had emptied the copy in its hands, but had
// not named it the next one yet.
TEST(Conversion, ASealedCopyOfABlockReplacesTheOpenOne) {
  const std::vector<RawRecord> whole = {record(RawKind::kFork, 1), write(0), write(0)};
  const auto converted = [&](bool open_first) {
    Log log;
    if (open_first) log.add_block(0, 0, 7, {}, false);
    log.add_block(0, 0, 0, whole);
    if (!open_first) log.add_block(0, 0, 7, {}, false);
    log.add_block(1, 0, 1, {write(0), write(0)});
    return log.converted();
  };
  const std::string expected =
      "main fork T1\n"
      "main write 0x700000000000\n"
      "T1 write 0x700000000000\n"
      "main write 0x700000000000\n"
      "T1 write 0x700000000000\n";
  EXPECT_EQ(converted(true), expected);
  EXPECT_EQ(converted(false), expected);
}

// Thread 0 has written a range so often that the page knows; then a part of it is forgotten.
TEST(Conversion, WhatIsForgottenInARangeIsNewInIt) {
  Log log;
  std::vector<RawRecord> records{record(RawKind::kFork, 1)};
  for (int i = 0; i < 3; ++i) records.insert(records.end(), {write(0), repeat(8, 63)});
  records.push_back(record(RawKind::kForget, kMemory + 8 * 10, 0, 8));
  records.insert(records.end(), {write(0), repeat(8, 63)});
  log.add_block(0, 0, 0, records);
  log.add_block(1, 0, 20, {write(10)});
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "main write 0x700000000050\n"
            "T1 write 0x700000000050\n");
}

RawRecord loop(std::uint32_t length, std::uint64_t accesses) {
  RawRecord made = wire::make_loop(length);
  made.more = accesses;
  return made;
}

TEST(Conversion, ALoopGoesOnAsItBegan) {
  Log log;
  const auto there = [](std::uint64_t group) {
    return record(RawKind::kRead, kMemory + 8 * group, 8, kPlace, 0);
  };
  // One access goes forwards, the other stays; the loop ends in the middle of a round.
  log.add_block(0, 0, 0,
                {record(RawKind::kFork, 1), there(0), there(9), there(1), there(9), there(2),
                 there(9), loop(2, 3)});
  log.add_block(1, 0, 1, {write(0), record(RawKind::kWrite, kMemory, 80, kPlace, 0)});
  const std::string converted = log.converted();
  EXPECT_TRUE(converted.starts_with("main fork T1\n"
                                    "main read 0x700000000000\n"
                                    "main read 0x700000000048\n"
                                    "main read 0x700000000008\n"
                                    "main read 0x700000000048\n"
                                    "main read 0x700000000010\n"
                                    "main read 0x700000000048\n"
                                    "main read 0x700000000018\n"
                                    "main read 0x700000000048\n"
                                    "main read 0x700000000020\n"
                                    "T1 write"))
      << converted;
}

// Whatever a log says: a loop of nothing, or of accesses that are not there, is none.
TEST(Conversion, ALoopWithoutItsAccessesIsNone) {
  for (const RawRecord& wrong : {loop(0, 5), loop(1, 5), loop(2, 5), loop(1023, 5)}) {
    Log log;
    log.add_block(0, 0, 0, {record(RawKind::kFork, 1), write(0), wrong});
    log.add_block(1, 0, 1, {write(0)});
    EXPECT_EQ(log.converted(),
              "main fork T1\n"
              "main write 0x700000000000\n"
              "T1 write 0x700000000000\n");
  }
}

TEST(Conversion, TwoVariablesOfOneAccessAreBothBehindWhatTheSecondDependsOn) {
  Log log;
  log.add_block(0, 0, 0,
                {record(RawKind::kFork, 1), record(RawKind::kWrite, kMemory, 4),
                 record(RawKind::kWrite, kMemory + 4, 4)});
  log.add_block(1, 0, 3, {write(0), write(0)});
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "main write 0x700000000000\n"
            "main write 0x700000000004\n"
            "T1 write 0x700000000000\n"
            "T1 write 0x700000000004\n"
            "T1 write 0x700000000000\n"
            "T1 write 0x700000000000\n"
            "T1 write 0x700000000004\n");
}

// The number of a meeting is used again: who collects then has nothing to do with those before.
TEST(Conversion, MeetingsStartAnew) {
  const RawRecord number{static_cast<std::uint64_t>(RawKind::kOperand), 5};
  Log log;
  log.add_block(
      0, 0, 0,
      {record(RawKind::kFork, 1), number, record(RawKind::kFirstContribute, kMemory), number,
       record(RawKind::kFirstContribute, kMemory), number, record(RawKind::kContribute, kMemory)});
  log.add_block(1, 0, 10, {number, record(RawKind::kCollect, kMemory)});
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "main signal 0x700000000000\n"
            "main signal 0x700000000000 #2\n"
            "main signal 0x700000000000 #2\n"
            "T1 await 0x700000000000 #2\n");
}

// Freeing writes what another thread has touched, and nothing else.
TEST(Conversion, FreeingWritesWhatOthersTouched) {
  const RawRecord place{static_cast<std::uint64_t>(RawKind::kOperand), 7};
  Log log;
  log.add_block(0, 0, 0, {record(RawKind::kFork, 1), write(0), write(1)});
  log.add_block(1, 0, 10,
                {write(1), write(2), place, record(RawKind::kFree, kMemory, 0, 24), write(0)});
  EXPECT_EQ(log.converted(),
            "main fork T1\n"
            "main write 0x700000000000\n"
            "main write 0x700000000008\n"
            "T1 write 0x700000000008\n"
            "T1 write 0x700000000000\n"
            "T1 write 0x700000000008\n"
            "T1 write 0x700000000000\n");
}

TEST(Conversion, NamesInBlocksAreNumberedByKindAndOffset) {
  decode::BlockKind small{{std::nullopt, 64, ""}}, large{{std::nullopt, 4096, ""}};
  decode::NumberedNames numbered;
  support::Interner names;
  const auto add = [&](decode::BlockKind& kind, std::uint64_t offset) {
    numbered.add(names, kind, offset);
    return std::string(names.name(names.size() - 1));
  };
  EXPECT_EQ(add(small, 0), "offset 0 of a 64-byte allocation");
  EXPECT_EQ(add(small, 1), "offset 1 of a 64-byte allocation");
  EXPECT_EQ(add(small, 0), "offset 0 of a 64-byte allocation #2");
  EXPECT_EQ(add(large, 0), "offset 0 of a 4096-byte allocation");
  EXPECT_EQ(add(large, 64), "offset 64 of a 4096-byte allocation");
  EXPECT_EQ(add(large, 64), "offset 64 of a 4096-byte allocation #2");
  EXPECT_EQ(add(small, 0), "offset 0 of a 64-byte allocation #3");
}

// Names from a file that is another one now would be wrong.
TEST(Addresses, NamesComeFromTheFileThatWasRecorded) {
  const std::string self = "/proc/self/exe";
  const std::uint64_t time = wire::file_time(self.c_str());
  ASSERT_NE(time, 0u);
  const auto bias = static_cast<std::uint64_t>(getauxval(AT_PHDR)) & ~std::uint64_t{0xfff};
  const auto function = reinterpret_cast<std::uintptr_t>(&decode::looks_like_raw_log);
  for (const std::uint64_t modified : {time, time + 1}) {
    decode::Addresses addresses;
    addresses.add_module({bias, bias, bias + (std::uint64_t{1} << 32), modified}, self);
    const bool is_same = modified == time;
    EXPECT_EQ(addresses.function(function) != fmt::format("{:#x}", function), is_same);
    EXPECT_EQ(addresses.changed_files().size(), is_same ? 0u : 1u);
  }
}

}  // namespace
}  // namespace omnium::test
