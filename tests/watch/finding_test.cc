// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From the raw facts of a message to a trace that the engine confirms. Objects without symbols
// here: heap blocks give them names.
#include <memory>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "report/text.h"
#include "tests/watch/programs/fake_runtime.h"
#include "watch/live_finding.h"
#include "watch/message.h"

namespace omnium::watch {
namespace {

using fake::Report;
using wire::Entry;
using wire::Step;
using wire::StepKind;
using Kind = wire::EntryKind;

constexpr std::uint64_t kX = 0x10000, kY = 0x10040, kMutex = 0x10080;

constexpr CheckMode kData{Conflicts::kData, Waits::kKeep};

// A step between the first two threads, on an object of 8 bytes.
Step step(StepKind kind, std::uint64_t object, std::uint64_t from_time, std::uint64_t to_time,
          std::uint32_t from, std::uint32_t to) {
  return {object, from_time, to_time, 0, 0, from, to, kind, {}, {}, 8, 0};
}

// T1 runs the block `inc`, T2 the block `set`; 8-byte blocks at x and y.
struct Case : Report {
  Case() {
    thread(1, 0, "t1");
    thread(2, 0, "t2");
    inc = label("inc");
    set = label("set");
    heap = {{kX, 8, 0, 0, 0}, {kY, 16, 0, 0, 0}, {kMutex, 40, 0, 0, 0}};
    block(inc, true, 10, 0);
  }
  // Where the second thread was at its ends of the steps.
  void in_no_block() {
    for (Step& step : steps) (step.from_thread == 1 ? step.from_txn : step.to_txn) = wire::kNoTxn;
  }
  void in_block(std::uint32_t thread, std::uint32_t label, std::uint64_t begin) {
    txns = {{begin, 0, thread, label}};
    for (Step& step : steps) (step.from_thread == thread ? step.from_txn : step.to_txn) = 0;
  }
  std::uint32_t inc, set;
};

std::span<const std::byte> as_packet(const std::string& bytes) {
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

std::unique_ptr<LiveFinding> confirmed(const Report& report, bool increasing = true,
                                       CheckMode mode = kAsPublished) {
  fake::Runtime runtime;
  const auto message = read_message(as_packet(report.packet(runtime, 0, 0, increasing)));
  EXPECT_TRUE(message.has_value()) << message.error().message;
  if (!message) return nullptr;
  symbols::Binaries binaries;
  symbols::AddressSpace memory(binaries, {});
  return confirm(std::get<FindingMessage>(message->content), memory, "program", mode);
}

std::string text_of(const std::unique_ptr<LiveFinding>& finding) {
  if (finding == nullptr) return "not confirmed";
  support::StringSink out;
  report::render_text(finding->report, {100, false, report::TextPart::kFindings}, out);
  return out.text();
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Case lost_update() {
  Case it;
  it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
  it.entry(0, Kind::kRead, kX, 0, 10, 2, 8);
  it.entry(0, Kind::kWrite, kX, 0, 11, 5, 8);
  it.entry(1, Kind::kBegin, it.set, 0, 20, 3);
  it.entry(1, Kind::kWrite, kX, 0, 21, 4, 8);
  it.entry(1, Kind::kEnd, it.set, 0, 22, 0);
  it.steps = {step(StepKind::kReadWrite, kX, 10, 21, 0, 1),
              step(StepKind::kWriteWrite, kX, 21, 11, 1, 0)};
  return it;
}

TEST(Finding, LostUpdate) {
  const std::string text = text_of(confirmed(lost_update()));
  EXPECT_TRUE(says(text, "lost update on offset 0 of an 8-byte allocation")) << text;
  EXPECT_TRUE(says(text, "inc (t1) must come before set (t2)")) << text;
}

// An atomic update is one event, and a store another kind of write.
TEST(Finding, AtomicAccessesAreToldAsSuch) {
  Case it = lost_update();
  it.entries[1].kind = Kind::kAtomicRead;
  it.entries[2].kind = Kind::kAtomicWrite;
  it.entries[4].kind = Kind::kUpdate;
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "t1 atomically read offset 0")) << text;
  EXPECT_TRUE(says(text, "t2 atomically updated it")) << text;
  EXPECT_TRUE(says(text, "t1 atomically wrote it")) << text;
}

// What is left of an end whose entry was overwritten.
TEST(Finding, AForgottenUpdateIsOne) {
  Case it = lost_update();
  it.entries.resize(3);
  it.steps[0].to_access = it.steps[1].from_access = wire::Atomicity::kUpdate;
  it.in_no_block();
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "t2 atomically updated it")) << text;
}

// Where one step arrives and the next one leaves there is one access, not two.
TEST(Finding, AForgottenWriteIsOne) {
  Case it = lost_update();
  it.entries.resize(3);
  it.txns = {{19, 0, 1, it.set}};
  it.steps[0].to_txn = it.steps[1].from_txn = 0;
  const auto finding = confirmed(it);
  const std::string text = text_of(finding);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->report.causes.at(0).picture.rows.size(), 3u) << text;
}

TEST(Finding, AForgottenBeginIsStillTheBlocks) {
  Case it = lost_update();
  it.entries.erase(it.entries.begin());  // the begin of inc
  EXPECT_TRUE(says(text_of(confirmed(it)), "inc (t1) must come before set (t2)"));
  it.entries.erase(it.entries.begin() + 2);  // the begin of set, whose end is known
  EXPECT_TRUE(says(text_of(confirmed(it)), "inc (t1) must come before set (t2)"));
}

// The same access again, at the same time but in a block inside it, is not the one that was meant.
TEST(Finding, TheClosingEventIsNoneThatCameLater) {
  Case it = lost_update();
  const auto inner = it.label("inner");
  it.entries.insert(it.entries.begin() + 3, {{inner, 0, 11, 0, 0, Kind::kBegin, 0, 0},
                                             {kX, 0, 11, 0, 0, Kind::kWrite, 8, 0},
                                             {inner, 0, 11, 0, 0, Kind::kEnd, 0, 0}});
  it.closing_entry = 2;
  EXPECT_TRUE(says(text_of(confirmed(it)), "inc (t1) must come before set (t2)"));
  // Nor is one that came earlier.
  Case again = lost_update();
  again.entries.insert(again.entries.begin() + 1, {{inner, 0, 11, 0, 0, Kind::kBegin, 0, 0},
                                                   {kX, 0, 11, 0, 0, Kind::kWrite, 8, 0},
                                                   {inner, 0, 11, 0, 0, Kind::kEnd, 0, 0}});
  again.label("inner");
  again.closing_entry = 5;
  EXPECT_TRUE(says(text_of(confirmed(again)), "inc (t1) must come before set (t2)"));
}

// A block inside it that began after the first step is not to blame, though its begin is forgotten
// like everything before it.
TEST(Finding, ForgottenBeginsHaveTheirPlaceAmongTheSteps) {
  Case it;
  const auto inner = it.label("inner");
  it.block(inner, false, 12, 0);
  it.entry(0, Kind::kRead, kY, 0, 14, 5, 8);
  it.steps = {step(StepKind::kReadWrite, kX, 10, 21, 0, 1),
              step(StepKind::kWriteWrite, kX, 21, 15, 1, 0)};
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "inc  was not atomic")) << text;
}

TEST(Finding, WhatTheBlockDidNextIsPartOfThePicture) {
  Case it;
  const auto inner = it.label("inner");
  it.entry(0, Kind::kAcquire, kMutex, 0, 10, 1);
  it.entry(0, Kind::kRead, kX, 0, 10, 2, 8);
  it.entry(0, Kind::kRelease, kMutex, 0, 10, 3);
  it.entry(0, Kind::kBegin, inner, 0, 11, 6);
  it.entry(0, Kind::kAcquire, kMutex, 0, 12, 8);
  it.entry(0, Kind::kWrite, kX, 0, 12, 9, 8);
  it.entry(0, Kind::kEnd, inner, 0, 12, 10);
  it.entry(0, Kind::kEnd, it.inc, 0, 12, 11);
  it.entry(1, Kind::kAcquire, kMutex, 0, 20, 4);
  it.entry(1, Kind::kWrite, kX, 0, 20, 5, 8);
  it.entry(1, Kind::kRelease, kMutex, 0, 20, 7);
  it.block(inner, false, 11, 0);
  it.steps = {step(StepKind::kReleaseAcquire, kMutex, 10, 20, 0, 1),
              step(StepKind::kReleaseAcquire, kMutex, 20, 12, 1, 0)};
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "lost update on offset 0 of an 8-byte allocation")) << text;
  EXPECT_TRUE(says(text, "inc  was not atomic")) << text;
}

TEST(Finding, WithoutAnyHistoryTheWitnessIsLeft) {
  Case it = lost_update();
  it.entries.clear();
  std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "lost update")) << text;
  EXPECT_TRUE(says(text, "(unknown block) (t2)")) << text;
  it.in_no_block();
  text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "t2 (outside any block)")) << text;
  it.in_block(1, it.set, 20);
  text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "set (t2)")) << text;
}

// A history without any begin or end does not say whether its events are in a block.
TEST(Finding, AnEventIsInTheBlockThatTheRuntimeNames) {
  Case it = lost_update();
  std::erase_if(it.entries, [](const Entry& entry) { return entry.kind <= Kind::kEnd; });
  it.threads[1].txn = wire::kUnknownTxn;
  EXPECT_TRUE(says(text_of(confirmed(it)), "(unknown block) (t2)"));
  it.threads[1].txn = wire::kNoTxn;
  EXPECT_TRUE(says(text_of(confirmed(it)), "t2 (outside any block)"));
  it.txns = {{19, 0, 1, it.set}};
  it.threads[1].txn = 0;
  EXPECT_TRUE(says(text_of(confirmed(it)), "inc (t1) must come before set (t2)"));
}

TEST(Finding, StampsThatContradictTheStepsAreNotBelieved) {
  Case it = lost_update();
  it.entries[4].stamp = 1;  // the write in between, before everything
  it.entries[0].stamp = 2;
  it.entries[1].stamp = 3;
  EXPECT_TRUE(says(text_of(confirmed(it)), "lost update"));
}

TEST(Finding, OnlyOverlappingBytesConflict) {
  Case it = lost_update();
  for (Entry& entry : it.entries) entry.size = 4;
  for (Step& one : it.steps) one.size = 4;
  EXPECT_NE(confirmed(it), nullptr);
  // The other thread wrote the neighbour, too: that is not what the steps are about.
  it.entry(1, Kind::kWrite, kX + 4, 0, 23, 0, 4);
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "lost update on offset 0 of an 8-byte allocation")) << text;
}

TEST(Finding, AWideAccessConflictsWithItsParts) {
  Case it = lost_update();
  it.entries[4].object = kX + 4;
  it.entries[4].size = 2;
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "lost update on offset 4 of an 8-byte allocation")) << text;
}

TEST(Finding, TheInnermostRefutedBlockIsNamed) {
  Case it = lost_update();
  const auto outer = it.label("outer");
  it.blocks.insert(it.blocks.begin(), {outer, 1, 9, 0, 0});
  it.entries.insert(it.entries.begin(), {outer, 0, 9, 0, 0, Kind::kBegin, 0, 0});
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "inc  was not atomic")) << text;
  EXPECT_TRUE(says(text, "nor was the block around it: outer")) << text;
  // The program must not say that a block is refuted that is not.
  const auto quiet = it.label("quiet");
  it.blocks.push_back({quiet, 1, 11, 0, 0});
  it.entries.insert(it.entries.begin() + 3, {quiet, 0, 10, 0, 0, Kind::kBegin, 0, 0});
  EXPECT_EQ(confirmed(it), nullptr);
}

TEST(Finding, DataIsNamedRatherThanTheLocksAroundIt) {
  for (const bool shared : {false, true}) {
    Case it;
    const Kind lock = shared ? Kind::kReadAcquire : Kind::kAcquire;
    const Kind unlock = shared ? Kind::kReadRelease : Kind::kRelease;
    const Kind own_lock = shared ? Kind::kWriteAcquire : Kind::kAcquire;
    const Kind own_unlock = shared ? Kind::kWriteRelease : Kind::kRelease;
    it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
    it.entry(0, lock, kMutex, 0, 10, 2);
    it.entry(0, Kind::kRead, kX, 0, 10, 0, 8);
    it.entry(0, unlock, kMutex, 0, 10, 3);
    it.entry(0, lock, kMutex, 0, 11, 7);
    it.entry(0, Kind::kRead, kX, 0, 11, 0, 8);
    it.entry(1, own_lock, kMutex, 0, 20, 4);
    it.entry(1, Kind::kWrite, kX, 0, 20, 5, 8);
    it.entry(1, own_unlock, kMutex, 0, 20, 6);
    const StepKind there = shared ? StepKind::kReadWrite : StepKind::kReleaseAcquire;
    const StepKind back = shared ? StepKind::kWriteRead : StepKind::kReleaseAcquire;
    it.steps = {step(there, kMutex, 10, 20, 0, 1), step(back, kMutex, 20, 11, 1, 0)};
    const std::string text = text_of(confirmed(it));
    EXPECT_TRUE(says(text, "unrepeatable read on offset 0 of an 8-byte allocation")) << text;
  }
}

TEST(Finding, ALockThatWasTakenLongAgo) {
  Case it;
  it.entry(0, Kind::kRelease, kMutex, 0, 10, 3);
  it.entry(0, Kind::kAcquire, kMutex, 0, 11, 7);
  it.entry(1, Kind::kAcquire, kMutex, 0, 20, 4);
  it.entry(1, Kind::kRelease, kMutex, 0, 20, 6);
  it.steps = {step(StepKind::kReleaseAcquire, kMutex, 10, 20, 0, 1),
              step(StepKind::kReleaseAcquire, kMutex, 20, 11, 1, 0)};
  EXPECT_TRUE(says(text_of(confirmed(it)), "split critical section")) << text_of(confirmed(it));
}

// The program checks with --conflicts data: what it says of locks alone is not believed.
TEST(Finding, LocksAreNoConflictsIfTheProgramSaysSo) {
  EXPECT_NE(confirmed(lost_update(), true, kData), nullptr);
  for (const bool shared : {false, true}) {
    Case it;
    it.entry(0, shared ? Kind::kReadAcquire : Kind::kAcquire, kMutex, 0, 10, 2);
    it.entry(0, shared ? Kind::kReadRelease : Kind::kRelease, kMutex, 0, 10, 3);
    it.entry(0, shared ? Kind::kReadAcquire : Kind::kAcquire, kMutex, 0, 11, 7);
    it.entry(1, shared ? Kind::kWriteAcquire : Kind::kAcquire, kMutex, 0, 20, 4);
    it.entry(1, shared ? Kind::kWriteRelease : Kind::kRelease, kMutex, 0, 20, 6);
    const StepKind there = shared ? StepKind::kReadWrite : StepKind::kReleaseAcquire;
    const StepKind back = shared ? StepKind::kWriteRead : StepKind::kReleaseAcquire;
    it.steps = {step(there, kMutex, 10, 20, 0, 1), step(back, kMutex, 20, 11, 1, 0)};
    EXPECT_NE(confirmed(it), nullptr);
    EXPECT_EQ(confirmed(it, true, kData), nullptr);
  }
}

// The block reads x twice, each time in a critical section; the other writes it in one. The locks
// are there only to be shown.
Case repeated_read(Kind lock, Kind unlock, Kind own_lock, Kind own_unlock) {
  Case it;
  it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
  it.entry(0, lock, kMutex, 0x501, 10, 2);
  it.entry(0, Kind::kRead, kX, 0x502, 10, 0, 8);
  it.entry(0, unlock, kMutex, 0x503, 10, 3);
  it.entry(0, lock, kMutex, 0x503, 11, 7);
  it.entry(0, Kind::kRead, kX, 0x504, 11, 0, 8);
  it.entry(1, own_lock, kMutex, 0x601, 20, 4);
  it.entry(1, Kind::kWrite, kX, 0x602, 20, 5, 8);
  it.entry(1, own_unlock, kMutex, 0x603, 20, 6);
  it.steps = {step(StepKind::kReadWrite, kX, 10, 20, 0, 1),
              step(StepKind::kWriteRead, kX, 20, 11, 1, 0)};
  it.in_no_block();
  return it;
}

TEST(Finding, ReaderWriterLocksAreShownWithTheirSides) {
  const std::string text =
      text_of(confirmed(repeated_read(Kind::kReadAcquire, Kind::kReadRelease, Kind::kWriteAcquire,
                                      Kind::kWriteRelease),
                        true, kData));
  EXPECT_TRUE(says(text, "lock shared offset 0 of a 40-byte allocation")) << text;
  EXPECT_TRUE(says(text, "unlock shared offset 0")) << text;
  EXPECT_TRUE(says(text, "Every access held offset 0 of a 40-byte allocation")) << text;
}

TEST(Finding, SharedSidesDoNotKeepAnybodyOut) {
  const std::string text = text_of(confirmed(
      repeated_read(Kind::kReadAcquire, Kind::kReadRelease, Kind::kReadAcquire, Kind::kReadRelease),
      true, kData));
  EXPECT_TRUE(says(text, "lock shared")) << text;
  EXPECT_FALSE(says(text, "Every access held")) << text;
}

TEST(Finding, ReaderWriterLocksThatContradictThemselvesAreLeftOut) {
  Case it = repeated_read(Kind::kReadAcquire, Kind::kReadRelease, Kind::kWriteAcquire,
                          Kind::kWriteRelease);
  // The release is missing.
  std::erase_if(it.entries, [](const Entry& entry) { return entry.kind == Kind::kWriteRelease; });
  const std::string text = text_of(confirmed(it, true, kData));
  EXPECT_TRUE(says(text, "unrepeatable read")) << text;
  EXPECT_FALSE(says(text, "40-byte allocation")) << text;
}

// One call gives the mutex back and takes it again.
TEST(Finding, AWaitIsDrawnAsAWait) {
  const std::string text = text_of(confirmed(
      repeated_read(Kind::kAcquire, Kind::kRelease, Kind::kAcquire, Kind::kRelease), true, kData));
  EXPECT_TRUE(says(text, "wait with offset 0")) << text;
  EXPECT_TRUE(says(text, "resume with offset 0")) << text;
  EXPECT_FALSE(says(text, "Hint: hold")) << "whoever waits has to give the lock up";
}

TEST(Finding, TwoCallsAreNoWait) {
  Case it = repeated_read(Kind::kAcquire, Kind::kRelease, Kind::kAcquire, Kind::kRelease);
  for (Entry& entry : it.entries) entry.pc += entry.kind == Kind::kAcquire;
  const std::string text = text_of(confirmed(it, true, kData));
  EXPECT_TRUE(says(text, "unlock offset 0")) << text;
  EXPECT_FALSE(says(text, "wait with")) << text;
}

TEST(Finding, MeetingsForksAndJoinsAreSteps) {
  Case meeting;
  meeting.entry(0, Kind::kBegin, meeting.inc, 0, 10, 1);
  meeting.entry(0, Kind::kContribute, kY, 0, 10, 2);
  meeting.entry(0, Kind::kRead, kX, 0, 11, 5, 8);
  meeting.entry(1, Kind::kCollect, kY, 0, 20, 3);
  meeting.entry(1, Kind::kWrite, kX, 0, 20, 4, 8);
  meeting.steps = {step(StepKind::kMeeting, kY, 10, 20, 0, 1),
                   step(StepKind::kWriteRead, kX, 20, 11, 1, 0)};
  EXPECT_TRUE(says(text_of(confirmed(meeting)), "offset 0 of a 16-byte allocation"));

  Case family;
  family.entry(0, Kind::kBegin, family.inc, 0, 10, 1);
  family.entry(0, Kind::kFork, 2, 0, 10, 2);
  family.entry(0, Kind::kJoin, 2, 0, 11, 5);
  family.entry(1, Kind::kWrite, kX, 0, 20, 4, 8);
  family.steps = {step(StepKind::kFork, 0, 10, 20, 0, 1), step(StepKind::kJoin, 0, 20, 11, 1, 0)};
  EXPECT_TRUE(says(text_of(confirmed(family)), "fork and join"));
  family.entries.pop_back();
  EXPECT_TRUE(says(text_of(confirmed(family)), "fork and join")) << "whatever the thread did";
}

TEST(Finding, ACycleWithoutAViolatingTransaction) {
  Case it;
  it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
  it.entry(0, Kind::kWrite, kX, 0, 10, 3, 8);
  it.entry(0, Kind::kRead, kY, 0, 11, 5, 8);
  it.entry(1, Kind::kBegin, it.set, 0, 20, 2);
  it.entry(1, Kind::kWrite, kY, 0, 20, 4, 8);
  it.entry(1, Kind::kRead, kX, 0, 21, 6, 8);
  it.steps = {step(StepKind::kWriteRead, kY, 20, 11, 1, 0),
              step(StepKind::kWriteRead, kX, 10, 21, 0, 1)};
  EXPECT_TRUE(says(text_of(confirmed(it, false)), "cycle of 2 transactions"));
  EXPECT_EQ(confirmed(it, true), nullptr);
}

// The source is older than all that its thread remembers.
TEST(Finding, ACycleThatBeganLongAgo) {
  Case it;
  it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
  it.entry(0, Kind::kWrite, kY, 0, 10, 3, 8);
  it.entry(0, Kind::kWrite, kMutex, 0, 10, 5, 8);
  it.entry(0, Kind::kRead, kX, 0, 11, 6, 8);
  it.entry(1, Kind::kRead, kY, 0, 20, 4, 8);
  it.entry(1, Kind::kEnd, it.set, 0, 20, 0);
  it.steps = {step(StepKind::kWriteRead, kY, 10, 20, 0, 1),
              step(StepKind::kWriteRead, kX, 5, 11, 1, 0)};
  it.in_block(1, it.set, 4);
  const std::string text = text_of(confirmed(it, false));
  EXPECT_TRUE(says(text, "cycle of 2 transactions")) << text;
  EXPECT_TRUE(says(text, "set (t2) must come before inc (t1)")) << text;
  it.entries.clear();
  EXPECT_TRUE(says(text_of(confirmed(it, false)), "set (t2) must come before inc (t1)"));
}

// Around three threads, of which nothing is left but the steps.
TEST(Finding, ALongCycleWithoutAnyHistory) {
  Case it;
  const auto third = it.thread(3, 0, "t3");
  const auto get = it.label("get");
  it.steps = {step(StepKind::kWriteRead, kX, 10, 22, 0, 1),
              step(StepKind::kWriteRead, kY, 21, 32, 1, third),
              step(StepKind::kWriteRead, kMutex, 31, 12, third, 0)};
  it.txns = {{20, 0, 1, it.set}, {30, 0, third, get}};
  it.steps[0].to_txn = it.steps[1].from_txn = 0;
  it.steps[1].to_txn = it.steps[2].from_txn = 1;
  const std::string text = text_of(confirmed(it, false));
  EXPECT_TRUE(says(text, "cycle of 3 transactions")) << text;
  EXPECT_TRUE(says(text, "set (t2) must come before get (t3)")) << text;
}

// Steps are missing: what is left must not be taken for the whole.
TEST(Finding, AnIncompleteWitnessExplainsNothing) {
  Case it = lost_update();
  it.complete = false;
  EXPECT_EQ(confirmed(it), nullptr);
}

TEST(Finding, ObjectsOfOneNameAreToldApart) {
  Case it;
  it.heap[1] = {kY, 8, 0, 0, 0};
  it.entry(0, Kind::kBegin, it.inc, 0, 10, 1);
  it.entry(0, Kind::kRead, kX, 0, 10, 2, 8);
  it.entry(0, Kind::kRead, kY, 0, 11, 5, 8);
  it.entry(1, Kind::kWrite, kX, 0, 20, 3, 8);
  it.entry(1, Kind::kWrite, kY, 0, 20, 4, 8);
  it.steps = {step(StepKind::kReadWrite, kX, 10, 20, 0, 1),
              step(StepKind::kWriteRead, kY, 20, 11, 1, 0)};
  const std::string text = text_of(confirmed(it));
  EXPECT_TRUE(says(text, "an 8-byte allocation and offset 0 of an 8-byte allocation #2")) << text;
}

TEST(Message, CutAnywhereItIsAnError) {
  fake::Runtime runtime;
  const std::string packet = lost_update().packet(runtime, 0, 0);
  ASSERT_TRUE(read_message(as_packet(packet)));
  for (std::size_t size = 0; size < packet.size(); ++size) {
    EXPECT_FALSE(read_message(as_packet(packet.substr(0, size)))) << size;
  }
  EXPECT_FALSE(read_message(as_packet(packet + '\0')));
}

TEST(Message, AnythingInItIsAnErrorOrHarmless) {
  fake::Runtime runtime;
  Case it = lost_update();
  it.in_block(1, it.set, 20);
  const std::string packet = it.packet(runtime, 0, 0);
  symbols::Binaries binaries;
  symbols::AddressSpace memory(binaries, {});
  std::mt19937 random(7);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = packet;
    for (auto n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] =
          static_cast<char>(random() % 3 == 0 ? random() : random() % 4);
    }
    const auto message = read_message(as_packet(bytes));
    if (!message) continue;
    ++read;
    if (const auto* finding = std::get_if<FindingMessage>(&message->content)) {
      confirm(*finding, memory, "program", kAsPublished);
      EXPECT_NE(unexplained(*finding, memory, "program", kAsPublished), nullptr);
    }
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace omnium::watch
