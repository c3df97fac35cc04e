// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The habits of HACKING.md that a machine can check: layers, licence lines, lengths.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = OMNIUM_SOURCE_DIR;

// A folder may include itself and the folders named here.
const std::map<std::string, std::vector<std::string>> kLayers = {
    {"support", {}},
    {"driver", {"support"}},
    {"assembler", {}},
    {"event", {"support"}},
    {"trace", {"event", "support"}},
    {"workload", {"event", "support"}},
    {"finding", {"event", "support"}},
    {"spec", {"finding", "event", "support"}},
    {"order", {"finding", "event", "support"}},
    {"engines", {"order", "finding", "spec", "event", "support"}},
    {"predict", {"order", "finding", "spec", "event", "support"}},
    {"model", {"event", "support"}},
    {"library", {"omnium", "engines", "event", "finding", "support"}},
    {"report", {"predict", "model", "engines", "spec", "finding", "event", "support"}},
    {"triage", {"report", "engines", "spec", "finding", "event", "support"}},
    {"symbols", {"support"}},
    {"live", {"symbols", "report", "engines", "spec", "finding", "event", "support"}},
    {"runtime", {"live", "assembler", "omnium", "spec"}},
    {"recording", {"live", "symbols", "trace", "event", "support"}},
    {"cli",
     {"driver", "live", "recording", "triage", "report", "predict", "model", "engines", "workload",
      "trace", "spec", "finding", "event", "support"}},
};

const std::vector<std::string> kExtensions = {".cc", ".h", ".cpp", ".c"};

struct SourceFile {
  fs::path path;  // relative to the root
  std::vector<std::string> lines;
};

std::vector<SourceFile> sources(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!fs::exists(kRoot / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const auto extension = entry.path().extension();
      if (!std::ranges::count(kExtensions, extension.string())) continue;
      SourceFile file{fs::relative(entry.path(), kRoot), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  return files;
}

const std::vector<std::string> kAll = {"src", "include", "tests", "bench", "examples"};

TEST(Style, IncludesPointDownwards) {
  const std::regex include(R"re(^#include "([a-z_]+)/)re");
  std::size_t seen = 0;
  for (const SourceFile& file : sources({"src"})) {
    const std::string folder = std::next(file.path.begin())->string();
    ASSERT_TRUE(kLayers.contains(folder)) << file.path << ": folder without a layer";
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++seen;
      const std::vector<std::string>& allowed = kLayers.at(folder);
      const bool fine = match[1] == folder ||
                        std::find(allowed.begin(), allowed.end(), match[1]) != allowed.end();
      EXPECT_TRUE(fine) << file.path << " must not include " << line;
    }
  }
  EXPECT_GT(seen, 50u);
}

TEST(Style, EveryFileNamesItsLicence) {
  for (const SourceFile& file : sources(kAll)) {
    ASSERT_GE(file.lines.size(), 2u) << file.path;
    // Behind "// ", or in the first comment of a C file.
    EXPECT_TRUE(file.lines[0].ends_with(" SPDX-FileCopyrightText: The Omnium authors"))
        << file.path;
    EXPECT_TRUE(file.lines[1].ends_with(" SPDX-License-Identifier: Apache-2.0")) << file.path;
  }
}

// Bytes that start a character: what counts as a column.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

TEST(Style, LinesAndFilesAreShort) {
  for (const SourceFile& file : sources(kAll)) {
    EXPECT_LE(file.lines.size(), 800u) << file.path;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_LE(columns(file.lines[i]), 100u) << file.path << ":" << i + 1;
      EXPECT_EQ(file.lines[i].find('\t'), std::string::npos) << file.path << ":" << i + 1;
      EXPECT_FALSE(file.lines[i].ends_with(' ')) << file.path << ":" << i + 1;
    }
  }
}

// A function starts at an unindented line that ends in "{" and ends at an unindented "}".
TEST(Style, FunctionsAreShort) {
  for (const SourceFile& file : sources({"src"})) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      const bool opens = line.ends_with("{") && !line.empty() && line[0] != ' ' &&
                         !line.starts_with("namespace") && !line.starts_with("class") &&
                         !line.starts_with("struct") && !line.starts_with("enum") &&
                         !line.starts_with("constexpr") && !line.starts_with("const ");
      if (opens) start = i + 1;
      if (line != "}" || start == 0) continue;
      EXPECT_LE(i + 1 - start, 70u) << file.path << ":" << start;
      start = 0;
    }
  }
}

TEST(Style, NamesSayWhatFilesAre) {
  const std::regex forbidden(R"((^|/)(util|utils|common|misc|core|helpers?)(/|\.)|_impl\.)");
  for (const SourceFile& file : sources(kAll)) {
    EXPECT_FALSE(std::regex_search(file.path.string(), forbidden)) << file.path;
  }
}

}  // namespace
}  // namespace omnium::test
