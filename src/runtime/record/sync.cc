// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Locks, meetings and blocks.
#include <algorithm>
#include <cstring>

#include "runtime/record/order.h"
#include "runtime/record/record.h"

namespace omnium::runtime::record {

namespace {

// The word of a meeting is clock << 28 | number. The clock is that of the last contribution or
// collection. The next one is later, so a collection includes exactly the contributions before it.
constexpr std::uint64_t kMeetingNumbers = std::uint64_t{1} << kClockShift;
constexpr std::uint64_t meeting_word(std::uint64_t clock, std::uint64_t number) {
  return clock << kClockShift | number;
}

std::atomic<std::uint64_t> next_meeting{0};

// The addresses of the labels whose text is in the log already.
constexpr std::size_t kLabels = 1 << 14;
std::atomic<const char*> known_labels[kLabels];

// Where the label is or may be put; null if there is no room.
std::atomic<const char*>* place_of_label(const char* label) {
  const auto hash = reinterpret_cast<std::uintptr_t>(label) * 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < 64; ++i) {
    std::atomic<const char*>& place = known_labels[((hash >> 40) + i) % kLabels];
    const char* known = place.load(std::memory_order_acquire);
    if (known == nullptr || known == label) return &place;
  }
  return nullptr;
}

// The label is known as soon as its text is in the log, and not before: whoever reads the log while
// it is written needs the text when another thread uses the label. A text may be there twice.
void append_label(ThreadLog& log, const char* label) {
  std::atomic<const char*>* const place = place_of_label(label);
  if (place != nullptr && place->load(std::memory_order_acquire) == label) return;
  append_text(log, wire::RawKind::kLabel, reinterpret_cast<std::uintptr_t>(label), label,
              std::strlen(label));
  const char* none = nullptr;
  if (place != nullptr) place->compare_exchange_strong(none, label);
}

// A block that may turn out to be the body of its thread may be none: what is directly inside of it
// begins as if it was not.
void enter_block(ThreadLog& log) {
  log.depth++ <= log.least_depth ? begin_part(log) : advance(log);
  if (++log.begun == log.body_call && log.depth == 1) log.least_depth = 1;
}

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

void forget_labels() {
  for (auto& label : known_labels) label.store(nullptr, std::memory_order_relaxed);
}

void sync(ThreadLog& log, wire::RawKind kind, const void* object, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const bool reads = kind == wire::RawKind::kSharedAcquire ||
                     kind == wire::RawKind::kSharedRelease || kind == wire::RawKind::kBusy ||
                     kind == wire::RawKind::kTry;
  catch_up(log);
  if (kind == wire::RawKind::kResume) begin_part(log);
  touch(log, cell_at(address), 1u << address % 8, !reads);
  append(log, kind, address, pc);
  answer_reader();
}

void contribute(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc) {
  std::atomic_ref<std::uint64_t> word(meeting.word);
  std::uint64_t old = word.load(std::memory_order_acquire);
  std::uint64_t fresh = 0;
  catch_up(log);
  if (meeting.kind == wire::RawMeeting::kAwaited) begin_placed(log);
  do {
    if (old == 0 && fresh == 0) fresh = next_meeting.fetch_add(1) % (kMeetingNumbers - 1) + 1;
    set_clock(log, std::max(log.clock, clock_of(old) + 1));
  } while (!word.compare_exchange_weak(
      old, meeting_word(log.clock, old == 0 ? fresh : old % kMeetingNumbers)));
  append_operand(log, old == 0 ? fresh : old % kMeetingNumbers);
  append(log, old == 0 ? wire::RawKind::kFirstContribute : wire::RawKind::kContribute,
         number_of(object), pc, static_cast<std::uint32_t>(meeting.kind));
  if (meeting.kind == wire::RawMeeting::kAwaited) end_placed(log);
}

void collect(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc) {
  catch_up(log);
  std::atomic_ref<std::uint64_t> word(meeting.word);
  std::uint64_t old = word.load(std::memory_order_acquire);
  do {
    if (old == 0) return;  // nobody contributed
    set_clock(log, std::max(log.clock, clock_of(old)));
    begin_part(log);
  } while (!word.compare_exchange_weak(old, meeting_word(log.clock, old % kMeetingNumbers)));
  append_operand(log, old % kMeetingNumbers);
  append(log, wire::RawKind::kCollect, number_of(object), pc,
         static_cast<std::uint32_t>(meeting.kind));
}

void follow(ThreadLog& log, MeetingWord meeting, const void* object, Pc pc) {
  catch_up(log);
  const std::uint64_t word = std::atomic_ref(meeting.word).load(std::memory_order_acquire);
  if (word == 0) return;  // nobody contributed
  set_clock(log, std::max(log.clock, clock_of(word)));
  begin_part(log);
  append_operand(log, word % kMeetingNumbers);
  append(log, wire::RawKind::kCollect, number_of(object), pc,
         static_cast<std::uint32_t>(meeting.kind));
}

void begin(ThreadLog& log, const char* label, Pc pc) {
  catch_up(log);
  append_label(log, label);
  enter_block(log);
  append(log, wire::RawKind::kBegin, number_of(label), pc);
}

void begin_function(ThreadLog& log, Pc function, Pc pc) {
  catch_up(log);
  enter_block(log);
  append(log, wire::RawKind::kBeginFunction, function, pc);
}

void end(ThreadLog& log, Pc pc) {
  catch_up(log);
  append(log, wire::RawKind::kEnd, 0, pc);
  if (--log.depth <= log.least_depth) advance(log);
  if (log.depth == 0) log.least_depth = 0;
  answer_reader();
}

}  // namespace omnium::runtime::record
