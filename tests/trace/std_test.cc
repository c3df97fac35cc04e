// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/std.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

std::string error_of(std::string text) {
  const auto source = source_of(std::move(text), TraceFormat::kStd);
  const auto events = read_all(*source);
  return events ? "no error" : events.error().to_string();
}

TEST(Std, ReadsEveryOperation) {
  const std::string text =
      "T0|begin(inc)|a.c:1\nT0|r(x)|a.c:2\nT0|w(x)|a|b\nT0|acq(l)|\nT0|rel(l)|7\n"
      "T0|fork(T1)|7\nT1|begin|7\nT1|end|7\nT0|join(T1)|7\nT0|end(inc)|7\n";
  const auto source = source_of(text, TraceFormat::kStd);
  source->want_locations(true);
  const auto events = read_all(*source);
  ASSERT_TRUE(events) << events.error().to_string();
  const std::vector<Event> expected = {{Kind::kBegin, 0, 0, 0},   {Kind::kRead, 0, 0, 1},
                                       {Kind::kWrite, 0, 0, 2},   {Kind::kAcquire, 0, 0},
                                       {Kind::kRelease, 0, 0, 3}, {Kind::kFork, 0, 1, 3},
                                       {Kind::kBegin, 1, 1, 3},   {Kind::kEnd, 1, 1, 3},
                                       {Kind::kJoin, 0, 1, 3},    {Kind::kEnd, 0, 0, 3}};
  EXPECT_EQ(*events, expected);
  EXPECT_EQ(source->names().locations.name(2), "a|b");
  EXPECT_EQ(source->names().labels.name(1), "");
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(), text);
  EXPECT_TRUE(source->warnings().empty());
}

TEST(Std, LocationsAreNotInternedUnlessWanted) {
  const auto source = source_of("T0|r(x)|here\n", TraceFormat::kStd);
  const auto events = read_all(*source);
  ASSERT_TRUE(events);
  EXPECT_TRUE(events->at(0).loc().is_none());
  EXPECT_EQ(source->names().locations.size(), 0u);
}

TEST(Std, EveryMalformedLineHasItsPlaceAndReason) {
  EXPECT_EQ(error_of("T0 r(x)\n"), "trace:1:1: error: expected THREAD|OP|LOC, got 'T0 r(x)'");
  EXPECT_EQ(error_of("# a\n\nT0|r(x)|1\r\nT0|r(x)\r\n"),
            "trace:4:1: error: expected THREAD|OP|LOC, got 'T0|r(x)'");
  EXPECT_EQ(error_of("|r(x)|1\n"), "trace:1:1: error: empty thread name");
  EXPECT_EQ(error_of("|begin|1\n"), "trace:1:1: error: empty thread name");
  EXPECT_EQ(error_of("T0|r()|1\n"), "trace:1:6: error: empty variable name in 'r()'");
  EXPECT_EQ(error_of("T0|w()|1\n"), "trace:1:6: error: empty variable name in 'w()'");
  EXPECT_EQ(error_of("T0|acq()|1\n"), "trace:1:8: error: empty lock name in 'acq()'");
  EXPECT_EQ(error_of("T0|rel()|1\n"), "trace:1:8: error: empty lock name in 'rel()'");
  EXPECT_EQ(error_of("T0|fork()|1\n"), "trace:1:9: error: empty thread name in 'fork()'");
  EXPECT_EQ(error_of("T0|join()|1\n"), "trace:1:9: error: empty thread name in 'join()'");
  EXPECT_EQ(error_of("T0|r(x|1\n"), "trace:1:4: error: expected ')' at the end of 'r(x'");
  EXPECT_EQ(error_of("T0|r(|1\n"), "trace:1:4: error: expected ')' at the end of 'r('");
  EXPECT_EQ(error_of("T0|r(x)y|1\n"), "trace:1:4: error: expected ')' at the end of 'r(x)y'");
  EXPECT_EQ(error_of("T0|begin(x|1\n"), "trace:1:4: error: expected ')' at the end of 'begin(x'");
  EXPECT_EQ(error_of("T0|r|1\n"), "trace:1:4: error: expected r(NAME), got 'r'");
  EXPECT_EQ(error_of("T0|acq|1\n"), "trace:1:4: error: expected acq(NAME), got 'acq'");
  const std::string list =
      "': expected r, w, acq, rel, begin, end, fork, join, ar, aw, rmw, retry, racq, rrel, wait, "
      "resume, signal, await or busy";
  EXPECT_EQ(error_of("T0|rmw|1\n"), "trace:1:4: error: expected rmw(NAME), got 'rmw'");
  EXPECT_EQ(error_of("T0|retry()|1\n"), "trace:1:10: error: empty variable name in 'retry()'");
  EXPECT_EQ(error_of("T0|await()|1\n"), "trace:1:10: error: empty signal name in 'await()'");
  EXPECT_EQ(error_of("T0|resume(m|1\n"), "trace:1:4: error: expected ')' at the end of 'resume(m'");
  EXPECT_EQ(error_of("T0||1\n"), "trace:1:4: error: unknown operation '" + list);
  EXPECT_EQ(error_of("T0|write(x)|1\n"), "trace:1:4: error: unknown operation 'write(x)" + list);
  EXPECT_EQ(error_of("T0|R(x)|1\n"), "trace:1:4: error: unknown operation 'R(x)" + list);
  EXPECT_EQ(error_of("T0|(x)|1\n"), "trace:1:4: error: unknown operation '(x)" + list);
  EXPECT_EQ(error_of("T0|ends|1\n"), "trace:1:4: error: unknown operation 'ends" + list);
  EXPECT_EQ(error_of("T0|\x01\xff|1\n"), "trace:1:4: error: unknown operation '\\x01\\xff" + list);
}

TEST(Std, EventsBeforeAnErrorAreHandedOutFirst) {
  const auto source = source_of("T0|r(x)|1\nT0|w(x)|1\noops\n", TraceFormat::kStd);
  std::vector<Event> out(10);
  EXPECT_EQ(source->read(out).value(), 2u);
  EXPECT_EQ(source->read(out).error().at.line, 3u);
  EXPECT_EQ(source->read(out).error().at.line, 3u);
}

TEST(Std, CommentsBlankLinesAndCarriageReturns) {
  const std::string text = "# c|r(x)|1\r\n\r\n\nT0|r(x)|1\r\n#\n\nT1|end|2\r\nT1|w(x)|";
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(),
            "T0|r(x)|1\nT1|end|2\nT1|w(x)|\n");
  const auto source = source_of(text, TraceFormat::kStd);
  std::vector<Event> out(10);
  ASSERT_EQ(source->read(out).value(), 3u);
  EXPECT_EQ(source->position_of(0).line, 4u);
  EXPECT_EQ(source->position_of(1).line, 7u);
  EXPECT_EQ(source->position_of(2).line, 8u);
}

TEST(Std, NamesAreBytes) {
  std::string text = "T\xff|r((a(b))c)|\xc3\nT\xff|w(\x01 \t#)|x\nT|r(a";
  text += std::string("\0)|\nT|r(a)|\n", 12);
  const auto source = source_of(text, TraceFormat::kStd);
  ASSERT_TRUE(read_all(*source));
  EXPECT_EQ(source->names().variables.name(0), "(a(b))c");
  EXPECT_EQ(source->names().variables.name(2), std::string_view("a\0", 2));
  EXPECT_EQ(source->names().variables.name(3), "a");
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(), text);
}

// Around every length where loads, scans or buffers change their way.
TEST(Std, NamesOfEveryLength) {
  std::string text;
  for (std::size_t n = 1; n < 200; ++n) {
    text += std::string(n, 't') + "|r(" + std::string(200 - n, 'v') + ")|" +
            std::string(n % 70, 'l') + "\n";
    text += "T|begin(" + std::string(n, 'b') + ")|\n";
  }
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(), text);
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kOmt)
                .and_then([](std::string omt) {
                  return converted(std::move(omt), TraceFormat::kOmt, TraceFormat::kStd);
                })
                .value(),
            text);
}

TEST(Std, LinesOf64MegabytesWorkAndLongerOnesAreAnError) {
  const std::string name(64'000'000, 'x');
  const std::string text = "T0|r(" + name + ")|1\nT0|w(y)|2\n";
  EXPECT_EQ(converted(text, TraceFormat::kStd, TraceFormat::kStd).value(), text);
  EXPECT_EQ(error_of("T0|r(y)|\n#" + std::string(70 << 20, 'x')),
            "trace:2: error: line is longer than 67108864 bytes");
}

// Lines are read where they are, or in blocks if the last one does not end.
TEST(Std, ASecondLookIsTheSameAsTheFirst) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += fmt::format("T{}|r(x{})|f.c:{}\n", i % 7, i % 100, i);
  for (const std::string& bytes : {text, text.substr(0, text.size() - 1)}) {
    const auto source = source_of(bytes, TraceFormat::kStd);
    const std::vector<Event> all = read_all(*source).value();
    ASSERT_EQ(all.size(), 3000u);
    EXPECT_EQ(all[2999].object, 99u);
    for (const EventIndex target : {0u, 1u, 1500u, 2999u}) {
      const EventIndex from = source->seek(target).value();
      ASSERT_LE(from, target);
      const std::vector<Event> again = read_all(*source, 77).value();
      ASSERT_EQ(again.size(), all.size() - from);
      EXPECT_TRUE(std::equal(again.begin(), again.end(), all.end() - std::ssize(again)));
    }
  }
}

TEST(Std, SixtyFiveThousandThreadsAreTooMany) {
  std::string text;
  for (int i = 0; i < 65'536; ++i) text += "T" + std::to_string(i) + "|r(x)|\n";
  const auto source = source_of(text + text, TraceFormat::kStd);
  EXPECT_EQ(read_all(*source).value().size(), 131'072u);
  EXPECT_EQ(error_of(text + "T65536|r(x)|\n"),
            "trace:65537:1: error: more than 65536 thread names");
  EXPECT_EQ(error_of(text + "T0|fork(T65536)|\n"),
            "trace:65537:4: error: more than 65536 thread names");
}

TEST(Std, WriterRefusesNamesThatALineCannotHold) {
  const auto refusal = [](std::string_view thread, std::string_view variable,
                          std::string_view loc) {
    Names names;
    const Event event{Kind::kRead, static_cast<std::uint16_t>(names.threads.intern(thread)),
                      names.variables.intern(variable), names.locations.intern(loc)};
    const auto bytes = written({&event, 1}, names, TraceFormat::kStd);
    return bytes ? *bytes : bytes.error().message;
  };
  const std::string start = "cannot write ";
  EXPECT_EQ(refusal("T", "x", "l"), "T|r(x)|l\n");
  EXPECT_EQ(refusal("", "x", "l"), start + "thread name '' in this format: it is empty");
  EXPECT_EQ(refusal("T", "", "l"), start + "variable name '' in this format: it is empty");
  EXPECT_EQ(refusal("#T", "x", "l"), start + "thread name '#T' in this format: it starts with '#'");
  EXPECT_EQ(refusal("T", "a|b", "l"),
            start + "variable name 'a|b' in this format: it contains '|'");
  EXPECT_EQ(refusal("T", "a\nb", "l"),
            start + "variable name 'a\\x0ab' in this format: it contains a newline");
  EXPECT_EQ(refusal("T", "x", "l\r"),
            start + "location name 'l\\x0d' in this format: it ends with a carriage return");
}

}  // namespace
}  // namespace omnium::test
