// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What to do about a lock that every access held, but not from the first to the last.
#include <gtest/gtest.h>

#include "report/json_reader.h"
#include "report/words.h"
#include "tests/report/report_of.h"

namespace omnium::test {
namespace {

// The events of w2 in kBank, and where they are. Those of w5 are elsewhere.
struct Places {
  std::string_view lock, read, unlock, lock_again, write, unlock_again;
};

Trace bank(const Places& places) {
  Trace trace = figure(kBank);
  const std::string_view of_w2[] = {"bank.cpp:40 in transfer", places.lock,
                                    places.read,               places.unlock,
                                    places.lock_again,         places.write,
                                    places.unlock_again};
  std::size_t next = 0;
  for (Event& event : trace.events) {
    const bool is_w2 = trace.names.threads.name(event.thread_id) == "w2";
    const std::string_view place =
        is_w2 && next < std::size(of_w2) ? of_w2[next++] : "bank.cpp:90 in deposit";
    event.loc_id = trace.names.locations.intern(place);
  }
  return trace;
}

std::string hint(const Places& places) {
  const Trace trace = bank(places);
  for (const std::string& remark : report::remarks(report_of(trace).causes.front())) {
    if (remark.starts_with("Hint: ")) return remark;
  }
  return "";
}

TEST(Hint, OneFunctionCanHoldTheLock) {
  EXPECT_EQ(hint({"bank.cpp:41 in Guard", "bank.cpp:42 in transfer", "bank.cpp:43 in unlock",
                  "bank.cpp:44 in lock", "bank.cpp:45 in transfer", "bank.cpp:46 in unlock"}),
            "Hint: hold m from bank.cpp:42 to bank.cpp:45.");
}

TEST(Hint, AFunctionAroundBothAccessesHasToHoldIt) {
  EXPECT_EQ(hint({"bank.cpp:21 in get", "bank.cpp:22 in get", "bank.cpp:23 in get",
                  "bank.cpp:31 in set", "bank.cpp:32 in set", "bank.cpp:33 in set"}),
            "Hint: hold m in transfer around both accesses, bank.cpp:22 and bank.cpp:32.");
  EXPECT_EQ(hint({"bank.cpp:21 in step", "bank.cpp:24 in step", "bank.cpp:25 in step2",
                  "bank.cpp:21 in step", "bank.cpp:22 in step", "bank.cpp:25 in step"}),
            "Hint: hold m in transfer around both accesses, bank.cpp:24 and bank.cpp:22.")
      << "a lock is not held from a line to one above it";
}

TEST(Hint, ALockMayBeGivenUpOnPurpose) {
  EXPECT_EQ(hint({"bank.cpp:41 in transfer", "bank.cpp:42 in transfer", "bank.cpp:43 in transfer",
                  "bank.cpp:44 in transfer", "bank.cpp:45 in transfer", "bank.cpp:46 in transfer"}),
            "Hint: hold m from bank.cpp:42 to bank.cpp:45. If it is given up on purpose "
            "(bank.cpp:43), check again after taking it (bank.cpp:44).");
  EXPECT_EQ(hint({"bank.cpp:41", "bank.cpp:42", "bank.cpp:43", "bank.cpp:44", "bank.cpp:45",
                  "bank.cpp:46"}),
            "Hint: hold m from bank.cpp:42 to bank.cpp:45.")
      << "nobody knows which function does it";
}

TEST(Hint, ASecondCallDoesNotGiveTheLockUp) {
  EXPECT_EQ(hint({"bank.cpp:21 in set", "bank.cpp:22 in set", "bank.cpp:23 in set",
                  "bank.cpp:21 in set", "bank.cpp:22 in set", "bank.cpp:23 in set"}),
            "Hint: hold m from the first of these accesses to the last.");
  EXPECT_EQ(hint({"bank.cpp:21 in set", "bank.cpp:21 in set", "bank.cpp:21 in set",
                  "bank.cpp:21 in set", "bank.cpp:21 in set", "bank.cpp:21 in set"}),
            "Hint: hold m from the first of these accesses to the last.");
}

TEST(Hint, IsTheSameOfAStoredResult) {
  const Trace trace =
      bank({"bank.cpp:41 in take", "bank.cpp:42 in get", "bank.cpp:43 in log", "bank.cpp:44 in log",
            "bank.cpp:45 in set", "bank.cpp:46 in set"});
  const report::Report report = report_of(trace);
  const std::string text = text_of(report);
  EXPECT_NE(text.find("given up on purpose"), std::string::npos) << text;
  EXPECT_NE(text.find("in transfer around both accesses"), std::string::npos) << text;
  const auto results = report::StoredReports::parse(json_of(report), "result.json");
  ASSERT_TRUE(results.has_value()) << results.error().message;
  EXPECT_EQ(text_of(results->reports().front()), text);
}

}  // namespace
}  // namespace omnium::test
