// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/display.h"
#include "tests/report/report_of.h"
#include "tests/support/golden.h"

namespace omnium::test {
namespace {

// No line of a table or sentence is wider than the terminal; only SUMMARY lines are never broken.
void expect_fits(const std::string& text, std::size_t width) {
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    if (line.starts_with("SUMMARY")) continue;
    EXPECT_LE(support::display_width(line), width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(Text, OfALostUpdate) {
  const Trace trace = with_places(figure(kBank));
  const report::Report report = report_of(trace);
  const std::string narrow = text_of(report, {80, false});
  expect_golden("tests/report/golden/bank-80.txt", narrow);
  expect_fits(narrow, 80);
  expect_golden("tests/report/golden/bank-140.txt", text_of(report, {140, false}));
  expect_golden("tests/report/golden/bank-80-colour.txt", text_of(report, {80, true}));
}

TEST(Text, OfACycleWithoutBlame) {
  const Trace trace = with_places(figure(kNoBlame));
  expect_golden("tests/report/golden/no-blame-80.txt", text_of(report_of(trace)));
}

TEST(Text, OfAnEngineThatKnowsNoTransactions) {
  const Trace trace = with_places(figure(kBank));
  expect_golden("tests/report/golden/bank-conflict-graph-80.txt",
                text_of(report_of(trace, "conflict-graph")));
}

TEST(Text, OfASerializableTrace) {
  const Trace trace = figure("T1: begin(a) r(x) w(x) end");
  EXPECT_EQ(text_of(report_of(trace)),
            "bank.std: serializable (4 events, 1 thread, 1 variable, 0 locks, 1 block,\n"
            "  1 transaction)\n");
}

// What a forked thread did first may be known only from an address.
TEST(Text, TheFirstEventOfAThreadIsNoneWithoutAName) {
  const auto text_with = [](const std::string& name) {
    Trace trace = figure(R"(
        T1: begin(f) fork(T2)            w(x) end
        T2:                    r(q) r(x)          )");
    support::Interner variables;
    for (std::uint32_t i = 0; i < trace.names.variables.size(); ++i) {
      const std::string_view it = trace.names.variables.name(i);
      variables.append(it == "q" ? name : it);
    }
    trace.names.variables = std::move(variables);
    return text_of(report_of(trace));
  };
  EXPECT_NE(text_with("queue").find("T1 started T2, then T2 read queue"), std::string::npos);
  const std::string text = text_with("unnamed object");
  EXPECT_NE(text.find("T1 started T2, then T2 ran"), std::string::npos) << text;
  EXPECT_EQ(text.find("unnamed"), std::string::npos) << text;
}

TEST(Text, InnermostBlockFirst) {
  const Trace trace = figure(R"(
      T1: begin(outer) begin(inner) r(x)      w(x) end end
      T2:                                w(x)              )");
  const std::string text = text_of(report_of(trace));
  EXPECT_NE(text.find("\ninner  was not atomic: T2 (outside any block) interfered\n"
                      "nor was the block around it: outer\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("not-atomic inner"), std::string::npos);
}

TEST(Text, NamesCannotSteerTheTerminal) {
  Trace trace = figure(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )");
  Names names;
  names.threads.intern("\x1b[2J");
  names.threads.intern(
      "\xc2\x9b"
      "31m");
  names.variables.intern("x\n\r\x07\xe2\x80\xae\xe2\x80\x8b");
  names.labels.intern("\xff*");
  names.labels.intern("");
  trace.names = std::move(names);
  const std::string text = text_of(report_of(trace));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80"), text.find("…")) << "no mark of direction, nothing invisible";
  EXPECT_NE(text.find("\\x1b[2J"), std::string::npos) << text;
  EXPECT_NE(text.find("not-atomic ?\\*"), std::string::npos) << text;
  expect_fits(text, 80);
}

// Ten kilobytes per name: still a page that a person can read.
TEST(Text, EndlessNamesAreCut) {
  Trace trace = with_places(figure(kBank));
  const std::string endless = std::string(5000, 'n') + "\xe2\x80\xae" + std::string(5000, 'n');
  Names names;
  for (const char* thread : {"a", "b"}) names.threads.intern(thread + endless);
  names.variables.intern(endless);
  names.locks.intern(endless);
  for (std::uint32_t i = 0; i < trace.names.labels.size(); ++i) {
    names.labels.intern(fmt::format("{}{}", i, endless));
  }
  for (std::uint32_t i = 0; i < trace.names.locations.size(); ++i) {
    names.locations.intern(fmt::format("{}.cpp:{}", endless, i));
  }
  trace.names = std::move(names);
  const std::string text = text_of(report_of(trace), {80, false});
  EXPECT_LT(text.size(), 10'000u);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_EQ(text.find("not-atomic"), std::string::npos) << "a rule that is cut would be another";
}

TEST(Text, LongNamesAreCutInTheTableOnly) {
  Trace trace = with_places(figure(kBank));
  Names names;
  for (std::uint32_t i = 0; i < trace.names.threads.size(); ++i) {
    names.threads.intern(fmt::format("工作线程-{}-{}", std::string(60, 'w'), i));
  }
  names.variables.intern(std::string(120, 'v'));
  names.locks.intern(std::string(90, 'm'));
  for (std::uint32_t i = 0; i < trace.names.labels.size(); ++i) {
    names.labels.intern(trace.names.labels.name(i));
  }
  for (std::uint32_t i = 0; i < trace.names.locations.size(); ++i) {
    names.locations.intern(trace.names.locations.name(i));
  }
  trace.names = std::move(names);
  const std::string text = text_of(report_of(trace), {80, false});
  EXPECT_NE(text.find(std::string(120, 'v')), std::string::npos);
  EXPECT_NE(text.find("read vvv"), std::string::npos) << text;
  EXPECT_NE(text.find("…"), std::string::npos) << text;
}

TEST(Text, ManyThreadsMakeAList) {
  std::string drawing = "T0: begin(a) w(x0)";
  drawing += std::string(200, ' ') + "r(x7) end\n";
  for (int i = 1; i <= 7; ++i) {
    drawing += fmt::format("T{}:{}r(x{}) w(x{})\n", i, std::string(18 + 20 * i, ' '), i - 1, i);
  }
  const Trace trace = with_places(figure(drawing));
  const std::string text = text_of(report_of(trace), {80, false});
  expect_golden("tests/report/golden/eight-threads-80.txt", text);
  expect_fits(text, 80);
}

// A cycle of `threads` transactions: each reads what the one before wrote, and the first one, which
// began it all, reads what the last one wrote.
Trace ring(int threads) {
  Trace trace;
  const auto add = [&](int thread, Kind kind, std::uint32_t object, int line) {
    const auto id = trace.names.threads.intern(fmt::format("worker-{}", thread));
    trace.events.push_back(
        Event{kind, static_cast<std::uint16_t>(id), object,
              trace.names.locations.intern(fmt::format("ring.cpp:{}", 10 * thread + line))});
  };
  const auto slot = [&](int i) { return trace.names.variables.intern(fmt::format("slot[{}]", i)); };
  const auto stage = [&](int i) { return trace.names.labels.intern(fmt::format("stage_{}", i)); };
  add(0, Kind::kBegin, stage(0), 1);
  add(0, Kind::kWrite, slot(0), 2);
  for (int i = 1; i < threads; ++i) {
    add(i, Kind::kBegin, stage(i), 1);
    add(i, Kind::kRead, slot(i - 1), 2);
    add(i, Kind::kWrite, slot(i), 3);
    add(i, Kind::kEnd, stage(i), 4);
  }
  add(0, Kind::kRead, slot(threads - 1), 5);
  add(0, Kind::kEnd, stage(0), 6);
  return trace;
}

TEST(Text, OfCyclesOfTwoToTwelveThreads) {
  for (const std::size_t width : {80, 140}) {
    for (const bool colour : {false, true}) {
      std::string all;
      for (int threads = 2; threads <= 12; ++threads) {
        const Trace trace = ring(threads);
        const std::string text = text_of(report_of(trace), {width, colour});
        if (!colour) expect_fits(text, width);
        all += text + "\n";
      }
      expect_golden(
          fmt::format("tests/report/golden/rings-{}{}.txt", width, colour ? "-colour" : ""), all);
    }
  }
}

// Colours change nothing but colours.
TEST(Text, IsTheSameWithoutItsColours) {
  const Trace trace = ring(5);
  const report::Report report = report_of(trace);
  std::string plain;
  const std::string coloured = text_of(report, {100, true});
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  EXPECT_EQ(plain, text_of(report, {100, false}));
}

TEST(Display, CutsByWidth) {
  EXPECT_EQ(support::cut_to_width("abcdef", 4), "abc…");
  EXPECT_EQ(support::cut_front_to_width("abcdef", 4), "…def");
  EXPECT_EQ(support::cut_to_width("线程线程", 5), "线程…");
  EXPECT_EQ(support::cut_middle_to_width("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(support::cut_middle_to_width("abcde", 5), "abcde");
  EXPECT_EQ(support::fit_to_width("线程", 5), "线程 ");
  EXPECT_EQ(support::display_width("e\xcc\x81"), 1u);
}

}  // namespace
}  // namespace omnium::test
