// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Files, pipes and standard input; what open_trace makes of a content; what create_trace leaves
// behind.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decode/open.h"
#include "tests/support/trace_bytes.h"
#include "trace/trace.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;

class TraceFiles : public testing::Test {
 protected:
  TraceFiles() {
    std::string pattern = (fs::temp_directory_path() / "omnium-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~TraceFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string create(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

std::string error_of(const std::string& path) {
  const auto source = open_trace(path);
  return source ? "no error" : source.error().to_string();
}

// Runs `body` with `fd` as standard input.
template <class Body>
void with_stdin(int fd, Body body) {
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(fd, STDIN_FILENO);
  body();
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(Sniff, FindsTheFormatInTheContent) {
  const auto format = [](std::string_view text) {
    return to_string(trace::format_of_content(text));
  };
  EXPECT_EQ(format(""), "std");
  EXPECT_EQ(format("# only\n\n\r\n"), "std");
  EXPECT_EQ(format("# c\nT0|r(x)|1\n"), "std");
  EXPECT_EQ(format("header\nT0|r(x)|1\n"), "std");
  EXPECT_EQ(format("r(x),\n"), "csv");
  EXPECT_EQ(format(",,w(x)"), "csv");
  EXPECT_EQ(format("[main: a|b]\n@   Acquire(2,@03)\n"), "roadrunner");
  EXPECT_EQ(format("\x89OMT\r\n\x1a\n"), "omt");
  EXPECT_EQ(format("\x89OM"), "omt");
}

TEST(FormatOfName, GoesByTheEnding) {
  EXPECT_EQ(format_of_name("a/b.std"), TraceFormat::kStd);
  EXPECT_EQ(format_of_name("b.csv"), TraceFormat::kCsv);
  EXPECT_EQ(format_of_name("b.rr"), TraceFormat::kRoadRunner);
  EXPECT_EQ(format_of_name("b.omt"), TraceFormat::kOmt);
  EXPECT_EQ(format_of_name("omt"), std::nullopt);
}

TEST_F(TraceFiles, WhatCannotBeOpened) {
  EXPECT_EQ(error_of(path("none.std")),
            path("none.std") + ": error: cannot open: No such file or directory");
  EXPECT_EQ(error_of(folder_.string()),
            folder_.string() + ": error: this is a directory; give the files in it one by one");
  if (::geteuid() == 0) return;  // root may read everything
  ::chmod(create("secret.std", "T0|r(x)|\n").c_str(), 0);
  EXPECT_EQ(error_of(path("secret.std")),
            path("secret.std") + ": error: cannot open: Permission denied");
}

TEST_F(TraceFiles, EmptyFileIsATraceWithoutEvents) {
  auto source = open_trace(create("empty", ""));
  ASSERT_TRUE(source);
  EXPECT_TRUE(read_all(**source).value().empty());
  EXPECT_EQ((*source)->seek(0).value(), 0u);
}

std::string numbered_lines(TraceFormat format, int events) {
  std::string text;
  for (int i = 0; i < events; ++i) {
    if (i % 1000 == 0) text += "# comment\n";
    switch (format) {
      case TraceFormat::kStd: text += fmt::format("T{}|w(x{})|l\n", i % 3, i); break;
      case TraceFormat::kCsv: text += fmt::format("{}w(x{})\n", i % 2 ? "," : "", i); break;
      default: text += fmt::format("@  Wr({},x{})  a  b\n", i % 3, i); break;
    }
  }
  return text;
}

TEST_F(TraceFiles, SeekRereadsOnlyTheNeighbourhood) {
  constexpr int kEvents = 300'000;
  for (const auto format : {TraceFormat::kStd, TraceFormat::kCsv, TraceFormat::kRoadRunner}) {
    auto source = open_trace(create("trace", numbered_lines(format, kEvents)));
    ASSERT_TRUE(source);
    ASSERT_EQ(read_all(**source, 1 << 20).value().size(), std::size_t{kEvents});
    for (const EventIndex target : {299'999u, 0u, 65'536u, 65'535u, 200'000u}) {
      const EventIndex at = (*source)->seek(target).value();
      ASSERT_LE(at, target);
      ASSERT_GE(at + 65'536, target);
      std::vector<Event> out(70'000);
      ASSERT_GT((*source)->read(out).value(), target - at);
      EXPECT_EQ(out[target - at].object, target);
      EXPECT_EQ((*source)->position_of(target - at).line, target + 2 + target / 1000);
    }
    EXPECT_EQ((*source)->names().variables.size(), unsigned{kEvents});
  }
}

TEST_F(TraceFiles, PipesCanBeReadTwice) {
  const std::string text = numbered_lines(TraceFormat::kStd, 200'000);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread feeder([&] {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t put =
          ::write(ends[1], text.data() + at, std::min<std::size_t>(text.size() - at, 5000));
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    ::close(ends[1]);
  });
  with_stdin(ends[0], [] {
    auto source = open_trace("-");
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source).value().size(), 200'000u);
    const EventIndex at = (*source)->seek(100'000).value();
    EXPECT_EQ(at, 65'536u + 464u);
    EXPECT_EQ(read_all(**source).value().size(), 200'000u - at);
    EXPECT_EQ((*source)->position_of(0).file, "<stdin>");
  });
  ::close(ends[0]);  // if not all was read, the feeder must not wait for that
  feeder.join();
}

TEST_F(TraceFiles, StandardInputMayBeAFileAndStandInItsMiddle) {
  const int fd = ::open(create("a.std", "garbage\nT0|r(x)|\n").c_str(), O_RDONLY);
  ::lseek(fd, 8, SEEK_SET);
  with_stdin(fd, [] {
    auto source = open_trace("-");
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source).value().size(), 1u);
  });
  ::close(fd);
}

TEST_F(TraceFiles, NothingHalfWrittenIsEverSeen) {
  Names names;
  const Event event{Kind::kRead, static_cast<std::uint16_t>(names.threads.intern("T")),
                    names.variables.intern("x")};
  for (const auto format : {TraceFormat::kStd, TraceFormat::kCsv, TraceFormat::kOmt}) {
    create("out", "old");
    {
      auto sink = create_trace(path("out"), format);
      ASSERT_TRUE(sink);
      ASSERT_TRUE((*sink)->write({&event, 1}, names));
    }
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(content("out"), "old");
    auto sink = create_trace(path("out"), format);
    ASSERT_TRUE((*sink)->write({&event, 1}, names));
    ASSERT_TRUE((*sink)->finish(names));
    EXPECT_EQ(files(), 1u);
    EXPECT_EQ(content("out"), written({&event, 1}, names, format).value());
  }
}

TEST_F(TraceFiles, WhatCannotBeWritten) {
  const auto error = [](const std::string& target, TraceFormat format) {
    const auto sink = create_trace(target, format);
    return sink ? "no error" : sink.error().to_string();
  };
  EXPECT_EQ(error(path("none/a.std"), TraceFormat::kStd),
            path("none/a.std") + ": error: cannot create: No such file or directory");
  EXPECT_EQ(error(folder_.string(), TraceFormat::kStd),
            folder_.string() + ": error: cannot create: is a directory");
  EXPECT_EQ(error(path("a.rr"), TraceFormat::kRoadRunner),
            path("a.rr") + ": error: RoadRunner logs can be read but not written");
  // A full disk, and a device is not replaced by a file.
  auto sink = create_trace("/dev/full", TraceFormat::kOmt);
  ASSERT_TRUE(sink);
  EXPECT_EQ((*sink)->finish({}).error().to_string(),
            "/dev/full: error: cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(TraceFiles, LinksStayLinks) {
  create("real.std", "");
  fs::create_symlink("real.std", folder_ / "link.std");
  auto sink = create_trace(path("link.std"), TraceFormat::kStd);
  ASSERT_TRUE((*sink)->finish({}));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.std"));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "real.std"));
}

}  // namespace
}  // namespace omnium::test
