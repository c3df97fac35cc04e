// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/csv.h"

#include <gtest/gtest.h>

#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

std::string to_std_text(std::string text) {
  const auto bytes = converted(std::move(text), TraceFormat::kCsv, TraceFormat::kStd);
  return bytes ? *bytes : bytes.error().to_string();
}

TEST(Csv, ReadsEveryOperation) {
  EXPECT_EQ(to_std_text("start(T1),,\n,enter(m)\r\n,,r(x)\n,acq(l),\n,rel(l),\n# comment\n\n"
                        ",exit(m),\njoin(T1)\nw(x)\nfork(T2),\n,,begin\n,,end\n,,enter\n,,exit()"),
            "T0|fork(T1)|\nT1|begin(m)|\nT2|r(x)|\nT1|acq(l)|\nT1|rel(l)|\nT1|end(m)|\n"
            "T0|join(T1)|\nT0|w(x)|\nT0|fork(T2)|\nT2|begin|\nT2|end|\nT2|begin|\nT2|end|\n");
}

TEST(Csv, SyncIsBothAccessesUnderALockOfItsOwn) {
  const std::string text = ",r(y)\n,sync(x)\nw(z)\n";
  EXPECT_EQ(to_std_text(text),
            "T1|r(y)|\nT1|acq(VARLOCK-x-KCOLRAV)|\nT1|r(x)|\nT1|w(x)|\nT1|rel(VARLOCK-x-KCOLRAV)|\n"
            "T0|w(z)|\n");
  // Whatever the batches, all four come, each with its line.
  for (std::size_t batch = 1; batch < 7; ++batch) {
    const auto source = source_of(text, TraceFormat::kCsv);
    EXPECT_EQ(read_all(*source, batch).value().size(), 6u);
    ASSERT_EQ(source->seek(3).value(), 0u);
    EXPECT_EQ(read_all(*source, batch).value().size(), 6u);
  }
  const auto source = source_of(text, TraceFormat::kCsv);
  std::vector<Event> out(6);
  ASSERT_EQ(source->read(out).value(), 6u);
  for (const std::size_t i : {0, 1, 2, 3, 4, 5}) {
    EXPECT_EQ(source->position_of(i).line, i == 0 ? 1u : i == 5 ? 3u : 2u);
  }
}

TEST(Csv, EveryMalformedLineHasItsPlaceAndReason) {
  EXPECT_EQ(to_std_text("r(x)\n,,,\n"),
            "trace:2:1: error: expected an operation in one of the columns");
  EXPECT_EQ(to_std_text("r(x),w(x)\n"),
            "trace:1:6: error: expected one operation per line, got also 'w(x)'");
  EXPECT_EQ(to_std_text(",r(x\n"), "trace:1:2: error: expected ')' at the end of 'r(x'");
  EXPECT_EQ(to_std_text(",r()\n"), "trace:1:4: error: empty variable name in 'r()'");
  EXPECT_EQ(to_std_text("sync()\n"), "trace:1:6: error: empty variable name in 'sync()'");
  EXPECT_EQ(to_std_text(",acq\n"), "trace:1:2: error: expected acq(NAME), got 'acq'");
  for (const std::string name : {"main", "T", "T01", "T65536", "T-1", "t1", "T1x"}) {
    EXPECT_EQ(to_std_text("start(" + name + ")\n"),
              "trace:1:7: error: expected a thread T0, T1, ..., got '" + name + "'");
  }
  EXPECT_EQ(
      to_std_text(",x(y)\n"),
      "trace:1:2: error: unknown operation 'x(y)': expected r, w, acq, rel, start, join, enter, "
      "exit, sync or one of STD's further operations");
  EXPECT_EQ(to_std_text(std::string(65'536, ',') + "r(x)\n"),
            "trace:1:65537: error: more than 65536 columns");
}

TEST(Csv, WriterKeepsThreadsThatAreColumns) {
  const std::string text = ",,,r(x)\nstart(T1)\n,enter(m)\n,exit\njoin(T1)\n";
  EXPECT_EQ(converted(text, TraceFormat::kCsv, TraceFormat::kCsv).value(), text);
}

TEST(Csv, WriterGivesOtherThreadsAFreeColumn) {
  EXPECT_EQ(converted("main|fork(T0)|1\nT0|w(x)|2\nmain|fork(b)|2\nb|r(x)|3\nT0|end(m)|\n",
                      TraceFormat::kStd, TraceFormat::kCsv)
                .value(),
            "start(T1)\n,w(x)\nstart(T2)\n,,r(x)\n,exit(m)\n");
}

TEST(Csv, WriterRefusesNamesThatACellCannotHold) {
  EXPECT_EQ(
      converted("T0|begin(f(int,int))|\n", TraceFormat::kStd, TraceFormat::kCsv).error().message,
      "cannot write label name 'f(int,int)' in this format: it contains a comma");
}

}  // namespace
}  // namespace omnium::test
