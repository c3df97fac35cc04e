// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Steps of a target: who has to wait for whom, and when the target starts again.
#include "runtime/schedule/progress.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

namespace omnium::runtime {
namespace {

int take_bias(dl_phdr_info* info, std::size_t, void* to) {
  *static_cast<Pc*>(to) = info->dlpi_addr;
  return 1;  // the first one is the program
}

class Steps : public testing::Test {
 protected:
  // Addresses of the steps are those of this program's file.
  void read(const std::string& steps) {
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    const auto path =
        std::filesystem::temp_directory_path() / ("steps-" + std::to_string(::getpid()));
    std::ofstream(path) << "omnium-schedule 1\nmodule " << program.string() << "\n" << steps;
    progress_.read(path.c_str());
    std::filesystem::remove(path);
    dl_iterate_phdr(take_bias, &bias_);
  }
  Point at(PointKind kind, Pc address, std::uintptr_t memory = 0x1000) const {
    return {kind, memory, 4, bias_ + address};
  }
  Answer look(std::uint32_t thread, const Point& point) const {
    return progress_.look(thread, point);
  }

  Progress progress_;
  Pc bias_ = 0;
};

constexpr PointKind kRead = PointKind::kRead, kWrite = PointKind::kWrite,
                    kAcquire = PointKind::kAcquire;

TEST_F(Steps, TheSecondOneWaitsForTheFirst) {
  read("step 0 read 0:10\nstep 1 write 0:20 same 0\nstep 0 write 0:30 same 1\n");
  EXPECT_TRUE(progress_.may_contain(bias_ + 0x20));
  EXPECT_EQ(look(7, at(kWrite, 0x20)), Answer::kWait);
  EXPECT_EQ(look(7, at(kWrite, 0x99)), Answer::kGo) << "not a place of the target";
  EXPECT_EQ(look(7, at(kRead, 0x20)), Answer::kGo) << "not the access that is meant";
  EXPECT_TRUE(progress_.go(5, at(kRead, 0x10)).changed);
  // Nobody else plays its role from then on, and it does not play another one.
  EXPECT_EQ(look(5, at(kWrite, 0x30)), Answer::kWait);
  EXPECT_EQ(look(6, at(kWrite, 0x30)), Answer::kGo);
  EXPECT_FALSE(progress_.go(5, at(kWrite, 0x20)).changed);
  const Progress::Done second = progress_.go(7, at(kWrite, 0x20));
  EXPECT_TRUE(second.changed && !second.is_over);
  const Progress::Done third = progress_.go(5, at(kWrite, 0x30));
  EXPECT_TRUE(third.changed && third.is_over);
}

TEST_F(Steps, LookingDoesNothing) {
  read("step 0 read 0:10\nstep 1 write 0:20\n");
  EXPECT_EQ(look(5, at(kRead, 0x10)), Answer::kGo);
  EXPECT_EQ(look(7, at(kWrite, 0x20)), Answer::kWait);
}

TEST_F(Steps, MeanTheSameMemory) {
  read("step 0 read 0:10\nstep 1 write 0:20 same 0\n");
  progress_.go(5, at(kRead, 0x10, 0x1000));
  EXPECT_FALSE(progress_.go(7, at(kWrite, 0x20, 0x2000)).changed);
  EXPECT_TRUE(progress_.go(7, at(kWrite, 0x20, 0x1004)).is_over) << "they overlap";
}

TEST_F(Steps, StopAtTheGate) {
  read("step 0 read 0:10\nstep 1 write 0:20 gate 0:18\n");
  EXPECT_EQ(look(7, at(kAcquire, 0x18)), Answer::kWait);
  EXPECT_EQ(look(7, at(kWrite, 0x20)), Answer::kGo) << "it holds the lock already";
  progress_.go(5, at(kRead, 0x10));
  EXPECT_EQ(look(7, at(kAcquire, 0x18)), Answer::kGo);
  EXPECT_TRUE(progress_.go(7, at(kWrite, 0x20)).is_over);
}

TEST_F(Steps, StartAgainIfOneCameThroughItsGateTooEarly) {
  read("step 0 read 0:10\nstep 1 read 0:20\nstep 0 write 0:30 gate 0:28\n");
  progress_.go(5, at(kRead, 0x10));
  EXPECT_TRUE(progress_.go(5, at(kWrite, 0x30)).changed);
  EXPECT_EQ(look(7, at(kRead, 0x20)), Answer::kWait) << "the first step is to come again";
  EXPECT_TRUE(progress_.go(6, at(kRead, 0x10)).changed) << "by anybody";
}

TEST_F(Steps, HoldAndComeLate) {
  read("step 0 read 0:10 hold\nstep 1 write 0:20 late\nstep 0 write 0:30 gate 0:28 late\n");
  EXPECT_TRUE(progress_.go(5, at(kRead, 0x10)).holds);
  EXPECT_EQ(look(7, at(kWrite, 0x20)), Answer::kGoLate);
  EXPECT_FALSE(progress_.go(7, at(kWrite, 0x20)).holds);
  EXPECT_EQ(look(5, at(kAcquire, 0x28)), Answer::kGoLate);
  EXPECT_EQ(look(5, at(kWrite, 0x30)), Answer::kGo) << "it was late at its gate";
}

}  // namespace
}  // namespace omnium::runtime
