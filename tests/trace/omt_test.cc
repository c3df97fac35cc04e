// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/omt.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_bytes.h"
#include "trace/omt_column.h"
#include "trace/omt_layout.h"

namespace omnium::test {
namespace {

using namespace trace::omt;

constexpr std::string_view kSmall =
    "main|fork(T1)|bank.c:10\nT1|begin(deposit)|bank.c:3\nT1|acq(m)|bank.c:4\nT1|r(balance)|bank.c:"
    "5\n"
    "T1|rel(m)|bank.c:6|inlined\nmain|w(balance)|\nT1|end(deposit)|bank.c:9\nT1|begin|x\nT1|end|x\n"
    "main|join(T1)|bank.c:12\n";

std::string small_omt() {
  return converted(std::string(kSmall), TraceFormat::kStd, TraceFormat::kOmt).value();
}

std::string std_of(std::string omt) {
  const auto text = converted(std::move(omt), TraceFormat::kOmt, TraceFormat::kStd);
  return text ? *text : text.error().to_string();
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// A trace of several chunks, with columns of every encoding.
std::string large_std(int events) {
  std::string text;
  std::uint32_t dice = 1;
  for (int i = 0; i < events; ++i) {
    dice = dice * 1664525 + 1013904223;
    text += fmt::format("T{}|{}(x{})|f.c:{}\n", dice >> 29, dice >> 27 & 1 ? "r" : "w",
                        i < events / 2 ? 0 : dice >> 12 & 0xfff, i / 1000);
  }
  return text;
}

TEST(Omt, RoundTripsAreByteIdentical) {
  EXPECT_EQ(std_of(small_omt()), kSmall);
  const std::string large = large_std(200'000);
  const std::string omt = converted(large, TraceFormat::kStd, TraceFormat::kOmt).value();
  EXPECT_TRUE(std_of(omt) == large);
  EXPECT_TRUE(converted(omt, TraceFormat::kOmt, TraceFormat::kOmt).value() == omt);
  EXPECT_LT(omt.size(), large.size() / 5);
  EXPECT_EQ(std_of(converted("", TraceFormat::kStd, TraceFormat::kOmt).value()), "");
}

TEST(Omt, RandomTracesRoundTripInEveryFormat) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Trace trace = random_trace(seed, random_shape(seed));
    std::erase_if(trace.events, [](const Event& e) { return e.kind == Kind::kSkip; });
    const std::string text = written(trace.events, trace.names, TraceFormat::kStd).value();
    EXPECT_EQ(std_of(written(trace.events, trace.names, TraceFormat::kOmt).value()), text);
    const std::string csv = written(trace.events, trace.names, TraceFormat::kCsv).value();
    EXPECT_EQ(converted(csv, TraceFormat::kCsv, TraceFormat::kCsv).value(), csv);
    EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(), text);
  }
}

TEST(Omt, SkippedEventsAreNotWritten) {
  const Trace trace = figure("T1: acq(l) acq(l) rel(l) rel(l)");
  EXPECT_EQ(std_of(written(trace.events, trace.names, TraceFormat::kOmt).value()),
            "T1|acq(l)|\nT1|rel(l)|\n");
}

// The first version, for ever.
TEST(Omt, GoldenFileOfVersion1) {
  const std::string data = std::string(OMNIUM_SOURCE_DIR) + "/tests/trace/data/version1.";
  EXPECT_EQ(std_of(file_content(data + "omt")), file_content(data + "std"));
}

// The second one, with every operation there is, likewise.
TEST(Omt, GoldenFileOfVersion2) {
  const std::string data = std::string(OMNIUM_SOURCE_DIR) + "/tests/trace/data/version2.";
  EXPECT_EQ(std_of(file_content(data + "omt")), file_content(data + "std"));
  const std::string std = file_content(data + "std");
  EXPECT_EQ(converted(std, TraceFormat::kStd, TraceFormat::kOmt).value(),
            file_content(data + "omt"));
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    EXPECT_NE(std.find(fmt::format("|{}(", std_word(static_cast<Kind>(kind)))), std.npos);
  }
}

TEST(Omt, CutOffAnywhereGivesAPrefixAndAWarning) {
  const std::string whole = small_omt();
  ASSERT_GT(whole.size(), 100u);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    SCOPED_TRACE(fmt::format("cut at {} of {}", size, whole.size()));
    ASSERT_EQ(trace::format_of_content(whole.substr(0, size)), TraceFormat::kOmt);
    const auto source = source_of(whole.substr(0, size), TraceFormat::kOmt);
    source->want_locations(true);
    const auto events = read_all(*source);
    ASSERT_TRUE(events) << events.error().to_string();
    EXPECT_TRUE(kSmall.starts_with(written(*events, source->names(), TraceFormat::kStd).value()));
    ASSERT_EQ(source->warnings().size(), 1u);
    EXPECT_EQ(source->warnings()[0],
              fmt::format("trace: truncated after {} events: the end of the file is "
                          "missing",
                          events->size()));
  }
}

TEST(Omt, CutOffBetweenChunksKeepsTheWholeOnes) {
  const std::string whole =
      converted(large_std(150'000), TraceFormat::kStd, TraceFormat::kOmt).value();
  const auto source = source_of(whole.substr(0, omt_chunks(whole).back() - 1), TraceFormat::kOmt);
  EXPECT_EQ(read_all(*source).value().size(), 2 * kChunkEvents);
  EXPECT_EQ(source->warnings().size(), 1u);
}

TEST(Omt, EverySingleBitFlipIsFound) {
  const std::string whole = small_omt();
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    const auto source = source_of(damaged, TraceFormat::kOmt);
    source->want_locations(true);
    const auto events = read_all(*source, 3);
    ASSERT_FALSE(events) << "bit " << bit;
    EXPECT_NE(events.error().at.byte_offset, Position::kNoOffset) << "bit " << bit;
  }
}

// Behind right checksums: an error or a trace, never a crash.
TEST(Omt, EverySingleBitFlipWithRightChecksums) {
  const std::string whole = small_omt();
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    seal_omt(damaged);
    const auto source = source_of(damaged, TraceFormat::kOmt);
    source->want_locations(bit % 2 == 0);
    if (const auto events = read_all(*source)) {
      EXPECT_TRUE(written(*events, source->names(), TraceFormat::kOmt)) << "bit " << bit;
    }
  }
}

// Changes one field of the first chunk of `type`.
template <class Change>
std::string error_after(ChunkType type, Change change) {
  std::string bytes = small_omt();
  for (const std::size_t at : omt_chunks(bytes)) {
    ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    if (header.type != type) continue;
    change(header, bytes.data() + at + sizeof header);
    std::memcpy(bytes.data() + at, &header, sizeof header);
    break;
  }
  seal_omt(bytes);
  const auto source = source_of(bytes, TraceFormat::kOmt);
  const auto events = read_all(*source);
  return events ? "no error" : events.error().message;
}

template <class Change>
std::string error_after_column(std::size_t i, Change change) {
  return error_after(ChunkType::kEvents, [&](ChunkHeader&, char* payload) {
    ColumnHeader column;
    std::memcpy(&column, payload + i * sizeof column, sizeof column);
    change(column);
    std::memcpy(payload + i * sizeof column, &column, sizeof column);
  });
}

TEST(Omt, ImpossibleNumbersAreErrors) {
  const auto in_names = [](auto change) {
    return error_after(ChunkType::kNames, [&](ChunkHeader& h, char*) { change(h); });
  };
  const auto in_events = [](auto change) {
    return error_after(ChunkType::kEvents, [&](ChunkHeader& h, char*) { change(h); });
  };
  const std::string impossible = "impossible chunk header";
  EXPECT_EQ(in_names([](auto& h) { h.count = 0; }), impossible);
  EXPECT_EQ(in_names([](auto& h) { h.count = 70'000; }), "more than 65536 thread names");
  EXPECT_EQ(in_names([](auto& h) { h.count = 60'000; }), impossible);
  EXPECT_EQ(in_names([](auto& h) { h.raw_bytes = 0xffff'ffff; }), impossible);
  EXPECT_EQ(in_names([](auto& h) { h.raw_bytes += 1; }), "damaged chunk of names");
  EXPECT_EQ(in_names([](auto& h) { h.first = 1; }), impossible);
  EXPECT_EQ(in_names([](auto& h) { h.space = trace::NameSpace{6}; }), "unknown name space");
  EXPECT_EQ(in_names([](auto& h) { h.type = ChunkType{9}; }), "unknown chunk type 9");
  EXPECT_EQ(in_events([](auto& h) { h.count = 0; }), impossible);
  EXPECT_EQ(in_events([](auto& h) { h.count = kChunkEvents + 1; }), impossible);
  EXPECT_EQ(in_events([](auto& h) { h.count += 8; }), "impossible column");
  EXPECT_EQ(in_events([](auto& h) { h.first = 7; }), impossible);
  EXPECT_EQ(in_events([](auto& h) { h.zero = 7; }), impossible);
  const std::string column = "impossible column";
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.width = 33; }), column);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.bytes = 0xffff'ffff; }), column);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.bytes += 1; }), column);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.encoding = Encoding{2}; }), column);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.encoding = Encoding::kZstd; }), column);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.zero = 1; }), column);
  const std::string no_name = "an event has an id without a name";
  EXPECT_EQ(error_after_column(0, [](auto& c) { c.minimum += 1; }), no_name);
  EXPECT_EQ(error_after_column(1, [](auto& c) { c.minimum += 1; }), no_name);
  EXPECT_EQ(error_after_column(2, [](auto& c) { c.minimum += 2; }), no_name);
  const std::size_t counts = trace::omt::index_count_bytes(trace::omt::kVersion);
  const auto flip = [&](ChunkHeader&, char* payload) { payload[counts] ^= 1; };
  EXPECT_EQ(error_after(ChunkType::kIndex, flip), "the index does not match the chunks");
}

TEST(Omt, NewerVersionsAndLeftoversAreErrors) {
  std::string bytes = small_omt();
  bytes[8] = 3;
  EXPECT_EQ(std_of(bytes), "trace: byte 8: error: unsupported version 3 of the .omt format");
  bytes = small_omt();
  EXPECT_EQ(std_of(bytes + "x"),
            fmt::format("trace: byte {}: error: bytes after the end", bytes.size()));
}

TEST(Omt, ColumnsOfEveryWidth) {
  ColumnEncoder encoder;
  ColumnDecoder decoder;
  for (std::uint32_t width = 0; width <= 32; ++width) {
    for (const std::uint32_t mask : {0xffff'ffffu, 1u}) {
      const std::uint32_t top = width == 0 ? 0 : ~std::uint32_t{0} >> (32 - width);
      std::vector<std::uint32_t> values(1001, 0);
      for (std::uint32_t i = 0; i < 1000; ++i) values[i] = (i * 2654435761u >> 3) & top & mask;
      values[500] = top;
      for (auto& value : values) value += width < 32 ? 7 : 0;
      std::string bytes;
      const ColumnHeader header = encoder.encode(std::span<const std::uint32_t>(values), bytes);
      EXPECT_EQ(header.width, width);
      EXPECT_LE(bytes.size(), (values.size() * width + 7) / 8);
      std::string padded = bytes + std::string(Column::kPadding, '\xff');
      const auto column = decoder.decode(header, {padded.data(), bytes.size()}, values.size());
      ASSERT_TRUE(column);
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(column->at(i), values[i]);
    }
  }
}

TEST(Omt, SeekGoesStraightToTheEvent) {
  const std::string bytes =
      converted(large_std(150'000), TraceFormat::kStd, TraceFormat::kOmt).value();
  const auto source = source_of(bytes, TraceFormat::kOmt);
  const auto events = read_all(*source).value();
  for (const EventIndex target : {149'999u, 0u, 65'535u, 65'536u, 131'072u, 77'777u}) {
    ASSERT_EQ(source->seek(target).value(), target);
    Event event;
    ASSERT_EQ(source->read({&event, 1}).value(), 1u);
    EXPECT_EQ(event, events[target]);
    const std::size_t rest = read_all(*source).value().size();
    EXPECT_EQ(rest, events.size() - target - 1);
  }
}

// Names of locations are read when somebody wants them, also late and in the middle of a chunk.
// Names are written when they are there: each chunk goes on where the one before it left off.
TEST(Omt, NamesMayComeLate) {
  constexpr std::uint32_t kChunks = 3;
  Names names;
  names.threads.intern("T1");
  std::string bytes;
  const auto sink = trace::write_omt(std::make_unique<trace::Output>(bytes));
  for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
    names.variables.intern(fmt::format("x{}", chunk));
    names.locations.intern(fmt::format("f.c:{}", chunk));
    ASSERT_TRUE(
        sink->write(std::vector<Event>(kChunkEvents, Event{Kind::kRead, 0, chunk, chunk}), names));
  }
  ASSERT_TRUE(sink->finish(names));
  const auto source = source_of(bytes, TraceFormat::kOmt);
  source->want_locations(true);
  const auto events = read_all(*source);
  ASSERT_TRUE(events) << events.error().to_string();
  ASSERT_EQ(events->size(), kChunks * kChunkEvents);
  for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
    const Event& event = (*events)[chunk * kChunkEvents];
    EXPECT_EQ(source->names().variables.name(event.object), fmt::format("x{}", chunk));
    EXPECT_EQ(source->names().locations.name(event.loc_id), fmt::format("f.c:{}", chunk));
  }
}

// Names of variables are there at first. Who can do without them knows how many there are, and can
// have them at any time.
TEST(Omt, VariableNamesCanBeWantedLate) {
  const std::string text = large_std(150'000);
  const std::string bytes = converted(text, TraceFormat::kStd, TraceFormat::kOmt).value();
  const auto names_of = [](const EventSource& source) {
    std::vector<std::string_view> out;
    for (std::uint32_t id = 0; id < source.names().variables.size(); ++id) {
      out.push_back(source.names().variables.name(id));
    }
    return out;
  };
  const auto whole = source_of(bytes, TraceFormat::kOmt);
  const std::vector<Event> all = read_all(*whole).value();
  ASSERT_FALSE(whole->names().variables.name(0).empty());
  for (const std::size_t before : {0u, 1u, 1000u, kChunkEvents, kChunkEvents + 10, 150'000u}) {
    SCOPED_TRACE(before);
    const auto source = source_of(bytes, TraceFormat::kOmt);
    ASSERT_TRUE(source->want_variable_names(false));
    std::vector<Event> events, out(150'000);
    while (events.size() < before) {
      const auto count = source->read(std::span(out).first(before - events.size()));
      events.insert(events.end(), out.begin(), out.begin() + static_cast<long>(count.value()));
    }
    if (before > 0) {
      EXPECT_EQ(source->names().threads.name(0), whole->names().threads.name(0));
    }
    for (const std::string_view name : names_of(*source)) EXPECT_EQ(name, "");
    ASSERT_TRUE(source->want_variable_names(true));
    const std::vector<Event> rest = read_all(*source).value();
    events.insert(events.end(), rest.begin(), rest.end());
    EXPECT_EQ(events, all);
    EXPECT_EQ(names_of(*source), names_of(*whole));
    ASSERT_EQ(source->seek(100'000).value(), 100'000u);
    EXPECT_EQ(read_all(*source).value().size(), 50'000u);
  }
  const auto never = source_of(bytes, TraceFormat::kOmt);
  ASSERT_TRUE(never->want_variable_names(false));
  EXPECT_EQ(read_all(*never).value(), all);
  EXPECT_EQ(names_of(*never), std::vector<std::string_view>(names_of(*whole).size()));
}

TEST(Omt, EveryIdHasAName) {
  Names names;
  for (support::Interner* space : {&names.threads, &names.variables, &names.locks, &names.labels,
                                   &names.locations, &names.signals}) {
    space->intern("the only one");
  }
  const auto what_is_wrong = [&](const Event& event) -> std::string {
    const auto bytes = written(std::span(&event, 1), names, TraceFormat::kOmt);
    const auto source = source_of(bytes.value(), TraceFormat::kOmt);
    source->want_locations(true);
    const auto events = read_all(*source);
    return events ? "" : events.error().message;
  };
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    EXPECT_EQ(what_is_wrong({static_cast<Kind>(kind), 0, 0, 0}), "") << kind;
    EXPECT_EQ(what_is_wrong({static_cast<Kind>(kind), 0, 1, 0}),
              "an event has an id without a name")
        << kind;
  }
  EXPECT_NE(what_is_wrong({Kind::kRead, 1, 0, 0}), "");
  EXPECT_NE(what_is_wrong({Kind::kRead, 0, 0, 1}), "");
}

TEST(Omt, LocationsCanBeWantedLate) {
  const std::string text = large_std(150'000);
  const std::string bytes = converted(text, TraceFormat::kStd, TraceFormat::kOmt).value();
  const std::vector<Event> all = read_all(*source_of(bytes, TraceFormat::kOmt)).value();
  const auto source = source_of(bytes, TraceFormat::kOmt);
  std::vector<Event> out(100'000);
  ASSERT_EQ(source->read(out).value(), kChunkEvents);
  ASSERT_EQ(source->read(std::span(out).first(10)).value(), 10u);
  EXPECT_TRUE(out[0].loc().is_none());
  EXPECT_EQ(source->names().locations.size(), 0u);
  source->want_locations(true);
  ASSERT_EQ(source->read(std::span(out).first(10)).value(), 10u);
  EXPECT_EQ(source->names().locations.name(out[0].loc_id), "f.c:65");
  for (std::size_t i = 0; i < 10; ++i) {
    const Event& expected = all[kChunkEvents + 10 + i];
    EXPECT_EQ(std::tuple(out[i].kind, out[i].thread_id, out[i].object),
              std::tuple(expected.kind, expected.thread_id, expected.object))
        << i;
  }
  source->want_locations(false);
  ASSERT_EQ(source->read(std::span(out).first(10)).value(), 10u);
  EXPECT_TRUE(out[0].loc().is_none());
  ASSERT_TRUE(read_all(*source));
  source->want_locations(true);
  ASSERT_EQ(source->seek(149'500).value(), 149'500u);
  EXPECT_EQ(read_all(*source).value().size(), 500u);
  EXPECT_EQ(source->names().locations.name(source->names().locations.size() - 1), "f.c:149");
  ASSERT_EQ(source->seek(0).value(), 0u);
  EXPECT_EQ(written(read_all(*source).value(), source->names(), TraceFormat::kStd).value(), text);
}

}  // namespace
}  // namespace omnium::test
