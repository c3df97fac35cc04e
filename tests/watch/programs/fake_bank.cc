// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Claims that a deposit was lost between two critical sections of a transfer. What else happens is
// said by the arguments.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>

#include <sys/wait.h>

#include "tests/watch/programs/fake_runtime.h"

using namespace fake;

namespace bank {

struct Account {
  long number = 0;
  long balance = 0;
  std::mutex mutex;
};

Account accounts[4];

}  // namespace bank

namespace {

using Kind = EntryKind;

const std::uint64_t kMutex = address(&bank::accounts[2].mutex);
const std::uint64_t kBalance = address(&bank::accounts[2].balance);

void* worker(void*) { return nullptr; }

}  // namespace

// The entries of a thread, each with the line that it stands on.
[[gnu::noinline]] void transfer(Report& report, std::uint32_t thread, std::uint32_t label) {
  report.entry(thread, Kind::kBegin, label, here(), 10, 100);
  report.entry(thread, Kind::kAcquire, kMutex, here(), 10, 101);
  report.entry(thread, Kind::kRead, kBalance, here(), 10, 0, 8);
  report.entry(thread, Kind::kRelease, kMutex, here(), 10, 102);
  report.entry(thread, Kind::kAcquire, kMutex, here(), 11, 106);
  report.entry(thread, Kind::kWrite, kBalance, here(), 11, 0, 8);
}

[[gnu::noinline]] void deposit(Report& report, std::uint32_t thread, std::uint32_t label) {
  report.entry(thread, Kind::kBegin, label, here(), 30, 103);
  report.entry(thread, Kind::kAcquire, kMutex, here(), 31, 104);
  report.entry(thread, Kind::kWrite, kBalance, here(), 31, 0, 8);
  report.entry(thread, Kind::kRelease, kMutex, here(), 31, 105);
  report.entry(thread, Kind::kEnd, label, here(), 32, 0);
}

namespace {

std::string lost_deposit(Runtime& runtime, std::uint32_t number) {
  Report report;
  const auto first = report.thread(2, address(&worker));
  const auto second = report.thread(5, address(&worker), "teller");
  const auto transfers = report.label(address(&transfer));
  const auto deposits = report.label("deposit");
  report.block(transfers, true, 10, 0);
  transfer(report, first, transfers);
  report.stack = {report.entries.back().pc, here()};
  deposit(report, second, deposits);
  report.steps.push_back(
      {kMutex, 10, 31, 0, 0, first, second, StepKind::kReleaseAcquire, {}, {}, 0, 0});
  report.steps.push_back(
      {kMutex, 31, 11, 0, 0, second, first, StepKind::kReleaseAcquire, {}, {}, 0, 0});
  return report.packet(runtime, number, first);
}

// Two blocks one after the other, and a step that leads nowhere.
std::string lie(Runtime& runtime, bool increasing, std::uint32_t number = 0,
                const std::string& name = "honest") {
  Report report;
  const auto first = report.thread(2, 0), second = report.thread(3, 0);
  report.block(report.label(name), true, 10, 0);
  report.steps.push_back(
      {kMutex, 20, 11, 0, 0, second, first, StepKind::kReleaseAcquire, {}, {}, 0, 0});
  return report.packet(runtime, number, first, increasing);
}

void find(Runtime& runtime) {
  const std::uint32_t number = runtime.counters().numbers++;
  ++runtime.counters().seen[number];
  runtime.send(lost_deposit(runtime, number));
}

// Two cycles without a block to blame, the first of them again and again.
void cycles(Runtime& runtime) {
  for (const std::string name : {"honest", "decent", "honest"}) {
    const std::uint32_t number = runtime.counters().numbers++;
    runtime.counters().seen[number] = name == "honest" ? 1000 : 10;
    runtime.send(lie(runtime, false, number, name));
  }
}

void print_functions(Runtime& runtime) {
  runtime.modules(true);
  const auto found = runtime.functions();
  const auto has = [&](std::uint64_t function) {
    return std::any_of(found.begin(), found.end(),
                       [&](const auto& range) { return range.begin == function; });
  };
  std::printf("transfer %d deposit %d\n", has(address(&transfer)), has(address(&deposit)));
}

// What a program could do that wants to harm the watcher. The words of the first column are
// followed by "=" and what they are about.
void attack(Runtime& runtime, const std::string& word) {
  const std::string about = word.substr(word.find('=') + 1);
  if (word.starts_with("claim=")) runtime.claim(about);
  if (word.starts_with("claim-often=")) {
    for (int i = 0; i < 20'000; ++i) runtime.claim(about, true);
  }
  if (word == "truncate") std::printf("%d\n", ::ftruncate(runtime.counters_file(), 0));
  if (word == "empty") runtime.send("");
  if (word == "chatter") {
    for (int i = 0; i < 100'000; ++i) runtime.warning("so what");
  }
  if (word == "repeat") {
    const std::string packet = lost_deposit(runtime, 0);
    for (int i = 0; i < 20'000; ++i) runtime.send(packet);
  }
  if (word == "as-others") {
    for (std::uint32_t process = 1; process < 50'000; ++process) {
      runtime.pretend(process);
      runtime.modules();
    }
  }
  if (word == "descriptors") {
    for (int i = 0; i < 5'000; ++i) send_packet(runtime.socket(), "", 0, STDIN_FILENO);
  }
}

void act(Runtime& runtime, const std::string& word) {
  attack(runtime, word);
  if (word == "hello") runtime.hello();
  if (word == "hello-data-split") {
    runtime.hello(kVersion, {omnium::Conflicts::kData, omnium::Waits::kSplit});
  }
  if (word == "modules") runtime.modules();
  if (word == "functions") print_functions(runtime);
  if (word == "find") find(runtime);
  if (word == "again") runtime.counters().seen[0] += 13;
  if (word == "more") runtime.counters().more += 7;
  if (word == "third-rule") runtime.counters().rule_used[2] = true;
  if (word == "goodbye") runtime.goodbye();
  if (word == "warn") runtime.warning("the specification matches no block");
  if (word == "broken") runtime.send(lost_deposit(runtime, 0).substr(0, 200));
  if (word == "lie") runtime.send(lie(runtime, true));
  if (word == "lie-of-a-cycle") runtime.send(lie(runtime, false));
  if (word == "cycles") cycles(runtime);
  if (word == "count") ++runtime.counters().seen[runtime.counters().numbers++];
  if (word == "forget") runtime.counters().forgotten += 3;
  if (word == "old") runtime.hello(kVersion + 1);
  if (word == "options") std::printf("%s\n", std::getenv("OMNIUM_OPTIONS"));
  if (word == "crash") std::abort();
  if (word == "wait") ::pause();
  if (word == "fail") std::exit(3);
  if (word == "leave") ::_exit(0);
  if (word == "fork" && ::fork() != 0) {
    ::wait(nullptr);
    std::exit(0);
  }
  if (word == "daemon" && ::fork() != 0) std::exit(0);
  if (word == "nap") ::usleep(200'000);
}

}  // namespace

int main(int argc, char** argv) {
  Runtime runtime;
  if (!runtime.watched()) return 0;
  for (int i = 1; i < argc; ++i) {
    // The other words are for another program.
    if (std::string(argv[i]) == "exec") ::execv("/proc/self/exe", argv + i);
    act(runtime, argv[i]);
  }
  std::puts("done");
  return 0;
}
