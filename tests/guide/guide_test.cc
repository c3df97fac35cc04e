// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The guide says what happens: every file that it shows is written, every command is run in order,
// and what it prints is what the page shows.
//
//   ```LANGUAGE file=NAME                            the block is that file
//   ```LANGUAGE replace=NAME from=/REGEX/ to=/REGEX/  the block takes the place of those lines
//   ```console                                       commands after "$ ", what they print, and
//                                                    [exit status N] if it is not 0; … stands for
//                                                    anything, alone on its line for any lines
//   ```console runtime                               the same, if this omnium can run programs
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <span>

#include <gtest/gtest.h>

#include "support/text_file.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;

const fs::path kGuide = OMNIUM_SOURCE_DIR "/docs/guide";

struct Fence {
  std::string kind;  // what stands behind the backquotes
  std::vector<std::string> lines;
  std::size_t at = 0;  // line of the page
};

std::vector<Fence> fences_of(const fs::path& page) {
  std::vector<Fence> fences;
  const std::string text = read_whole(page.string());
  bool inside = false;
  std::size_t number = 0;
  for (const std::string_view line : support::lines_of(text)) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) fences.push_back({std::string(line.substr(3)), {}, number});
    } else if (inside) {
      fences.back().lines.emplace_back(line);
    }
  }
  EXPECT_FALSE(inside) << page;
  return fences;
}

struct Step {
  std::string command;
  std::vector<std::string> expected;
  int status = 0;
  std::size_t at = 0;
};

std::vector<Step> steps_of(const Fence& fence) {
  static const std::regex exit_status(R"(\[exit status (\d+)\])");
  std::vector<Step> steps;
  for (std::size_t i = 0; i < fence.lines.size(); ++i) {
    const std::string& line = fence.lines[i];
    std::smatch match;
    if (line.starts_with("$ ")) {
      steps.push_back({line.substr(2), {}, 0, fence.at + i + 1});
    } else if (std::regex_match(line, match, exit_status)) {
      steps.back().status = std::stoi(match[1]);
    } else {
      steps.back().expected.push_back(line);
    }
  }
  return steps;
}

using Lines = std::span<const std::string_view>;
constexpr std::string_view kAnything = "…";

// Is `text` made of the pieces between the gaps of `expected`, with anything in the place of each
// gap? The first place where a piece fits is as good as any other.
template <class T, class Same>
bool fits(std::span<const T> text, std::span<const T> expected, std::span<const T> gap, Same same) {
  const auto starts_with = [&](std::span<const T> piece) {
    return text.size() >= piece.size() && std::ranges::equal(text.first(piece.size()), piece, same);
  };
  for (bool after_gap = false;; after_gap = true) {
    const auto next = std::search(expected.begin(), expected.end(), gap.begin(), gap.end());
    const auto piece = expected.first(static_cast<std::size_t>(next - expected.begin()));
    const bool last = next == expected.end();
    if (after_gap && last && text.size() > piece.size()) text = text.last(piece.size());
    while (after_gap && !last && !text.empty() && !starts_with(piece)) text = text.subspan(1);
    if (!starts_with(piece)) return false;
    text = text.subspan(piece.size());
    if (last) return text.empty();
    expected = expected.subspan(piece.size() + gap.size());
  }
}

bool line_fits(std::string_view line, std::string_view expected) {
  return fits<char>(line, expected, kAnything, std::equal_to());
}

bool fit(Lines printed, Lines expected) {
  return fits<std::string_view>(printed, expected, {&kAnything, 1}, line_fits);
}

void write_file(const ScratchDirectory& folder, const Fence& fence, const std::string& name) {
  fs::create_directories(fs::path(folder.path(name)).parent_path());
  std::string text;
  for (const std::string& line : fence.lines) text += line + "\n";
  folder.file(name, text);
}

void replace_lines(const ScratchDirectory& folder, const Fence& fence, const std::string& name,
                   const std::string& from, const std::string& to) {
  const std::string old = read_whole(folder.path(name));
  std::string text;
  enum { kBefore, kInside, kAfter } state = kBefore;
  for (const std::string_view view : support::lines_of(old)) {
    const std::string line(view);
    if (state == kBefore && std::regex_search(line, std::regex(from))) {
      state = kInside;
      for (const std::string& added : fence.lines) text += added + "\n";
    }
    if (state != kInside) text += line + "\n";
    if (state == kInside && std::regex_search(line, std::regex(to))) state = kAfter;
  }
  EXPECT_EQ(state, kAfter) << name << ": no lines from " << from << " to " << to;
  folder.file(name, text);
}

void run_steps(const ScratchDirectory& folder, const fs::path& page, const Fence& fence) {
  for (const Step& step : steps_of(fence)) {
    const std::string where = page.filename().string() + ":" + std::to_string(step.at) + ": ";
    const Ran ran = shell("cd '" + folder.path(".") +
                          "' && PATH='" OMNIUM_BINARY_DIR "':$PATH EXAMPLES='" OMNIUM_SOURCE_DIR
                          "/examples' && export PATH "
                          "EXAMPLES && exec 2>&1 && " +
                          step.command);
    EXPECT_EQ(ran.status, step.status) << where << step.command << "\n" << ran.out;
    const std::vector<std::string_view> expected(step.expected.begin(), step.expected.end());
    EXPECT_TRUE(fit(support::lines_of(ran.out), expected)) << where << step.command << " printed\n"
                                                           << ran.out;
  }
}

bool can_run_programs() {
  static const bool can = omnium({"help"}).out.find("\n  run ") != std::string::npos;
  return can;
}

void follow(const fs::path& page) {
  static const std::regex file(R"(file=(\S+))");
  static const std::regex replace(R"(replace=(\S+) from=/([^/]+)/ to=/([^/]+)/)");
  const ScratchDirectory folder;
  std::size_t commands = 0;
  for (const Fence& fence : fences_of(page)) {
    std::smatch match;
    if (std::regex_search(fence.kind, match, file)) {
      write_file(folder, fence, match[1]);
    } else if (std::regex_search(fence.kind, match, replace)) {
      replace_lines(folder, fence, match[1], match[2], match[3]);
    } else if (fence.kind == "console" || (fence.kind == "console runtime" && can_run_programs())) {
      run_steps(folder, page, fence);
      ++commands;
    } else {
      EXPECT_FALSE(fence.kind.starts_with("console") && fence.kind != "console runtime")
          << page << ":" << fence.at;
    }
  }
  EXPECT_GT(commands, 0u) << page;
}

TEST(Guide, Tutorial) { follow(kGuide / "tutorial.md"); }
TEST(Guide, Hunting) { follow(kGuide / "hunting.md"); }
TEST(Guide, Debugging) { follow(kGuide / "debugging.md"); }
TEST(Guide, Service) { follow(kGuide / "service.md"); }
TEST(Guide, WhatIsAtomic) { follow(kGuide / "what-is-atomic.md"); }
TEST(Guide, FalseAlarms) { follow(kGuide / "false-alarms.md"); }
TEST(Guide, Performance) { follow(kGuide / "performance.md"); }
TEST(Guide, ContinuousIntegration) { follow(kGuide / "ci.md"); }

// Every page is a topic of `omnium help`, and the index names it.
TEST(Guide, PagesAreTopics) {
  const std::string overview = omnium({"help"}).out, index = read_whole(kGuide / "README.md");
  for (const auto& entry : fs::directory_iterator(kGuide)) {
    const std::string name = entry.path().stem().string();
    if (name == "README") continue;
    EXPECT_NE(overview.find("\n  " + name + " "), std::string::npos) << name;
    EXPECT_NE(index.find("(" + name + ".md)"), std::string::npos) << name;
    const Ran page = omnium({"help", name});
    EXPECT_EQ(page.status, 0);
    EXPECT_EQ(page.out.find("```"), std::string::npos);
    EXPECT_EQ(page.out.find("]("), std::string::npos) << name;
    EXPECT_GT(page.out.size(), 1000u) << name;
  }
}

// Links of all documents lead somewhere.
TEST(Guide, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const auto& entry : fs::recursive_directory_iterator(OMNIUM_SOURCE_DIR "/docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = read_whole(entry.path().string());
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / (*it)[1].str()))
          << entry.path() << ": " << (*it)[1];
    }
  }
}

}  // namespace
}  // namespace omnium::test
