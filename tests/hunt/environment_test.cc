// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a schedule keeps of the environment, and how a replay brings it back.
#include "hunt/environment.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

namespace omnium::hunt {
namespace {

std::optional<std::string> value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool has(const Variables& variables, const char* one) {
  return std::ranges::find(variables, one) != variables.end();
}

class EnvironmentTest : public testing::Test {
 protected:
  EnvironmentTest() {
    ::setenv("OMP_NUM_THREADS", "3", 1);
    ::setenv("TZ", "", 1);
    ::setenv("OMNIUM_TEST_TOKEN", "secret", 1);
    ::setenv("OMNIUM_TEST_MODE", "fast", 1);
    ::unsetenv("LC_TIME");
  }
  ~EnvironmentTest() override {
    for (const char* name :
         {"OMP_NUM_THREADS", "TZ", "OMNIUM_TEST_TOKEN", "OMNIUM_TEST_MODE", "LC_TIME"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(EnvironmentTest, KeepsWhatIsKnownAndWhatIsNamed) {
  const auto kept = variables_to_keep({"OMNIUM_TEST_MODE"});
  ASSERT_TRUE(kept);
  EXPECT_TRUE(has(*kept, "OMP_NUM_THREADS=3"));
  EXPECT_TRUE(has(*kept, "TZ="));
  EXPECT_TRUE(has(*kept, "OMNIUM_TEST_MODE=fast"));
  EXPECT_FALSE(has(*kept, "OMNIUM_TEST_TOKEN=secret"));
  EXPECT_TRUE(std::ranges::is_sorted(*kept));
  EXPECT_EQ(variables_named({"OMNIUM_TEST_MODE", "OMNIUM_TEST_NONE"}),
            Variables{"OMNIUM_TEST_MODE=fast"});
}

TEST_F(EnvironmentTest, OptionsNameVariablesOrSetThem) {
  const auto names = take_variables({"OMNIUM_TEST_TOKEN", "OMNIUM_TEST_MODE=a=b"});
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"OMNIUM_TEST_TOKEN", "OMNIUM_TEST_MODE"}));
  EXPECT_EQ(value_of("OMNIUM_TEST_MODE"), "a=b");
  EXPECT_EQ(take_variables({"=x"}).error().message, "--env needs a name, got '=x'");
  EXPECT_EQ(take_variables({"OMNIUM_TEST_NONE"}).error().message,
            "--env OMNIUM_TEST_NONE: it is not set; --env OMNIUM_TEST_NONE=VALUE sets it");
}

TEST_F(EnvironmentTest, AReplayHasTheEnvironmentOfTheHunt) {
  restore_variables({"OMNIUM_TEST_MODE=slow", "LC_TIME=C", "broken"}, {});
  EXPECT_EQ(value_of("OMNIUM_TEST_MODE"), "slow");
  EXPECT_EQ(value_of("LC_TIME"), "C");
  EXPECT_EQ(value_of("OMP_NUM_THREADS"), std::nullopt) << "the hunt did not have it";
  EXPECT_EQ(value_of("OMNIUM_TEST_TOKEN"), "secret") << "nobody knows what the hunt had";
}

TEST_F(EnvironmentTest, AReplayMayAskForSomethingElse) {
  restore_variables({"OMNIUM_TEST_MODE=slow"}, {"OMNIUM_TEST_MODE", "OMP_NUM_THREADS"});
  EXPECT_EQ(value_of("OMNIUM_TEST_MODE"), "fast");
  EXPECT_EQ(value_of("OMP_NUM_THREADS"), "3");
}

TEST_F(EnvironmentTest, ThereIsALimit) {
  ::setenv("OMNIUM_TEST_MODE", std::string(2048, 'x').c_str(), 1);
  EXPECT_TRUE(variables_to_keep({}));
  const auto kept = variables_to_keep({"OMNIUM_TEST_MODE"});
  ASSERT_FALSE(kept);
  EXPECT_TRUE(kept.error().message.find("OMNIUM_TEST_MODE") != std::string::npos);
}

}  // namespace
}  // namespace omnium::hunt
