// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Checks of recordings whose blocks are functions that nobody declared atomic.
#include <gtest/gtest.h>

#include "engines/checker.h"
#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

constexpr const char* kRemark = "T1|signal(blocks are not declared)|\n";

// serve() is not atomic, which would hide that take(), which it calls, is not either. take() is
// seen twice, the second time with a shorter cycle.
constexpr const char* kNested =
    "T1|begin(serve)|\nT1|r(a)|\nT2|w(a)|\nT1|r(a)|\n"
    "T1|begin(take)|\nT1|r(x)|\n"
    "T2|begin(put)|\nT2|w(x)|\nT2|w(y)|\nT2|end(put)|\n"
    "T3|begin(log)|\nT3|r(y)|\nT3|w(z)|\nT3|end(log)|\n"
    "T1|r(z)|\nT1|end(take)|\n"
    "T1|begin(take)|\nT1|r(x)|\nT2|w(x)|\nT1|w(x)|\nT1|end(take)|\n"
    "T1|end(serve)|\n";

struct Blamed {
  std::string label;
  std::size_t steps;
  friend bool operator==(const Blamed&, const Blamed&) = default;
};

std::vector<Blamed> blamed(const std::string& trace, bool refines,
                           const Specification* specification = nullptr) {
  const auto source = source_of(trace, TraceFormat::kStd);
  CheckOptions options;
  options.refines = refines;
  options.specification = specification;
  const auto outcome = check_trace(*source, *find_engine(kDefaultEngine), options);
  if (!outcome) return {};
  std::vector<Blamed> out;
  for (const Violation& violation : outcome->violations) {
    EXPECT_NE(violation.end, kNoEvent);
    const std::uint32_t label = violation.refuted.front().label.v;
    out.push_back({std::string(source->names().labels.name(label)), violation.witness.size()});
  }
  return out;
}

TEST(RefinedCheck, EveryFunctionIsToldOnceByItsShortestWitness) {
  const std::vector<Blamed> expected{{"serve", 2}, {"take", 2}};
  EXPECT_EQ(blamed(std::string(kRemark) + kNested, true), expected);
}

TEST(RefinedCheck, OnlyIfItIsAskedForAndNobodyDeclaredTheBlocks) {
  const std::vector<Blamed> first{{"serve", 2}};
  EXPECT_EQ(blamed(std::string(kRemark) + kNested, false), first);
  EXPECT_EQ(blamed(kNested, true), first);
  Specification declared;
  declared.exclude("main");
  EXPECT_EQ(blamed(std::string(kRemark) + kNested, true, &declared), first);
}

}  // namespace
}  // namespace omnium::test
