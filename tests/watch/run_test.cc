// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium run` with a program that says what a runtime would say.
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/one_line.h"
#include "tests/support/subprocess.h"
#include "watch/program.h"

namespace omnium::test {
namespace {

using nlohmann::json;

constexpr char kBank[] = OMNIUM_BINARY_DIR "/fake-bank";

// `omnium run OPTIONS -- fake-bank WORDS`
Ran run(std::vector<std::string> words, std::vector<std::string> options = {}) {
  options.insert(options.begin(), "run");
  options.insert(options.end(), {"--", kBank});
  options.insert(options.end(), words.begin(), words.end());
  return omnium(options);
}

std::size_t count(const std::string& text, const std::string& part) {
  const std::string line = in_one_line(text), sought = in_one_line(part);
  std::size_t found = 0;
  for (std::size_t at = 0; (at = line.find(sought, at)) != std::string::npos; ++at) ++found;
  return found;
}

bool contains(const std::string& text, const std::string& part) { return count(text, part) > 0; }

// Without the folders, which differ from one machine to the next.
std::string everywhere(std::string text) {
  for (const std::string& folder :
       {std::string(OMNIUM_SOURCE_DIR), std::string(OMNIUM_BINARY_DIR)}) {
    for (std::size_t at; (at = text.find(folder + "/")) != std::string::npos;) {
      text.erase(at, folder.size() + 1);
    }
  }
  return text;
}

TEST(Run, ExplainsAFindingWithNamesAndPlaces) {
  const Ran ran = run({"hello", "modules", "find", "again", "goodbye"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_EQ(ran.out, "done\n");
  const std::string text = everywhere(ran.err);
  EXPECT_TRUE(contains(text, "lost update on bank::accounts[2].balance")) << text;
  EXPECT_TRUE(contains(text, "transfer (worker#2) must come before deposit (teller)")) << text;
  EXPECT_TRUE(contains(text, "lock bank::accounts[2].mutex")) << text;
  EXPECT_TRUE(contains(text, "Every access held bank::accounts[2].mutex")) << text;
  EXPECT_TRUE(contains(text, "fake_bank.cc:")) << text;
  EXPECT_TRUE(contains(text, "seen 14 times")) << text;
  EXPECT_FALSE(contains(text, "0x")) << text;
}

TEST(Run, TheSameCauseIsToldOnceAndCounted) {
  const Ran ran = run({"hello", "modules", "find", "find", "find"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_EQ(count(ran.err, "was not atomic"), 1u) << ran.err;
  EXPECT_TRUE(contains(ran.err, "seen 3 times")) << ran.err;
}

TEST(Run, TheStatusIsTheProgramsOwnIfNothingWasFound) {
  EXPECT_EQ(run({"hello"}).status, 0);
  EXPECT_EQ(run({"hello", "fail"}).status, 3);
  EXPECT_EQ(run({"hello", "leave"}).status, 0);
  const Ran failed = run({"hello", "modules", "find", "fail"});
  EXPECT_EQ(failed.status, 66);
  EXPECT_TRUE(contains(failed.err, "The program itself ended with exit status 3.")) << failed.err;
  EXPECT_EQ(run({"hello", "crash"}).status, -1) << "killed as the program was";
  const Ran crashed = run({"hello", "modules", "find", "crash"});
  EXPECT_EQ(crashed.status, 66);
  EXPECT_TRUE(contains(crashed.err, "The program itself was ended by signal ")) << crashed.err;
  EXPECT_FALSE(contains(run({"hello", "modules", "find"}).err, "The program itself"));
}

TEST(Run, NothingFoundIsSaid) {
  const Ran ran = run({"hello"});
  EXPECT_TRUE(contains(ran.err, "fake-bank: serializable")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "nothing was checked: no atomic block ran")) << ran.err;
}

TEST(Run, FindingsOfForkedProcessesCount) {
  EXPECT_EQ(run({"hello", "fork", "hello", "modules", "find"}).status, 66);
  EXPECT_EQ(run({"hello", "modules", "find", "fork", "hello", "modules", "find"}).status, 66);
}

TEST(Run, ProgramsThatAreExecutedAreWatchedToo) {
  const Ran ran = run({"hello", "modules", "exec", "hello", "modules", "find"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "bank::accounts[2].balance")) << ran.err;
}

TEST(Run, AStrippedProgramHasAddressesInsteadOfNames) {
  ScratchDirectory scratch;
  const std::string program = scratch.path("stripped");
  ASSERT_EQ(run_program({"strip", "-o", program, kBank}).status, 0);
  const Ran ran = omnium({"run", program, "hello", "modules", "find"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "lost update on stripped+0x")) << ran.err;
}

// The program's own engine is exact: what cannot be shown in full has happened all the same.
TEST(Run, WhatCannotBeExplainedIsStillAFinding) {
  const Ran violation = run({"hello", "modules", "lie"});
  EXPECT_EQ(violation.status, 66);
  const std::string text = everywhere(violation.err);
  EXPECT_TRUE(contains(text, "honest  was not atomic")) << text;
  EXPECT_TRUE(contains(text, "Seen at this event: T2 used bank::accounts[2].mutex; the events"))
      << text;
  EXPECT_TRUE(contains(text, "not serializable: 1 violation with 1 cause")) << text;
  const Ran cycle = run({"hello", "modules", "lie-of-a-cycle"});
  EXPECT_EQ(cycle.status, 66);
  EXPECT_TRUE(contains(cycle.err, "NOT SERIALIZABLE")) << cycle.err;
  EXPECT_TRUE(contains(cycle.err, "honest is part of a cycle of transactions")) << cycle.err;
  EXPECT_TRUE(contains(cycle.err, ": not serializable (")) << cycle.err;
}

// Every format says it, and every reader of a stored result exits alike.
TEST(Run, EveryFormatTellsOfWhatCannotBeExplained) {
  ScratchDirectory scratch;
  for (const char* word : {"lie", "lie-of-a-cycle"}) {
    const std::string stored = scratch.path("stored.json");
    EXPECT_EQ(run({"hello", "modules", word}, {"-f", "json", "-o", stored}).status, 66);
    const json report = json::parse(read_whole(stored));
    EXPECT_EQ(report["serializable"], false);
    const json cause = word[3] == '\0' ? report["causes"][0] : report["cycle_cause"];
    EXPECT_EQ(cause["explained"], false);
    EXPECT_EQ(cause["block"]["label"], "honest");
    for (const std::string format : {"text", "json", "sarif", "junit", "github", "html"}) {
      const std::string file = scratch.path("report." + format);
      EXPECT_EQ(run({"hello", "modules", word}, {"-f", format, "-o", file}).status, 66) << format;
      EXPECT_TRUE(contains(read_whole(file), "honest")) << format;
      EXPECT_EQ(omnium({"report", "-f", format, stored}).status, 66) << format;
    }
    for (const std::string format : {"dot", "perfetto"}) {
      EXPECT_EQ(run({"hello", "modules", word}, {"-f", format, "-o", scratch.path("x")}).status, 66)
          << format;
    }
  }
}

// A process that is killed has counted what it had no time to describe.
TEST(Run, WhatWasOnlyCountedIsNotSerializable) {
  ScratchDirectory scratch;
  const std::string stored = scratch.path("stored.json");
  const Ran ran = run({"hello", "modules", "count"}, {"-f", "json", "-o", stored});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "not serializable; 1 violation was seen, but the program did not"))
      << ran.err;
  const json report = json::parse(read_whole(stored));
  EXPECT_EQ(report["serializable"], false);
  EXPECT_EQ(report["undescribed"], 1);
  for (const std::string format : {"text", "json", "sarif", "junit", "github", "html"}) {
    const Ran again = omnium({"report", "-f", format, stored});
    EXPECT_EQ(again.status, 66) << format;
    const std::string sought =
        format == "json" || format == "html" ? "\"undescribed\":1" : "1 violation was seen";
    EXPECT_TRUE(contains(again.out, sought)) << format << again.out;
  }
  EXPECT_EQ(run({"hello", "modules", "find", "count"}).status, 66);
}

// The list adds up to the summary, whatever else was seen.
TEST(Run, CountsAddUp) {
  ScratchDirectory scratch;
  const std::string stored = scratch.path("stored.json");
  const Ran ran =
      run({"hello", "modules", "find", "again", "find", "cycles"}, {"-f", "json", "-o", stored});
  EXPECT_EQ(ran.status, 66);
  const json report = json::parse(read_whole(stored));
  std::uint64_t listed = 0;
  for (const json& cause : report["causes"]) listed += cause["count"].get<std::uint64_t>();
  EXPECT_EQ(report["instances"], listed);
  EXPECT_EQ(report["cycle_cause"]["count"], 2000);
  EXPECT_EQ(listed, 14 + 1 + 10u);  // a report has one cycle, others are listed as causes
  EXPECT_TRUE(contains(ran.err, "25 violations with 2 causes")) << ran.err;
}

TEST(Run, WhatWasNotCheckedIsNotCalledSerializable) {
  ScratchDirectory scratch;
  const std::string stored = scratch.path("stored.json");
  const Ran ran = run({"hello", "forget"}, {"-f", "json", "-o", stored});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(contains(ran.err, "no violation was found, but not everything was checked"))
      << ran.err;
  EXPECT_TRUE(json::parse(read_whole(stored))["serializable"].is_null());
}

TEST(Run, WatchesDaemonsToTheirEnd) {
  const Ran ran = run({"hello", "daemon", "nap", "hello", "modules", "find"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "lost update")) << ran.err;
}

TEST(Run, JsonReport) {
  ScratchDirectory scratch;
  const std::string file = scratch.path("report.json");
  const Ran ran = run({"hello", "modules", "find", "again"}, {"-f", "json", "-o", file, "--stats"});
  EXPECT_EQ(ran.status, 66);
  const json report = json::parse(read_whole(file));
  EXPECT_EQ(report["serializable"], false);
  EXPECT_EQ(report["instances"], 14);
  EXPECT_EQ(report["trace"]["path"], kBank);
  EXPECT_TRUE(report["trace"]["events"].is_null());
  const json& violation = report["violations"].at(0);
  EXPECT_EQ(violation["transaction"]["label"], "transfer");
  EXPECT_EQ(violation["pattern"], "lost update");
  EXPECT_TRUE(contains(violation["locations"]["event"], "fake_bank.cc:"));
  const json again = [&] {
    run({"hello", "modules", "find"}, {"-f", "json", "-o", file});
    return json::parse(read_whole(file));
  }();
  EXPECT_EQ(again["violations"][0]["id"], violation["id"]) << "ids are the same in the next run";
}

TEST(Run, TheReportSaysWhatTheProgramChecks) {
  ScratchDirectory scratch;
  const std::string file = scratch.path("report.json");
  const auto said = [&](const char* hello) {
    run({hello, "modules", "find"}, {"-f", "json", "-o", file});
    const json report = json::parse(read_whole(file));
    return fmt::format("{} {}", report["conflicts"].get<std::string>(),
                       report["waits"].get<std::string>());
  };
  EXPECT_EQ(said("hello"), "all keep");
  EXPECT_EQ(said("hello-data-split"), "data split");
}

TEST(Run, TheModeReachesTheRuntime) {
  const auto passed = [](std::vector<std::string> options) {
    options.insert(options.end(), {"--blocks", "annotated"});
    return run({"hello", "options"}, options).out;
  };
  EXPECT_EQ(passed({"--conflicts", "data"}), "blocks=annotated:conflicts=data\ndone\n");
  EXPECT_EQ(passed({"--waits", "split"}), "blocks=annotated:waits=split\ndone\n");
  EXPECT_EQ(passed({"--as-published"}), "blocks=annotated:conflicts=all:waits=keep\ndone\n");
  const Ran wrong = run({"hello"}, {"--conflicts", "some"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "unknown value of --conflicts 'some' (choose from data, all)"))
      << wrong.err;
}

TEST(Run, StacksAndSourceLinesOnRequest) {
  ScratchDirectory scratch;
  const std::string file = scratch.path("report.json");
  const Ran plain = run({"hello", "modules", "find"}, {"-f", "json", "-o", file});
  EXPECT_FALSE(contains(plain.err, "Stack of")) << plain.err;
  EXPECT_FALSE(contains(plain.err, "report.entry(thread,")) << plain.err;
  const json stack = json::parse(read_whole(file))["causes"][0]["stack"];
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0]["function"], "transfer");
  EXPECT_TRUE(contains(stack[0]["location"], "fake_bank.cc:"));
  EXPECT_TRUE(contains(stack[1]["function"], "(anonymous namespace)::lost_deposit"));
  const std::string told = "  Stack of worker#2 when the violation was detected:\n      transfer ";
  const Ran wordy = run({"hello", "modules", "find"}, {"--stacks", "--source"});
  EXPECT_TRUE(contains(wordy.err, told)) << wordy.err;
  EXPECT_TRUE(contains(wordy.err, "report.entry(thread,")) << wordy.err;
  EXPECT_TRUE(contains(omnium({"report", "--stacks", file}).out, told));
  EXPECT_FALSE(contains(omnium({"report", file}).out, told));
}

TEST(Run, TextReportAndLogGoIntoFiles) {
  ScratchDirectory scratch;
  const std::string report = scratch.path("report.txt"), log = scratch.path("log.txt");
  const Ran ran = run({"hello", "modules", "find"}, {"-o", report, "--log", log});
  EXPECT_EQ(ran.status, 66);
  EXPECT_FALSE(contains(ran.err, "lost update")) << ran.err;
  EXPECT_TRUE(contains(read_whole(log), "was not atomic"));
  EXPECT_TRUE(contains(read_whole(report), "was not atomic"));
}

TEST(Run, BrokenMessagesAreNotFindings) {
  for (const char* word : {"broken", "old"}) {
    const Ran ran = run({"hello", word});
    EXPECT_EQ(ran.status, 0) << word;
    EXPECT_TRUE(contains(ran.err, "omnium: warning: ")) << word << ran.err;
  }
  EXPECT_EQ(run({"hello", "modules", "broken", "find"}).status, 66);
}

TEST(Run, WarningsOfTheRuntimeAreShown) {
  const Ran ran = run({"hello", "warn", "more"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "warning: the specification matches no block")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "7 violations were seen, but the program did not")) << ran.err;
}

TEST(Run, OptionsReachTheRuntime) {
  ScratchDirectory scratch;
  const std::string spec = scratch.file("bank.spec", "atomic transfer\n");
  ::setenv("OMNIUM_OPTIONS", "history=7", 1);
  const Ran ran =
      run({"hello", "options"}, {"-s", spec, "--blocks", "functions", "--halt-on-error"});
  ::unsetenv("OMNIUM_OPTIONS");
  EXPECT_EQ(ran.out,
            fmt::format("history=7:spec={}:blocks=functions:halt_on_error=1\ndone\n", spec));
}

TEST(Run, TheRuntimeDecidesIfNothingIsDeclared) {
  EXPECT_EQ(run({"hello", "options"}).out, "undeclared=functions\ndone\n");
  EXPECT_EQ(run({"hello", "options"}, {"--no-refine"}).out,
            "undeclared=functions:refine=0\ndone\n");
}

TEST(Run, FunctionsOfTheSpecificationAreLookedUp) {
  ScratchDirectory scratch;
  const std::string some = scratch.file("some.spec", "atomic trans*\n");
  const std::string others = scratch.file("others.spec", "not-atomic deposit\n");
  EXPECT_EQ(run({"hello", "functions"}, {"-s", some}).out, "transfer 1 deposit 0\ndone\n");
  EXPECT_EQ(run({"hello", "functions"}, {"-s", others, "--blocks", "functions"}).out,
            "transfer 0 deposit 1\ndone\n")
      << "what is excluded";
  EXPECT_EQ(run({"hello", "functions"}, {"--blocks", "functions"}).out,
            "transfer 0 deposit 0\ndone\n");
  ::setenv("OMNIUM_OPTIONS", fmt::format("spec={}", some).c_str(), 1);
  const Ran ran = run({"hello", "functions"});
  ::unsetenv("OMNIUM_OPTIONS");
  EXPECT_EQ(ran.out, "transfer 1 deposit 0\ndone\n");
}

TEST(Run, WarnsOfRulesThatMatchNothing) {
  ScratchDirectory scratch;
  const std::string spec = scratch.file("x.spec", "atomic trans*\natomic nobody\natomic note\n");
  const std::string nobody =
      spec + ":2: 'atomic nobody' matches no function and no block that ran\n";
  const Ran ran = run({"hello", "functions"}, {"-s", spec});
  EXPECT_EQ(count(ran.err, "matches no"), 2u) << ran.err;
  EXPECT_TRUE(contains(ran.err, nobody)) << ran.err;
  const Ran later = run({"hello", "functions", "third-rule"}, {"-s", spec});
  EXPECT_EQ(count(later.err, "matches no"), 1u) << later.err;
  EXPECT_TRUE(contains(later.err, nobody)) << later.err;
}

TEST(Run, OfTheOptionsOfTheEnvironmentTheLastCounts) {
  ScratchDirectory scratch;
  const std::string first = scratch.file("first.spec", "atomic nobody\n");
  const std::string last = scratch.file("last.spec", "atomic nobody\n");
  ::setenv("OMNIUM_OPTIONS", fmt::format("spec={}:history=7:spec={}", first, last).c_str(), 1);
  const Ran ran = run({"hello", "functions"});
  ::unsetenv("OMNIUM_OPTIONS");
  EXPECT_TRUE(contains(ran.err, last + ":1: 'atomic nobody' matches no")) << ran.err;
  EXPECT_FALSE(contains(ran.err, first + ":1:")) << ran.err;
}

TEST(Run, TheProgramsWordsAreItsOwn) {
  EXPECT_EQ(omnium({"run", kBank, "hello", "-f", "nonesuch", "--help"}).out, "done\n");
  EXPECT_EQ(omnium({"run", "--color", "never", kBank, "hello", "--", "-o"}).out, "done\n");
}

TEST(Run, AProgramWithoutRuntimeIsBadInput) {
  ScratchDirectory scratch;
  const std::string source = scratch.file("plain.c", "int main(void) { return 0; }");
  const std::string plain = scratch.path("plain");
  for (const std::string option : {"", "-static", "-s"}) {
    ASSERT_EQ(shell(fmt::format("gcc {} {} -o {}", option, source, plain)).status, 0);
    const Ran ran = omnium({"run", "--", plain});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.err, "not instrumented")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "omnium c++")) << ran.err;
    EXPECT_EQ(contains(ran.err, "statically linked"), option == "-static") << ran.err;
    EXPECT_TRUE(contains(ran.err, "error: nothing was checked")) << ran.err;
  }
  const Ran silent = omnium({"run", "--", kBank});
  EXPECT_EQ(silent.status, 2);
  EXPECT_TRUE(contains(silent.err, "error: nothing was checked")) << silent.err;
}

TEST(Run, ScriptsMayStartTheProgram) {
  ScratchDirectory scratch;
  const std::string script =
      scratch.file("start.sh", fmt::format("#!/bin/sh\n{} hello modules find\nexit 5\n", kBank));
  ::chmod(script.c_str(), 0755);
  const Ran ran = omnium({"run", script});
  EXPECT_EQ(ran.status, 66);
  EXPECT_TRUE(contains(ran.err, "bank::accounts[2].balance")) << ran.err;
}

TEST(Run, ProgramsThatGainRightsAreRefused) {
  ScratchDirectory scratch;
  const std::string program = scratch.path("other");
  std::filesystem::copy_file(kBank, program);
  const uid_t nobody = 65534;
  if (::getuid() != 0 || ::chown(program.c_str(), nobody, nobody) != 0) GTEST_SKIP() << "not root";
  ::chmod(program.c_str(), 04755);
  ::chmod(scratch.path("").c_str(), 0755);
  EXPECT_TRUE(watch::find_program({program})) << "root may";
  ASSERT_EQ(::chown(program.c_str(), 0, 0), 0);
  ::chmod(program.c_str(), 04755);
  ASSERT_EQ(::seteuid(nobody), 0);
  const auto found = watch::find_program({program});
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_FALSE(found);
  EXPECT_TRUE(contains(found.error().message, "set-user-ID")) << found.error().message;
}

TEST(Run, BadInputIsTwoWithAMessage) {
  ScratchDirectory scratch;
  const std::string text = scratch.file("text", "no program");
  const std::string noise = scratch.file("noise", "\x01\x02\x03");
  ::chmod(noise.c_str(), 0755);
  const std::vector<std::vector<std::string>> calls = {
      {"run"},
      {"run", "--"},
      {"run", "nonesuch-program"},
      {"run", "--", scratch.path("nonesuch")},
      {"run", "--", text},
      {"run", "--", noise},
      {"run", "--", scratch.path("")},
      {"run", "--nonesuch", "--", kBank},
      {"run", "-f", "nonesuch", "--", kBank},
      {"run", "-f", "json", "--", kBank},
      {"run", "--blocks", "nonesuch", "--", kBank},
      {"run", "--color", "nonesuch", "--", kBank},
      {"run", "-s", scratch.path("missing.spec"), "--", kBank},
      {"run", "-s", scratch.file("bad.spec", "atomic\n"), "--", kBank},
      {"run", "-o", scratch.path("no/such/report"), "--", kBank},
      {"run", "--log", scratch.path("no/such/log"), "--", kBank},
      {"watch"},
      {"watch", "--channel", "17"},
      {"watch", "--channel", "0,1"},
  };
  for (const auto& call : calls) {
    const Ran ran = omnium(call);
    EXPECT_EQ(ran.status, 2) << testing::PrintToString(call);
    EXPECT_TRUE(contains(ran.err, "error: ")) << testing::PrintToString(call) << ran.err;
    EXPECT_EQ(ran.out, "") << testing::PrintToString(call);
  }
}

// `omnium run` beside the test.
class Background : public Started {
 public:
  explicit Background(const std::vector<std::string>& words) : Started(command(words)) {}

  // Waits until something was said that contains the text.
  bool says(const std::string& text) const {
    for (int i = 0; i < 1200; ++i) {
      if (contains(err(), text)) return true;
      ::usleep(50'000);
    }
    return false;
  }

 private:
  static std::vector<std::string> command(const std::vector<std::string>& words) {
    std::vector<std::string> all{OMNIUM_BINARY_DIR "/omnium", "run", "--", kBank};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
};

TEST(Run, SignalsGoToTheProgramAndTheReportIsStillMade) {
  Background found({"hello", "modules", "find", "wait"});
  ASSERT_TRUE(found.says("was not atomic"));
  found.send(SIGUSR1);
  EXPECT_TRUE(found.says("summary of 1 cause"));
  found.send(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(found.wait()), 66);

  Background nothing({"hello", "warn", "wait"});
  ASSERT_TRUE(nothing.says("warning"));
  nothing.send(SIGINT);
  const int status = nothing.wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
}

// A daemon that never ends: who started it may give up.
TEST(Run, SignalsEndTheWaitForWhatTheProgramLeftBehind) {
  Background daemon({"hello", "modules", "find", "daemon", "warn", "wait"});
  ASSERT_TRUE(daemon.says("warning"));
  // The first signals may go to the program, if omnium has not seen its end yet.
  while (!daemon.ends_within(100)) daemon.send(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(daemon.wait()), 66);
}

TEST(Run, SeesTheEndOfTheProgramWhateverSignalsAreIgnored) {
  const Ran ran = run_program({"env", "--ignore-signal=CHLD", OMNIUM_BINARY_DIR "/omnium", "run",
                               "--", kBank, "hello", "fail"});
  EXPECT_EQ(ran.status, 3);
}

}  // namespace
}  // namespace omnium::test
