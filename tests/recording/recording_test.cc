// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Real threads record themselves; the recording must be the run that they had.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "decode/source.h"
#include "engines/checker.h"
#include "event/for_check.h"
#include "predict/predict.h"
#include "runtime/record/record.h"
#include "tests/recording/instrumented.h"
#include "tests/recording/recorded_program.h"
#include "tests/support/environment.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;
using wire::RawKeeps;
using wire::RawKind;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() : raw_(fs::temp_directory_path() / fmt::format("omnium-raw-{}", getpid())) {
    fs::remove(raw_);
  }
  ~RecordingTest() override { fs::remove(raw_); }

  std::unique_ptr<EventSource> source() {
    auto input = trace::open_input(raw_);
    EXPECT_TRUE(input) << input.error().to_string();
    auto source = decode::read_raw_log(std::move(*input));
    EXPECT_TRUE(source) << source.error().to_string();
    (*source)->want_locations(true);
    return std::move(*source);
  }

  std::string raw_;
};

std::vector<Event> all_events(EventSource& source) {
  std::vector<Event> events, batch(100);
  for (;;) {
    const auto count = source.read(batch);
    EXPECT_TRUE(count) << count.error().to_string();
    if (!count || *count == 0) return events;
    events.insert(events.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(*count));
  }
}

// A block or a part of one begins at such an event. All of them are in every recording, so the n-th
// of a thread names the block or the part.
bool may_begin_part(Kind kind) {
  return kind == Kind::kBegin || kind == Kind::kResume || kind == Kind::kAwait ||
         kind == Kind::kRetry || kind == Kind::kJoin;
}

constexpr CheckMode kModes[] = {kAsPublished,
                                {Conflicts::kData, Waits::kSplit},
                                {Conflicts::kData, Waits::kKeep},
                                {Conflicts::kAll, Waits::kSplit}};

struct Verdict {
  bool serializable;
  std::set<std::pair<std::string, std::size_t>> violating, refuted;

  std::string text() const {
    std::string out = serializable ? "serializable" : "not serializable";
    for (const auto& [thread, count] : violating) out += fmt::format(" {}.{}", thread, count);
    out += "; refuted";
    for (const auto& [thread, count] : refuted) out += fmt::format(" {}.{}", thread, count);
    return out;
  }
};

Verdict verdict_of(EventSource& source, const std::vector<Event>& events, CheckMode mode) {
  EXPECT_TRUE(source.seek(0));
  std::map<EventIndex, std::pair<std::string, std::size_t>> begins;
  std::map<std::uint32_t, std::size_t> counts;
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (!may_begin_part(events[i].kind)) continue;
    begins[i] = {std::string(source.names().threads.name(events[i].thread_id)),
                 counts[events[i].thread_id]++};
  }
  CheckOptions options;
  options.mode = mode;
  const auto outcome = check_trace(source, *find_engine("reach"), options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  if (!outcome) return {};
  Verdict verdict{outcome->serializable, {}, {}};
  for (const Violation& one : outcome->violations) {
    verdict.violating.insert(begins.at(one.transaction.begin));
  }
  for (const BlockRef& block : outcome->refuted) verdict.refuted.insert(begins.at(block.begin));
  return verdict;
}

std::string as_text(const std::vector<Event>& events, const Names& names) {
  std::string out;
  for (const Event& event : events) {
    const bool placed = event.loc_id != LocId::kNoneValue;
    out += fmt::format("{} {} {} {}\n", names.threads.name(event.thread_id), std_word(event.kind),
                       event.object, placed ? names.locations.name(event.loc_id) : "");
  }
  return out;
}

std::uint64_t stamp_of(const Event& event, const Names& names,
                       const std::vector<std::vector<Operation>>& operations) {
  const std::string location(names.locations.name(event.loc_id));
  const std::uint64_t place = std::stoull(location, nullptr, 16);
  return operations.at((place >> 20) - 1).at(place & 0xfffff).stamp;
}

// Events in conflict have the order of their numbers.
void expect_true_order(const std::vector<Event>& events, const Names& names,
                       const std::vector<std::vector<Operation>>& operations) {
  struct Latest {
    std::uint64_t write = 0, any = 0;
  };
  std::map<std::pair<bool, std::uint32_t>, Latest> objects;  // locks and variables
  std::map<std::uint32_t, std::uint64_t> threads;
  for (const Event& event : events) {
    if (event.loc_id == LocId::kNoneValue) continue;  // the end of a thread
    const std::uint64_t stamp = stamp_of(event, names, operations) + 1;
    ASSERT_GE(stamp, threads[event.thread_id]);
    threads[event.thread_id] = stamp;
    const bool locks = takes_lock(event.kind) || gives_lock_back(event.kind);
    if (!locks && !is_access(event.kind)) continue;
    const bool writes = locks ? !is_shared_side(event.kind) : is_write(event.kind);
    Latest& latest = objects[{locks, event.object}];
    ASSERT_GE(stamp, writes ? latest.any : latest.write) << as_text({event}, names);
    latest.any = std::max(latest.any, stamp);
    if (writes) latest.write = stamp;
  }
}

// Recordings of random programs, compared with what they did: same order, same verdicts.
class RandomPrograms : public RecordingTest {
 protected:
  // Returns the verdict.
  std::string compare_script(std::uint32_t threads, const char* script) {
    for (const RawKeeps keeps : {RawKeeps::kShared, RawKeeps::kForCheck}) {
      ProgramShape shape{1, threads, 1, 0, 1, true, true, script};
      shape.keeps = keeps;
      compare(shape);
    }
    return verdict_;
  }

  void compare(const ProgramShape& shape) {
    SCOPED_TRACE(fmt::format("OMNIUM_SEED={} OMNIUM_PROGRAMS=1", shape.seed));
    fs::remove(raw_);
    RecordedProgram program(shape);
    ASSERT_EQ(program.wait(program.start(raw_)), 0);
    const auto operations = program.operations();
    const auto recorded = source();
    const std::vector<Event> events = all_events(*recorded);
    const bool marked = recorded->names().signals.size() != 0 &&
                        recorded->names().signals.name(0) == kForCheckSignal;
    EXPECT_EQ(marked, shape.keeps == RawKeeps::kForCheck);
    EXPECT_EQ(recorded->warnings(), std::vector<std::string>{});
    if (!shape.one_place) expect_true_order(events, recorded->names(), operations);
    ASSERT_TRUE(recorded->seek(0));
    EXPECT_EQ(all_events(*recorded), events);

    const Trace truth = true_trace(operations);
    MemorySource true_source(truth);
    for (const CheckMode mode : kModes) {
      // Of real threads, the true number of a signal does not tell which blocks began before it.
      if (mode.waits == Waits::kSplit && !shape.scheduled) continue;
      const Verdict verdict = verdict_of(*recorded, events, mode);
      const Verdict true_verdict = verdict_of(true_source, truth.events, mode);
      ASSERT_EQ(verdict.text(), true_verdict.text())
          << to_string(mode.conflicts) << " " << to_string(mode.waits) << "\nrecorded:\n"
          << as_text(events, recorded->names()) << "true:\n"
          << to_std(truth);
      if (mode == kAsPublished) verdict_ = verdict.text();
      violations_ += verdict.violating.size();
      serializable_ += verdict.serializable;
    }
    accesses_ = static_cast<std::size_t>(
        std::ranges::count_if(events, [](const Event& event) { return is_access(event.kind); }));
    dropped_ += truth.events.size() > events.size();
  }

  std::size_t accesses() const { return accesses_; }  // in the last recording

  // `shape_of(seed)` for as many seeds as are asked for.
  template <class ShapeOf>
  void compare_all(std::uint64_t otherwise, ShapeOf shape_of) {
    const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
    const std::uint64_t count = number_from_environment("OMNIUM_PROGRAMS", otherwise);
    for (std::uint64_t seed = first; seed < first + count && !HasFatalFailure(); ++seed) {
      compare(shape_of(seed));
    }
    if (count < 10) return;
    EXPECT_GT(violations_, count);
    EXPECT_GT(serializable_, 0u);
    EXPECT_GT(dropped_, 0u);
  }

 private:
  std::string verdict_;
  std::size_t accesses_ = 0;
  std::size_t violations_ = 0, serializable_ = 0, dropped_ = 0;
};

TEST_F(RandomPrograms, OfRealThreads) {
  compare_all(100, [](std::uint64_t seed) {
    const auto of = [&](std::uint64_t count) { return static_cast<std::uint32_t>(seed % count); };
    ProgramShape shape{seed, 1 + of(12), 1 + of(3), 2 + of(7) * of(17), 1 + of(5), false};
    if (of(3) == 0) shape.keeps = RawKeeps::kForCheck;
    return shape;
  });
}

TEST_F(RandomPrograms, InAnOrderThatTheSeedDecides) {
  compare_all(1000, [](std::uint64_t seed) {
    const auto of = [&](std::uint64_t count) { return static_cast<std::uint32_t>(seed % count); };
    ProgramShape shape{seed, 1 + of(11), 1 + of(3), 10 + 4 * of(29), 1 + of(4), true, of(2) == 0};
    if (of(3) == 0) shape.keeps = RawKeeps::kForCheck;
    return shape;
  });
}

// Much memory for few accesses: of most of it forks and joins decide the order.
TEST_F(RandomPrograms, WithMemoryThatIsHandedOver) {
  compare_all(500, [](std::uint64_t seed) {
    const auto of = [&](std::uint64_t count) { return static_cast<std::uint32_t>(seed % count); };
    ProgramShape shape{seed, 1 + of(7), 3, 60 + 8 * of(29), 1 + of(3), true, of(2) == 0};
    shape.bytes = 24 + 8 * of(60);
    if (of(3) == 0) shape.keeps = RawKeeps::kForCheck;
    return shape;
  });
}

// Both words of a cell are compared with one, and a half has one of them for itself: that all was
// read does not make a write quick.
TEST_F(RandomPrograms, WhatWasReadIsNotWritten) {
  for (const char* what : {"4 4", "0 4", "0 8"}) {
    const auto script =
        fmt::format("1 begin 1 read 0 8 1 write {0} 2 read {0} 2 write 8 8 1 read 8 8 1 end", what);
    EXPECT_EQ(compare_script(2, script.c_str()), "not serializable T1.0; refuted T1.0") << what;
  }
}

// What 1 wrote before it was joined needs no variable.
TEST_F(RandomPrograms, MemoryThatAJoinHandsOverHasNoEvents) {
  EXPECT_EQ(compare_script(1, "1 write 0 8 1 write 8 8 1 finish 0 join 0 read 0 8 0 write 8 8"),
            "serializable; refuted");
  EXPECT_EQ(accesses(), 0u);
}

// Inside of a block such a read can be a part of a finding.
TEST_F(RandomPrograms, MemoryThatAJoinInABlockHandsOverHasEvents) {
  EXPECT_EQ(compare_script(1, "1 write 0 8 0 begin 1 finish 0 join 0 read 0 8 0 end"),
            "serializable; refuted");
  EXPECT_EQ(accesses(), 2u);
}

// 1 wrote byte 4; that 2 forgets byte 0 of the same cell does not hide it from 3, whose second
// write of byte 8 is behind it.
TEST_F(RandomPrograms, ForgettingSomeBytesHidesNoWriterOfOthers) {
  EXPECT_EQ(compare_script(3,
                           "3 begin 3 end 3 begin 3 end 3 begin 3 end "
                           "1 begin 1 write 4 1 2 forget 0 1 "
                           "3 write 8 1 3 read 4 1 3 write 8 1 1 read 8 1 1 end"),
            "not serializable T1.0; refuted T1.0");
}

// Nobody used bytes 8 to 15 before they were forgotten, at a clock that 3 knows nothing of.
TEST_F(RandomPrograms, ForgettingUnusedBytesHidesNoLaterReader) {
  EXPECT_EQ(compare_script(3,
                           "1 begin 1 end 1 begin 1 end 1 begin 1 end 1 write 0 8 2 forget 0 16 "
                           "3 begin 3 read 8 8 2 write 8 8 3 read 8 8 3 end"),
            "not serializable T3.0; refuted T3.0");
}

// A write of two variables depends on who read the second, also where the writer read it last.
TEST_F(RandomPrograms, AllPiecesOfAnAccessAreBehindWhatOneOfThemDependsOn) {
  EXPECT_EQ(compare_script(2,
                           "1 begin 1 read 4 4 2 read 4 4 2 read 0 4 2 write 0 8 "
                           "1 read 0 4 1 end"),
            "not serializable T1.0; refuted T1.0");
}

// The fourth of four writes with the same step between them is only counted.
TEST_F(RandomPrograms, RepeatedAccessesAreAllThere) {
  EXPECT_EQ(compare_script(2,
                           "1 begin 1 write 8 1 2 read 8 1 2 write 0 1 2 write 2 1 2 write 4 1 "
                           "2 write 6 1 1 read 6 1 1 end"),
            "not serializable T1.0; refuted T1.0");
}

// What a method says of each transaction that it suspects, by the n-th block of its thread.
std::string prediction_of(EventSource& source, predict::Method method,
                          predict::Atomicity atomicity) {
  EXPECT_TRUE(source.seek(0));
  const auto trace = predict::load_trace(source, nullptr);
  EXPECT_TRUE(trace) << trace.error().to_string();
  std::map<EventIndex, std::string> parts;
  std::map<std::uint32_t, std::size_t> counts;
  for (EventIndex i = 0; i < trace->events.size(); ++i) {
    const Event& event = trace->events[i];
    if (!may_begin_part(event.kind)) continue;
    parts[i] = fmt::format("{}.{}", source.names().threads.name(event.thread_id),
                           counts[event.thread_id]++);
  }
  predict::PredictOptions options;
  options.methods = {method};
  options.atomicity = atomicity;
  const auto prediction = predict::predict(*trace, options);
  std::set<std::string> lines;
  for (const predict::Warning& warning : prediction.methods[0].warnings) {
    const bool certain = warning.grade == predict::Grade::kCertain;
    lines.insert(parts[warning.transaction.begin] + (certain ? " certain" : " possible"));
  }
  return fmt::format("{} {}", prediction.methods[0].recorded, fmt::join(lines, ", "));
}

// What a recording leaves out changes no prediction. The programs are small, so that every search
// is complete.
TEST_F(RecordingTest, PredictsWhatTheCompleteOnePredicts) {
  std::size_t warned = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::vector<std::string> said[2];
    for (const RawKeeps keeps : {RawKeeps::kShared, RawKeeps::kEverything}) {
      fs::remove(raw_);
      ProgramShape shape{seed, 2, 1, 12, 2, true};
      shape.keeps = keeps;
      RecordedProgram program(shape);
      ASSERT_EQ(program.wait(program.start(raw_)), 0);
      const auto recorded = source();
      for (const predict::Method method : predict::kAllMethods) {
        for (const auto atomicity : {predict::Atomicity::kConflict, predict::Atomicity::kView}) {
          auto text = prediction_of(*recorded, method, atomicity);
          warned += text.find("possible") != std::string::npos;
          said[keeps == RawKeeps::kEverything].push_back(std::move(text));
        }
      }
    }
    ASSERT_EQ(said[0], said[1]) << "seed " << seed;
  }
  EXPECT_GT(warned, 10u);
}

TEST_F(RecordingTest, HundredsOfThreads) {
  RecordedProgram program({7, 500, 2, 6, 4});
  ASSERT_EQ(program.wait(program.start(raw_)), 0);
  const auto recorded = source();
  const std::vector<Event> events = all_events(*recorded);
  EXPECT_EQ(recorded->names().threads.size(), 1001u);
  EXPECT_EQ(recorded->warnings(), std::vector<std::string>{});
  expect_true_order(events, recorded->names(), program.operations());
}

// Texts lie in one block each: what does not fit into the rest of one starts the next.
TEST_F(RecordingTest, TextsOfAllLengthsAtTheEndsOfBlocks) {
  static std::vector<std::string> labels;
  labels.clear();
  for (std::size_t i = 0; i < 3'000; ++i) {
    labels.push_back(fmt::format("{} {}", i, std::string(i % 400, 'x')));
  }
  const pid_t process = ::fork();
  if (process == 0) {
    using namespace runtime;
    if (!record::start(raw_.c_str(), 0, RawKeeps::kShared)) _exit(3);
    record::ThreadLog& log = record::new_thread(0, nullptr, 0, 0);
    for (const std::string& label : labels) {
      record::begin(log, label.c_str(), 1);
      record::end(log, 2);
    }
    record::thread_ended(log);
    record::finish();
    _exit(0);
  }
  ASSERT_EQ(wait_for(process, "a program of many labels"), 0);
  const auto recorded = source();
  const std::vector<Event> events = all_events(*recorded);
  EXPECT_EQ(recorded->warnings(), std::vector<std::string>{});
  ASSERT_EQ(events.size(), 2 * labels.size() + 1);  // and the end of the thread
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ASSERT_EQ(recorded->names().labels.name(events[2 * i].object), labels[i]);
  }
}

struct LoopAccess {
  std::uint64_t address;
  std::uint32_t size;
  bool write;
  std::uint64_t place;
};

// Loops of a program: bodies of up to 40 accesses, which go on by any number of bytes, for up to a
// thousand rounds. Some end in the middle of a round, and some have an access that strays.
template <class Visit>
void run_loops(std::uint64_t seed, std::uint64_t memory, Visit visit) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  for (int loop = 0; loop < 40; ++loop) {
    struct Step {
      LoopAccess access;
      std::uint64_t stride;
    };
    std::vector<Step> body(1 + below(loop % 4 == 0 ? 40 : 6));
    for (std::size_t i = 0; i < body.size(); ++i) {
      const std::uint32_t size = below(4) == 0 ? 4 : 8;  // each in a half of the memory
      const std::uint64_t start = memory + (size == 4 ? 1 << 22 : 1 << 21) + 8 * below(1000);
      body[i] = {{start, size, below(2) == 0, 0x1000 + i * 8 + 512 * (loop % 3)},
                 (below(40) - 20) * 8 * (below(3) == 0 ? 0 : 1)};
    }
    const std::uint64_t accesses = below(loop % 2 == 0 ? 30 : 6000);
    const std::uint64_t strays = below(2) == 0 ? below(6000) : ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < accesses; ++i) {
      Step& step = body[i % body.size()];
      LoopAccess access = step.access;
      if (i == strays) access.address += 64;
      visit(access);
      step.access.address += step.stride;
    }
  }
}

// In a complete recording loops are counted, and still each access is where it was.
TEST_F(RecordingTest, LoopsKeepTheirOrder) {
  constexpr std::uint64_t kMemory = 0x6000'0000'0000;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    fs::remove(raw_);
    const pid_t process = ::fork();
    if (process == 0) {
      using namespace runtime;
      if (!record::start(raw_.c_str(), 0, RawKeeps::kEverything)) _exit(3);
      record::ThreadLog& log = record::new_thread(0, nullptr, 0, 0);
      run_loops(seed, kMemory, [&](const LoopAccess& it) {
        access_as_instrumented(log, kNothingIsQuick, reinterpret_cast<void*>(it.address), it.size,
                               it.write, true, it.place);
      });
      record::thread_ended(log);
      record::finish();
      _exit(0);
    }
    ASSERT_EQ(wait_for(process, "a program of many loops"), 0);
    const auto recorded = source();
    const std::vector<Event> events = all_events(*recorded);
    std::size_t at = 0;
    run_loops(seed, kMemory, [&](const LoopAccess& it) {
      if (at >= events.size()) return;
      const Event& event = events[at++];
      const auto name = recorded->names().variables.name(event.object);
      EXPECT_EQ(event.kind, it.write ? Kind::kWrite : Kind::kRead);
      EXPECT_EQ(name, fmt::format("{:#x}", it.address));
    });
    ASSERT_EQ(at + 1, events.size()) << "seed " << seed;  // and the end of the thread
    EXPECT_LT(fs::file_size(raw_), at * sizeof(wire::RawRecord));
  }
}

std::map<std::string, std::size_t> acquires(const std::vector<Event>& events, const Names& names) {
  std::map<std::string, std::size_t> counts;
  for (const Event& event : events) {
    if (event.kind == Kind::kAcquire) ++counts[std::string(names.threads.name(event.thread_id))];
  }
  return counts;
}

// Nothing is lost but what a thread was doing at that very moment.
TEST_F(RecordingTest, SurvivesAKill) {
  std::size_t killed = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    fs::remove(raw_);
    RecordedProgram program({seed, 3, 2, 3000, 3});
    const pid_t process = program.start(raw_);
    while (program.operations()[0].empty()) usleep(200);  // on a busy machine the start takes long
    usleep(static_cast<useconds_t>(seed * 3'000));
    kill(process, SIGKILL);
    killed += program.wait(process) != 0;
    const auto operations = program.operations();
    const auto recorded = source();
    const std::vector<Event> events = all_events(*recorded);
    EXPECT_EQ(recorded->warnings(), std::vector<std::string>{});
    expect_true_order(events, recorded->names(), operations);
    auto counts = acquires(events, recorded->names());
    for (std::size_t thread = 0; thread < operations.size(); ++thread) {
      const auto name = thread == 0 ? "main" : fmt::format("T{}", thread);
      const auto noted =
          std::ranges::count(operations[thread], RawKind::kAcquire, &Operation::kind);
      EXPECT_GE(counts[name] + 1, static_cast<std::size_t>(noted)) << name;
    }
  }
  EXPECT_GT(killed, 0u);
}

// The file may not grow any more: the program goes on, the recording is a beginning of its run.
TEST_F(RecordingTest, SurvivesAFullDisk) {
  for (const rlim_t pieces : {6, 7, 8, 9}) {
    SCOPED_TRACE(pieces);
    fs::remove(raw_);
    RecordedProgram program({pieces, 3, 2, 2500, 3});
    program.limit_file_size(pieces * wire::kRawPieceBytes);
    testing::internal::CaptureStderr();
    ASSERT_EQ(program.wait(program.start(raw_)), 0);
    const std::string message = testing::internal::GetCapturedStderr();
    EXPECT_EQ(
        message,
        "omnium: recording stopped; what was recorded so far is usable, the program continues: "
        "File too large\n");
    const auto recorded = source();
    const std::vector<Event> events = all_events(*recorded);
    ASSERT_EQ(recorded->warnings().size(), 1u);
    EXPECT_NE(recorded->warnings()[0].find("the recording stopped before the program ended"),
              std::string::npos);
    EXPECT_GT(events.size(), 1000u);
    expect_true_order(events, recorded->names(), program.operations());
  }
}

// The block is full after the clock of an event, and cannot be written: nothing is written past it.
TEST_F(RecordingTest, SurvivesAFullDiskBeforeAnEvent) {
  for (const int events_before : {0, 1}) {
    fs::remove(raw_);
    testing::internal::CaptureStderr();
    const pid_t process = ::fork();
    if (process == 0) {
      using namespace runtime;
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{2 * wire::kRawPieceBytes, RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &limit);
      if (!record::start(raw_.c_str(), 0, RawKeeps::kShared)) _exit(3);
      record::ThreadLog& log = record::new_thread(0, nullptr, 0, 0);
      for (int i = 0; i < events_before; ++i) record::append(log, RawKind::kEnd, 0, 0);
      for (std::uint32_t i = 0; i < wire::kRawRecordsPerBlock; ++i) {
        record::set_clock(log, log.clock + 100'000);
        record::append(log, RawKind::kEnd, 0, 0);
        if (log.count > wire::kRawRecordsPerBlock) _exit(4);
      }
      _exit(0);
    }
    EXPECT_EQ(wait_for(process, "a program whose disk is full"), 0);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("recording stopped"), std::string::npos);
  }
}

}  // namespace
}  // namespace omnium::test
