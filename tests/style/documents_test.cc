// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Pages and comments are true: what they name exists, what they repeat is the same as in the code,
// every engine and command has its page, and the words are those of docs/glossary.md.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/registry.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = OMNIUM_SOURCE_DIR;
const std::vector<std::string> kFolders = {"bench", "cmake",   "docs",  "examples", "include",
                                           "src",   "scripts", "tests", "web"};

std::string read(const fs::path& path) {
  std::ifstream in(kRoot / path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// All files of the project, relative to its root.
const std::set<std::string>& all_files() {
  static const std::set<std::string> files = [] {
    std::set<std::string> out;
    const auto add = [&](const fs::directory_entry& entry) {
      if (entry.is_regular_file()) out.insert(fs::relative(entry.path(), kRoot).string());
    };
    for (const auto& entry : fs::directory_iterator(kRoot)) add(entry);
    for (const std::string& folder : kFolders) {
      auto it = fs::recursive_directory_iterator(kRoot / folder);
      for (; it != fs::recursive_directory_iterator(); ++it) {
        if (it->path().filename() == "node_modules") it.disable_recursion_pending();
        add(*it);
      }
    }
    return out;
  }();
  return files;
}

std::vector<std::string> files_with(const std::set<std::string>& extensions) {
  std::vector<std::string> out;
  for (const std::string& file : all_files()) {
    if (extensions.contains(fs::path(file).extension().string())) out.push_back(file);
  }
  return out;
}

std::vector<std::string> pages() { return files_with({".md"}); }

// The anchors of a page: headings in GitHub's spelling, and <a name="...">.
std::set<std::string> anchors_of(const std::string& page) {
  static const std::regex named("<a name=\"([^\"]+)\">");
  std::set<std::string> out;
  for (const std::string& line : lines_of(read(page))) {
    for (std::sregex_iterator it(line.begin(), line.end(), named), end; it != end; ++it) {
      out.insert((*it)[1]);
    }
    if (!line.starts_with('#')) continue;
    std::string slug;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || c == '-' || c == '_') {
        slug += static_cast<char>(std::tolower(byte));
      } else if (c == ' ') {
        slug += '-';
      }
    }
    out.insert(slug);
  }
  return out;
}

// The file that `name` means in `page`: beside it, from the root, or by the end of its path.
// Empty if there is none.
std::string file_named(const std::string& name, const std::string& page) {
  const std::string beside = (fs::path(page).parent_path() / name).lexically_normal().string();
  if (all_files().contains(beside)) return beside;
  if (all_files().contains(name)) return name;
  for (const std::string& file : all_files()) {
    if (file.ends_with("/" + name)) return file;
  }
  return "";
}

// "reach.{h,cc}" is reach.h and reach.cc.
std::vector<std::string> without_braces(const std::string& name) {
  const std::size_t open = name.find('{'), close = name.find('}');
  if (open == std::string::npos || close == std::string::npos) return {name};
  std::vector<std::string> out;
  std::istringstream choices(name.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');) {
    out.push_back(name.substr(0, open) + choice + name.substr(close + 1));
  }
  return out;
}

// What a line of a page or a comment names, with its anchor if it has one. Placeholders
// (docs/algorithms/<engine>.md) and globs do not count.
void expect_names_exist(const std::string& text, const std::string& page, std::size_t line) {
  static const std::regex name(
      R"(([A-Za-z0-9_+./<>*-]+\.(?:md|cc|h|py|sh|ts|cmake|\{[a-z,]+\}))(?:#([A-Za-z0-9_-]+))?)"
      R"((?![A-Za-z0-9_./>*-]*[A-Za-z0-9_/>*-]))");
  // Headers of other projects, and files of examples.
  static const std::set<std::string> foreign = {"OmniumToolchain.cmake",  // configured
                                                "bank.cc",
                                                "bits/c++config.h",
                                                "dynamic_annotations.h",
                                                "gomp-constants.h",
                                                "locks.cc",
                                                "pthreadP.h",
                                                "a.cc",
                                                "sanitizer/tsan_interface.h"};
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
    const std::string spelled = (*it)[1], anchor = (*it)[2];
    if (spelled.find_first_of("<>*") != std::string::npos || spelled.starts_with('/')) continue;
    if (foreign.contains(spelled) || it->prefix().str().ends_with('$')) continue;
    for (const std::string& choice : without_braces(spelled)) {
      const std::string file = file_named(choice, page);
      EXPECT_NE(file, "") << page << ":" << line << " names " << choice;
      if (file.empty() || anchor.empty()) continue;
      EXPECT_TRUE(anchors_of(file).contains(anchor)) << page << ":" << line << ": #" << anchor;
    }
  }
}

TEST(Documents, NameFilesThatExist) {
  for (const std::string& page : pages()) {
    bool code = false;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read(page))) {
      ++number;
      if (line.starts_with("```")) code = !code;
      if (!code && !line.starts_with("    ")) expect_names_exist(line, page, number);
    }
  }
}

TEST(Comments, NameFilesThatExist) {
  const std::map<std::string, std::string> marks = {
      {".cc", "// "}, {".h", "// "}, {".cpp", "// "}, {".c", "// "},    {".ts", "// "},
      {".py", "# "},  {".sh", "# "}, {".txt", "# "},  {".cmake", "# "},
  };
  std::size_t seen = 0;
  for (const std::string& file : all_files()) {
    const auto mark = marks.find(fs::path(file).extension().string());
    if (mark == marks.end() || file.find("golden") != std::string::npos) continue;
    std::size_t number = 0;
    for (const std::string& line : lines_of(read(file))) {
      ++number;
      const std::size_t at = line.find(mark->second);
      if (at == std::string::npos) continue;
      seen += line.find(".md", at) != std::string::npos;
      expect_names_exist(line.substr(at), file, number);
    }
  }
  EXPECT_GT(seen, 40u);
}

TEST(Documents, LinksResolve) {
  static const std::regex link(R"(\]\(([^)#\s]*)(?:#([^)\s]+))?\))");
  for (const std::string& page : pages()) {
    std::size_t number = 0;
    for (const std::string& line : lines_of(read(page))) {
      ++number;
      for (std::sregex_iterator it(line.begin(), line.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1], anchor = (*it)[2];
        if (target.find("://") != std::string::npos) continue;
        const fs::path path = target.empty()
                                  ? fs::path(page)
                                  : (fs::path(page).parent_path() / target).lexically_normal();
        EXPECT_TRUE(fs::exists(kRoot / path)) << page << ":" << number << ": " << target;
        if (anchor.empty()) continue;
        EXPECT_TRUE(anchors_of(path.string()).contains(anchor))
            << page << ":" << number << ": #" << anchor;
      }
    }
  }
}

// A row of a table is one line, however long it is.
TEST(Documents, LinesAreShort) {
  for (const std::string& page : pages()) {
    std::size_t number = 0;
    for (const std::string& line : lines_of(read(page))) {
      ++number;
      const auto columns = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      EXPECT_TRUE(columns <= 160 || line.starts_with('|')) << page << ":" << number;
    }
  }
}

TEST(Documents, EveryEngineHasItsPageAndItsRow) {
  const std::string readme = read("README.md");
  for (const EngineEntry& engine : all_engines()) {
    const std::string page = "docs/algorithms/" + std::string(engine.info.name) + ".md";
    EXPECT_TRUE(all_files().contains(page)) << page;
    EXPECT_NE(readme.find("\n| [" + std::string(engine.info.name) + "](" + page + ")"),
              std::string::npos)
        << engine.info.name;
  }
}

// The session that the README shows is the recorded one, which tests/programs compares.
TEST(Documents, TheReadmeShowsARealSession) {
  const std::string recorded = read("examples/bank/bank.expected.txt");
  const std::string finding = recorded.substr(0, recorded.find('\n', recorded.find("SUMMARY")));
  ASSERT_GT(finding.size(), 500u);
  EXPECT_NE(read("README.md").find("$ omnium run ./bank\n" + finding), std::string::npos);
}

// By the table of commands in src/cli/main.cc.
TEST(Documents, EveryCommandHasItsHelpAndItsRow) {
  static const std::regex row(R"re(\{"([a-z+]+)", "([^"]*)", run_)re");
  const std::string table = read("src/cli/main.cc"), readme = read("README.md");
  std::size_t commands = 0;
  for (std::sregex_iterator it(table.begin(), table.end(), row), end; it != end; ++it, ++commands) {
    const std::string name = (*it)[1];
    const bool listed = (*it)[2].length() != 0;
    const std::string suffix = name == "help" ? "" : "-" + name;
    EXPECT_TRUE(all_files().contains("tests/cli/golden/help" + suffix + ".txt")) << name;
    EXPECT_TRUE(!listed || readme.find("omnium " + name) != std::string::npos) << name;
  }
  EXPECT_GE(commands, 16u);
}

// Numbers that a page repeats from the code. Who changes the declaration changes the page.
struct Repeated {
  std::string_view page, phrase, declaration;
};
constexpr Repeated kRepeated[] = {
    {"docs/algorithms/commit-node.md", "more than 64 threads", "kManyThreads = 64;"},
    {"docs/algorithms/commit-node.md", "after 100 cycles", "kMaxCycles = 100;"},
    {"docs/formats/omp.md", "(at most 12)", "kMostReadsOfAssume = 12;"},
    {"docs/formats/omp.md", "Limits: 32 threads", "kMaxModelThreads = 32;"},
    {"docs/formats/omp.md", "64 variables, locks and channels", "kMostObjects = 64;"},
    {"docs/formats/omp.md", "ranges of 65,536 values", "kWidestRange = 65'536;"},
    {"docs/formats/omt.md", "events, 1 to 65,536", "kChunkEvents = 65'536;"},
    {"docs/formats/patterns.md", "512 events on each side", "kNeighbourhood = 512;"},
    {"docs/formats/patterns.md", "at most 32 accesses", "kMostAccesses = 32;"},
    {"docs/formats/raw-log.md", "pieces of 65,536 bytes", "kRawPieceBytes = 64 * 1024;"},
    {"docs/formats/reports.md", "the first 200 findings", "kMostGraphs = 200;"},
    {"docs/formats/std.md", "65,536 threads", "kMaxThreads = 65'536;"},
    {"docs/glossary.md", "16 KB of the program's memory", "kChunk = std::size_t{1} << 14;"},
    {"docs/guide/performance.md", "first hundred causes", "kForPeople = 100,"},
    {"docs/runtime/interposition.md", "more than 64 ahead", "kKept = 64;"},
    {"docs/runtime/interposition.md", "from 256 KB on", "kLargeFree = 256 * 1024;"},
    {"docs/runtime/online.md", "10 bits of slot and 16 of time", "kTimeBits = 16, kSlotBits = 10;"},
    {"docs/runtime/online.md", "4,096 entries", "kCapacity = 4096;"},
    {"docs/runtime/online.md", "64 more", "kPatience = 64;"},
    {"docs/runtime/online.md", "up to fifteen threads", "kReaders = 15;"},
    {"docs/runtime/recording.md", "more than 1023 threads", "kSharedSlot = 1023;"},
};

// The text as words with single blanks: line ends, quotes and marks of comments do not count.
std::string words_of(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      std::string_view("?'(),;:.-[]{}<>=_").find(c) != std::string_view::npos;
    if (part) {
      out += c;
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
  }
  return out;
}

TEST(Documents, RepeatTheNumbersOfTheCode) {
  std::string code;
  for (const std::string& file : files_with({".h", ".cc"})) {
    if (file.starts_with("src/")) code += read(file);
  }
  for (const Repeated& it : kRepeated) {
    const std::string page = words_of(read(it.page));
    EXPECT_NE(page.find(words_of(std::string(it.phrase))), std::string::npos)
        << it.page << ": " << it.phrase;
    EXPECT_NE(code.find(it.declaration), std::string::npos) << it.page << ": " << it.declaration;
  }
}

// What we used to write, and what an engineer who uses sanitizers reads without translating.
struct Word {
  std::string_view not_this, but;
};
constexpr Word kWords[] = {
    {"did not run as if alone", "was not atomic: deposit (worker-5) interfered"},
    {"Why there is no order", "Why no serial order exists"},
    {"an object without a name", "unnamed stack object #3"},
    {"the start of a {}-byte block", "offset 0 of a 624-byte allocation"},
    {"seen 1 time", "seen once"},
    {"Known?", "To suppress: suppress av-... because REASON"},
    {"; there are", "(choose from ...), available commands: ..."},
    {"NEW.json is missing", "expected two files: OLD.json NEW.json"},
    {"nobody holds", "is not held"},
    {"not main nor blocks", "exclude main and thread entry functions"},
    {"nor blocks that wait", "also exclude blocks that wait on a condition"},
    {"locks only limit the runs", "ignore lock-order conflicts"},
    {"that nobody can notice", "disable partial-order reduction"},
    {"how many events the search", "search budget, in events"},
    {"tell all warnings", "list all warnings"},
    {"Say what is in a trace", "Summarize a trace"},
    {"say what is in a trace", "summarize a trace"},
    {"made-up trace", "synthetic trace"},
    {"known causes, each with a reason", "suppression file"},
    {"is not atomic in another interleaving", "can be interrupted in another schedule"},
    {"such as {} at event", "e.g. by deposit (event 2)"},
    {"are like this one", "11 similar transactions in this thread"},
    {"shortest violating run has", "the shortest counterexample has 9 events"},
    {"wait for ever", "are deadlocked"},
    {"which would ask for itself", "points back to Omnium's own driver"},
    {"no block ran that ought to be atomic", "nothing was checked: no atomic block ran"},
    {"mended twin", "fixed version"},
    {"html has them anyway", "show source lines (always on in HTML)"},
    {"what is told on the way", "also write a full report at exit"},
    {"nothing is left to do when the program is gone", "--raw skips the conversion at exit"},
    {"quick end of an access", "the fast path is inlined"},
    {"more than a run can tell apart", "further findings were only counted"},
    {"it has got already", "(once; the terminal already delivers its own)"},
    {"So is a witness that cannot", "A witness that cannot be replayed is also a bug."},
    {"of which another unit can tell", "whose position another unit can observe"},
    {"a new slot every 40 times", "a new slot after 40 clock ticks"},
    {"stands before the assembler", "a wrapper around the assembler"},
    {"that nobody calls atomic", "blocks not declared atomic are dropped"},
    {"of the baseline not seen", "0 baseline findings not seen"},
};

TEST(Words, ArePlain) {
  std::vector<std::string> files = files_with({".cc", ".h", ".md", ".ts", ".py", ".sh", ".cmake"});
  for (const std::string& file : files) {
    if (file.starts_with("tests/style/")) continue;
    const std::string text = words_of(read(file));
    for (const Word& word : kWords) {
      EXPECT_EQ(text.find(words_of(std::string(word.not_this))), std::string::npos)
          << file << ": \"" << word.not_this << "\"; better: \"" << word.but << "\"";
    }
  }
}

// A prediction is never "confirmed": only a run that made it happen may say so.
TEST(Words, OnlyHuntConfirms) {
  for (const std::string& file : files_with({".cc", ".h", ".md", ".ts", ".txt"})) {
    const bool speaks = file.starts_with("src/cli/") || file.starts_with("src/report/") ||
                        file.starts_with("src/predict/") || file.starts_with("web/src/") ||
                        file.starts_with("tests/cli/golden/") || file.starts_with("docs/") ||
                        file == "README.md";
    const bool hunts = file == "docs/hunting.md" || file == "docs/formats/corpus.md" ||
                       file.starts_with("src/cli/hunting");
    if (!speaks || hunts || file == "docs/semantics.md") continue;
    EXPECT_EQ(read(file).find("confirmed"), std::string::npos) << file;
  }
}

// What a cell of a table of docs/papers.md has in backticks.
std::vector<std::string> quoted(const std::string& cell) {
  static const std::regex code("`([^`]+)`");
  std::vector<std::string> out;
  for (std::sregex_iterator it(cell.begin(), cell.end(), code), end; it != end; ++it) {
    out.push_back((*it)[1]);
  }
  return out;
}

// Files, and behind each file names that are in it.
void expect_code(const std::string& cell, const std::string& row) {
  std::string text;
  for (const std::string& word : quoted(cell)) {
    if (word.find('/') != std::string::npos) {
      EXPECT_TRUE(all_files().contains(word)) << word << "\n" << row;
      text = read(word);
    } else {
      EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + word + "\\b"))) << word << "\n" << row;
    }
  }
}

// "omnium check -e velodrome --stats": options are those that the help of the command has.
void expect_command(const std::string& cell, const std::string& row) {
  for (const std::string& command : quoted(cell)) {
    std::istringstream words(command);
    std::string word;
    words >> word;
    EXPECT_EQ(word, "omnium") << row;
    words >> word;
    const std::string help = read("tests/cli/golden/help-" + word + ".txt");
    EXPECT_FALSE(help.empty()) << word << "\n" << row;
    while (words >> word) {
      if (!word.starts_with('-')) continue;
      EXPECT_NE(help.find(" " + word), std::string::npos) << word << "\n" << row;
    }
  }
}

void expect_tests(const std::string& cell, const std::string& all_tests, const std::string& row) {
  EXPECT_FALSE(quoted(cell).empty()) << row;
  for (const std::string& test : quoted(cell)) {
    const std::size_t dot = test.find('.');
    const bool is_file = test.find('/') != std::string::npos;
    const std::string declared = "(" + test.substr(0, dot) + ", " + test.substr(dot + 1) + ")";
    EXPECT_TRUE(is_file ? all_files().contains(test)
                        : all_tests.find(declared) != std::string::npos)
        << test << "\n" << row;
  }
}

TEST(Papers, NamesExist) {
  std::string all_tests;
  for (const std::string& file : files_with({".cc"})) {
    if (file.starts_with("tests/")) all_tests += read(file);
  }
  std::size_t rows = 0;
  for (const std::string& line : lines_of(read("docs/papers.md"))) {
    if (!line.starts_with("| ") || line.starts_with("| section ")) continue;
    std::vector<std::string> cells;
    std::istringstream in(line.substr(2));
    for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 4u) << line;
    ++rows;
    expect_code(cells[1], line);
    expect_command(cells[2], line);
    expect_tests(cells[3], all_tests, line);
  }
  EXPECT_GT(rows, 50u);
}

}  // namespace
}  // namespace omnium::test
