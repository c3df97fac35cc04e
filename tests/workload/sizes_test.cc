// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Sizes that a family cannot have are errors that say what is missing.
#include "tests/workload/generated.h"

namespace omnium::test {
namespace {

std::string error_of(std::string_view family, const WorkloadOptions& options) {
  const auto source = make_workload(family, options);
  return source ? "none" : source.error().to_string();
}

TEST(GeneratedSizes, UnknownFamily) {
  EXPECT_EQ(error_of("bank", {}),
            "error: unknown family 'bank' (choose from locks, private, readshared, longtx, "
            "pipeline, chain, star, forkjoin, random, atomics, waits)");
}

TEST(GeneratedSizes, TooFewThreads) {
  EXPECT_EQ(error_of("locks", {.threads = 0}),
            "error: family locks: needs at least 1 threads, got 0");
  for (const char* family :
       {"longtx", "pipeline", "chain", "star", "forkjoin", "random", "waits"}) {
    EXPECT_EQ(error_of(family, {.threads = 1}),
              "error: family " + std::string(family) + ": needs at least 2 threads, got 1");
  }
  for (const WorkloadFamily& family : workload_families()) {
    EXPECT_NE(error_of(family.name, {.threads = 0}), "none") << family.name;
    EXPECT_NE(error_of(family.name, {.threads = 1, .violate = true}), "none") << family.name;
  }
}

TEST(GeneratedSizes, TooManyThreads) {
  for (const WorkloadFamily& family : workload_families()) {
    WorkloadOptions options{.events = 1'000, .threads = 65'537, .variables = 200'000};
    EXPECT_EQ(error_of(family.name, options), "error: family " + std::string(family.name) +
                                                  ": allows at most 65536 threads, got 65537");
    options.threads = 65'536;
    EXPECT_EQ(error_of(family.name, options), "none");
  }
}

TEST(GeneratedSizes, TooFewVariablesOrLocks) {
  EXPECT_EQ(error_of("locks", {.locks = 0}), "error: family locks: needs at least 1 locks, got 0");
  EXPECT_EQ(error_of("locks", {.variables = 1}),
            "error: family locks: needs at least 2 variables, got 1");
  EXPECT_EQ(error_of("private", {.threads = 8, .variables = 7}),
            "error: family private: needs at least 8 variables (one per thread), got 7");
  for (const WorkloadFamily& family : workload_families()) {
    EXPECT_NE(error_of(family.name, {.variables = 0}), "none") << family.name;
  }
}

TEST(GeneratedSizes, TooShortForAViolation) {
  for (const WorkloadFamily& family : workload_families()) {
    EXPECT_EQ(error_of(family.name, {.events = 199, .violate = true}),
              "error: family " + std::string(family.name) +
                  ": needs at least 200 events, got 199 (to plant a violation)");
  }
}

// The smallest sizes of each family do work.
TEST(GeneratedSizes, Smallest) {
  for (const WorkloadFamily& family : workload_families()) {
    for (std::uint32_t threads = 1; threads < 4; ++threads) {
      for (std::uint32_t variables = 1; variables < 8; ++variables) {
        for (std::uint32_t locks = 0; locks < 3; ++locks) {
          const WorkloadOptions options{300, threads, variables, locks, 1, false};
          const auto source = make_workload(family.name, options);
          if (!source) continue;
          EXPECT_EQ(read_all(**source).size(), 300u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace omnium::test
