// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/schedule_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace omnium::hunt {
namespace {

class ScheduleFileTest : public testing::Test {
 protected:
  ~ScheduleFileTest() override { std::filesystem::remove(path_); }
  Result<ScheduleFile> read(const std::string& text) const {
    std::ofstream(path_) << text;
    return read_schedule(path_);
  }
  std::string path_ = testing::TempDir() + "omnium-schedule-test.omh";
};

TEST_F(ScheduleFileTest, ComesBackAsItWas) {
  ScheduleFile file;
  file.command = {"/bin/a", "", "two words", "line\nend \\n"};
  file.build = "0123456789abcdef";
  file.options = "blocks=locks";
  file.environment = {"LANG=C", "TEXT=a=b\nc \\n"};
  file.cause = "av-1";
  file.failure = "killed by SIGSEGV at a.c:1 in f";
  file.found = "run 2, steered";
  file.steps = "module /bin/a\nstep 0 read 0:12\n";
  const auto read_back = read(to_text(file));
  ASSERT_TRUE(read_back) << read_back.error().message;
  EXPECT_EQ(read_back->command, file.command);
  EXPECT_EQ(read_back->build, file.build);
  EXPECT_EQ(read_back->options, file.options);
  EXPECT_EQ(read_back->environment, file.environment);
  EXPECT_EQ(read_back->cause, file.cause);
  EXPECT_EQ(read_back->failure, file.failure);
  EXPECT_EQ(read_back->found, file.found);
  EXPECT_EQ(read_back->perturb, "");
  EXPECT_EQ(read_back->steps, file.steps);
}

TEST_F(ScheduleFileTest, PausesHavePlaces) {
  ScheduleFile file;
  file.command = {"/bin/a"};
  file.pause = "7";
  file.places = "module /bin/a\npoint 0:12\n";
  const auto read_back = read(to_text(file));
  ASSERT_TRUE(read_back) << read_back.error().message;
  EXPECT_EQ(read_back->pause, file.pause);
  EXPECT_EQ(read_back->places, file.places);
  EXPECT_EQ(read_back->steps, "");
}

TEST_F(ScheduleFileTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(read("T1|r(x)|0\n").error().message, "is no schedule: `omnium hunt` writes them");
  const auto unknown = read("omnium-schedule 1\nprogram a\nwhatever 1\n");
  EXPECT_EQ(unknown.error().message, "unknown word 'whatever'");
  EXPECT_EQ(unknown.error().at.line, 3u);
  EXPECT_EQ(read("omnium-schedule 1\nperturb 1\n").error().message, "names no program");
  EXPECT_EQ(read("omnium-schedule 1\nprogram a\n").error().message, "says no way to go");
  EXPECT_FALSE(read_schedule("/nowhere.omh"));
}

}  // namespace
}  // namespace omnium::hunt
