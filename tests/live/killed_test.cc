// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The program, or omnium, is killed at any moment, or the disk is full: the verdict is never wrong,
// and what was complete is not lost.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/environment.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kOmnium[] = OMNIUM_BINARY_DIR "/omnium";

// Its argument is a file of two numbers: its own process, and how many blocks have ended.
constexpr char kProgram[] = R"(
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <omnium/atomic.h>
std::mutex mutex;
long value = 0;
[[gnu::no_sanitize_thread]] void note(long* at, long it) { *static_cast<volatile long*>(at) = it; }
int main(int, char** arguments) {
  const int file = open(arguments[1], O_RDWR);
  auto* told = static_cast<long*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  const long most = std::atol(arguments[2]);
  note(told, getpid());
  const auto work = [&](long* mine) {
    for (long i = 1; i <= most; ++i) {
      { OMNIUM_ATOMIC("add"); std::lock_guard lock(mutex); value += 1; }
      note(mine, i);
    }
  };
  std::thread first(work, told + 1), second(work, told + 2);
  first.join();
  second.join();
}
)";

class Killed : public testing::Test {
 protected:
  static constexpr long kForever = 1'000'000'000;

  void SetUp() override {
    const std::string source = scratch_.file("program.cpp", kProgram);
    const Ran built = run_program({kOmnium, "c++", "-std=c++20", "-O1", "-I", OMNIUM_SOURCE_DIR,
                                   source, "-o", program_, "-pthread"});
    ASSERT_EQ(built.status, 0) << built.err;
    std::ofstream(told_) << std::string(4096, '\0');
    const int file = ::open(told_.c_str(), O_RDWR | O_CLOEXEC);
    void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    ASSERT_NE(memory, MAP_FAILED);
    numbers_ = static_cast<volatile long*>(memory);
  }

  std::vector<std::string> command(std::vector<std::string> words, long most) const {
    words.insert(words.begin(), kOmnium);
    words.insert(words.end(), {"--", program_, told_, std::to_string(most)});
    return words;
  }

  pid_t process() const { return static_cast<pid_t>(numbers_[0]); }
  long blocks() const { return numbers_[1] + numbers_[2]; }
  void forget() {
    for (int i = 0; i < 3; ++i) numbers_[i] = 0;
  }

  // Waits until the program runs, and then for a random time.
  void wait_a_while() {
    while (process() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % 30'000));
  }

  // The trace is serializable, and has all blocks that had ended.
  void expect_whole(const std::string& trace, long blocks) {
    const Ran checked = omnium({"check", "-f", "json", trace});
    ASSERT_EQ(checked.status, 0) << checked.out << checked.err;
    const json report = json::parse(checked.out);
    EXPECT_EQ(report["serializable"], true);
    EXPECT_GE(report["trace"]["blocks"].get<long>(), blocks);
  }

  ScratchDirectory scratch_;
  const std::string program_ = scratch_.path("program"), told_ = scratch_.path("told");
  volatile long* numbers_ = nullptr;
  std::mt19937 random_{std::random_device{}()};
};

constexpr int kRounds = 8;

TEST_F(Killed, ARecordedProgramHasARecordingOfAllThatEnded) {
  for (int i = 0; i < kRounds; ++i) {
    forget();
    const std::string trace = scratch_.path(fmt::format("{}.omt", i));
    Started record(command({"record", "-o", trace}, kForever));
    wait_a_while();
    const long ended = blocks();
    ::kill(process(), SIGKILL);
    const int status = record.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << record.err();
    expect_whole(trace, ended);
  }
}

TEST_F(Killed, IfTheRecorderIsKilledTheRawLogIsWhole) {
  for (int i = 0; i < kRounds; ++i) {
    forget();
    const std::string trace = scratch_.path(fmt::format("{}.omt", i));
    Started record(command({"record", "-o", trace}, kForever));
    wait_a_while();
    const long ended = blocks();
    record.send(SIGKILL);
    record.wait();
    ::kill(process(), SIGKILL);
    EXPECT_FALSE(fs::exists(trace));
    for (const std::string& name : scratch_.names()) {
      if (name.find(".raw-") == std::string::npos) continue;
      expect_whole(scratch_.path(name), ended);
      fs::remove(scratch_.path(name));
    }
  }
}

TEST_F(Killed, AProgramThatIsCheckedGetsNoVerdictButItsOwnEnd) {
  for (int i = 0; i < kRounds; ++i) {
    forget();
    Started run(command({"run"}, kForever));
    wait_a_while();
    ::kill(process(), SIGKILL);
    const int status = run.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << run.err();
  }
}

TEST_F(Killed, WithoutItsWatcherAProgramGoesOn) {
  constexpr long kMost = 20'000;
  for (int i = 0; i < kRounds; ++i) {
    forget();
    Started run(command({"run"}, kMost));
    wait_a_while();
    const pid_t program = process();
    ::kill(run.process(), SIGKILL);
    for (int k = 0; k < 2000 && ::kill(program, 0) == 0 && blocks() < 2 * kMost; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(blocks(), 2 * kMost);
    run.wait();
  }
}

TEST_F(Killed, AFullDiskLeavesABeginning) {
  for (int i = 0; i < kRounds; ++i) {
    forget();
    const std::string trace = scratch_.path(fmt::format("{}.omt", i));
    std::string line = fmt::format("ulimit -f {};", 600 + random_() % 4000);
    for (const std::string& word : command({"record", "-o", trace}, 20'000)) line += " " + word;
    const Ran ran = shell(line);
    EXPECT_EQ(blocks(), 40'000) << "the program goes on: " << ran.err;
    if (ran.status == 0) {
      expect_whole(trace, 0);
    } else {
      EXPECT_EQ(ran.status, 2) << ran.err;
    }
  }
}

}  // namespace
}  // namespace omnium::test
