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

// A folder may include itself and the folders named here. The folders in src/runtime are layers of
// their own, and no file lies beside them.
const std::map<std::string, std::vector<std::string>> kLayers = {
    {"support", {}},
    {"wire", {}},
    {"driver", {"support"}},
    {"assembler", {"wire"}},
    {"event", {"support"}},
    {"trace", {"event", "support"}},
    {"workload", {"event", "support"}},
    {"finding", {"event", "support"}},
    {"spec", {"wire", "finding", "event", "support"}},
    {"order", {"finding", "event", "support"}},
    {"engines", {"order", "finding", "spec", "event", "support"}},
    {"predict", {"engines", "order", "finding", "spec", "event", "support"}},
    {"model", {"predict", "spec", "event", "support"}},
    {"library", {"omnium", "engines", "event", "finding", "support"}},
    {"report", {"predict", "model", "engines", "spec", "finding", "event", "support"}},
    {"merge", {"report", "engines", "spec", "finding", "event", "support"}},
    {"triage", {"report", "engines", "spec", "finding", "event", "support"}},
    {"symbols", {"support"}},
    {"hunt", {"wire", "predict", "report", "finding", "event", "support"}},
    {"watch", {"wire", "symbols", "report", "engines", "spec", "finding", "event", "support"}},
    {"runtime/system", {"wire"}},
    {"runtime/state", {"runtime/system", "wire"}},
    {"runtime/schedule", {"runtime/state", "runtime/system", "wire"}},
    {"runtime/shadow", {"runtime/state", "runtime/system", "wire"}},
    {"runtime/online", {"runtime/shadow", "runtime/state", "runtime/system", "wire"}},
    {"runtime/record", {"runtime/shadow", "runtime/state", "runtime/system", "wire"}},
    {"runtime/events",
     {"runtime/record", "runtime/online", "runtime/schedule", "runtime/shadow", "runtime/state",
      "runtime/system", "wire"}},
    {"runtime/abi",
     {"runtime/events", "runtime/shadow", "runtime/state", "runtime/system", "wire", "omnium"}},
    {"runtime/interpose",
     {"runtime/events", "runtime/schedule", "runtime/state", "runtime/system", "omnium"}},
    {"decode", {"wire", "symbols", "trace", "event", "support"}},
    {"cli",
     {"wire", "driver", "watch", "hunt", "decode", "triage", "merge", "report", "predict",
      "model", "engines", "workload", "trace", "spec", "finding", "event", "support"}},
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

// The layer of a file in src: its folder, or the folder around that.
std::string layer_of(const fs::path& file) {
  for (fs::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (kLayers.contains(folder.string())) return folder.string();
  }
  return "";
}

// The program and the tools agree on what is checked.
const fs::path kCheckMode = "event/check_mode.h";

bool may_include(const std::string& layer, const fs::path& included) {
  if (layer == "runtime/system" && included == kCheckMode) return true;
  // Public headers are in include/omnium.
  const std::string other =
      *included.begin() == "omnium" ? std::string("omnium") : layer_of(included);
  const std::vector<std::string>& allowed = kLayers.at(layer);
  return other == layer || std::ranges::count(allowed, other) != 0;
}

TEST(Style, IncludesPointDownwards) {
  const std::regex include(R"re(^#include "([a-z_0-9/]+/[a-z_0-9]+\.h)")re");
  std::size_t seen = 0;
  for (const SourceFile& file : sources({"src"})) {
    const std::string layer = layer_of(fs::relative(file.path, "src"));
    ASSERT_FALSE(layer.empty()) << file.path << ": folder without a layer";
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++seen;
      EXPECT_TRUE(may_include(layer, match[1].str())) << file.path << " must not include " << line;
    }
  }
  EXPECT_GT(seen, 50u);
}

TEST(Style, LayersOfTheRuntimeAreApart) {
  EXPECT_TRUE(may_include("runtime/online", "runtime/shadow/cell.h"));
  EXPECT_TRUE(may_include("runtime/events", "runtime/record/record.h"));
  EXPECT_FALSE(may_include("runtime/shadow", "runtime/online/reach.h"));
  EXPECT_FALSE(may_include("runtime/record", "runtime/online/reach.h"));
  EXPECT_FALSE(may_include("runtime/online", "runtime/record/record.h"));
  EXPECT_FALSE(may_include("runtime/interpose", "runtime/abi/exported.h"));
  EXPECT_FALSE(may_include("runtime/state", "watch/message.h"));
  EXPECT_TRUE(may_include("runtime/system", kCheckMode));
  EXPECT_FALSE(may_include("runtime/system", "event/event.h"));
  EXPECT_FALSE(may_include("decode", "runtime/record/cell.h"));
  EXPECT_EQ(layer_of("runtime/thread.h"), "");
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
