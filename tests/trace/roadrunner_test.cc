// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/roadrunner.h"

#include <gtest/gtest.h>

#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

std::string to_std_text(std::string text) {
  return converted(std::move(text), TraceFormat::kRoadRunner, TraceFormat::kStd).value();
}

TEST(RoadRunner, ReadsEveryOperation) {
  EXPECT_EQ(
      to_std_text("@   Enter(1,test/Deadlock.doSomething()V)\r\n"
                  "@    ARd(2,null.test/Deadlock.value_I)  Final  Deadlock.java:50:7\n"
                  "@\tRd(2,x) a b\n@  AWr(2,y) a b c\n@  Wr(2,y) a b, c\n"
                  "@    Acquire(2,@03)\n@    Release(2,@03) more, text\n"
                  "@ Start(0,1)\n@ Join(0,1)\n@   Exit(1,test/Deadlock.doSomething()V)"),
      "1|begin(test/Deadlock.doSomething()V)|\n"
      "2|r(null.test/Deadlock.value_I)|Deadlock.java:50:7\n2|r(x)|b\n2|w(y)|b\n2|w(y)|b\n"
      "2|acq(@03)|\n2|rel(@03)|\n0|fork(1)|\n0|join(1)|\n1|end(test/Deadlock.doSomething()V)|\n");
}

TEST(RoadRunner, SkipsWhatIsNotAnEvent) {
  const std::string text =
      "[main: starting]\n@Acquire(1,l)\n@ Acquire(1, l)\n@ Acquire(1,)\n@ Acquire(,l)\n@ "
      "Acquire(1,l\n"
      "@ acquire(1,l)\n@ Rd(1,x)\n@ Rd(1,x) Final\n@ Rd(1,x) a,b c\n@ Volatile(1,x) a b\n @ "
      "Acquire(1,l)\n\n@"
      "\n@ \n@ Acquire(1,l)\n@ Dummy(1,l)\n@ Release(1,l)x\n";
  EXPECT_EQ(to_std_text(text), "1|acq(l)|\n1|rel(l)|\n");
  const auto source = source_of(text, TraceFormat::kRoadRunner);
  std::vector<Event> out(10);
  ASSERT_EQ(source->read(out).value(), 2u);
  EXPECT_EQ(source->position_of(0).line, 16u);
  EXPECT_EQ(source->position_of(1).line, 18u);
}

}  // namespace
}  // namespace omnium::test
