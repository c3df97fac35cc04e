// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/command_line.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace omnium::driver {

namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The word after this one is its value and not a file.
bool takes_next_word(std::string_view word) {
  return one_of(word, {"-o",
                       "-x",
                       "-D",
                       "-U",
                       "-I",
                       "-L",
                       "-l",
                       "-A",
                       "-B",
                       "-F",
                       "-G",
                       "-R",
                       "-T",
                       "-e",
                       "-h",
                       "-u",
                       "-z",
                       "-include",
                       "-imacros",
                       "-iquote",
                       "-isystem",
                       "-idirafter",
                       "-iprefix",
                       "-iwithprefix",
                       "-iwithprefixbefore",
                       "-isysroot",
                       "-imultilib",
                       "-iframework",
                       "-framework",
                       "--sysroot",
                       "-MF",
                       "-MT",
                       "-MQ",
                       "-MJ",
                       "-Xlinker",
                       "-Xassembler",
                       "-Xpreprocessor",
                       "-Xclang",
                       "-mllvm",
                       "-param",
                       "--param",
                       "-target",
                       "-arch",
                       "-aux-info",
                       "-wrapper",
                       "-dumpbase",
                       "-dumpbase-ext",
                       "-dumpdir",
                       "-Tbss",
                       "-Tdata",
                       "-Ttext",
                       "-rpath",
                       "--output",
                       "--language"});
}

bool only_informs(std::string_view word) {
  return one_of(word, {"--version", "--help", "--target-help", "-dumpmachine", "-dumpversion",
                       "-dumpfullversion", "-dumpspecs"}) ||
         word.starts_with("-print-") || word.starts_with("--print-") || word.starts_with("--help=");
}

bool ends_before_linking(std::string_view word) {
  return one_of(word, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--compile", "--assemble",
                       "--preprocess", "--analyze", "--precompile"});
}

// Processors are taken to have AVX, but for the two names that promise that there is none.
bool may_widen_vectors(std::string_view word) {
  return word.starts_with("-mavx") || one_of(word, {"-mfma", "-mfma4", "-mf16c", "-mxop"}) ||
         (word.starts_with("-march=") && !one_of(word, {"-march=x86-64", "-march=x86-64-v2"}));
}

bool is_header(std::string_view file, std::string_view language) {
  if (!language.empty()) return language.ends_with("-header");
  const std::size_t dot = file.rfind('.');
  return dot != std::string_view::npos &&
         one_of(file.substr(dot), {".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++"});
}

bool is_assembler_code(std::string_view file, std::string_view language) {
  if (!language.empty()) return language.starts_with("assembler");
  return file.ends_with(".s") || file.ends_with(".S") || file.ends_with(".sx");
}

// -fsanitize=LIST and -fno-sanitize=LIST, one after the other; the last word about one counts.
void note_sanitizers(std::string_view word, std::set<std::string>& on) {
  const bool adds = word.starts_with("-fsanitize=");
  if (!adds && !word.starts_with("-fno-sanitize=")) return;
  word.remove_prefix(word.find('=') + 1);
  while (!word.empty()) {
    const std::string name(word.substr(0, word.find(',')));
    word.remove_prefix(std::min(word.size(), name.size() + 1));
    if (adds) on.insert(name);
    if (!adds && name == "all") on.clear();
    if (!adds) on.erase(name);
  }
}

// Reads the words of one command line from left to right.
class Classifier {
 public:
  explicit Classifier(const Words& words) : words_(words) {}

  Result<CommandLine> classify() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i];
      const bool has_value = takes_next_word(word) && i + 1 < words_.size();
      note(word, has_value ? words_[i + 1] : "");
      if (has_value) ++i;
    }
    if (informs_ || !(has_files_ || has_libraries_)) return CommandLine{};
    const bool links = !ends_early_ && !only_headers_;
    if (const std::string why = refusal(links); !why.empty()) return fail({}, why);
    // Without the C library there is nothing for the runtime to stand on; libtool says -nostdlib
    // and names the libraries itself.
    return CommandLine{links ? Work::kLink : Work::kCompile,
                       links && !relocatable_ && (!no_libraries_ || names_libc_), wide_vectors_,
                       own_assembler_};
  }

 private:
  void note(std::string_view word, std::string_view value) {
    if (!word.starts_with('-') || word == "-") return note_file(word);
    note_sanitizers(word, sanitizers_);
    if (word.starts_with("-x")) {
      language_ = word == "-x" ? value : word.substr(2);
      if (language_ == "none") language_.clear();
    }
    has_libraries_ |= word.starts_with("-l") || word.starts_with("-Wl,") || word == "-Xlinker";
    names_libc_ |= word == "-lc" || (word == "-l" && value == "c");
    informs_ |= only_informs(word);
    ends_early_ |= ends_before_linking(word);
    relocatable_ |= word == "-r";
    no_libraries_ |= one_of(word, {"-nostdlib", "-nodefaultlibs", "-nolibc"});
    wide_vectors_ |= may_widen_vectors(word);
    own_assembler_ |= word == "-o-" || (word == "-o" && value == "-");
    if (one_of(word, {"-static", "--static", "-static-pie"})) static_ = word;
    if (one_of(word, {"-m32", "-mx32", "-m16"})) narrow_ = word;
  }

  void note_file(std::string_view file) {
    only_headers_ = (only_headers_ || !has_files_) && is_header(file, language_);
    own_assembler_ |= is_assembler_code(file, language_);
    has_files_ = true;
  }

  std::string refusal(bool links) const {
    if (!narrow_.empty()) {
      return fmt::format("{}: only 64-bit programs can be instrumented", narrow_);
    }
    for (const std::string& name : sanitizers_) {
      if (!one_of(name, {"address", "thread", "memory", "hwaddress", "leak", "dataflow"})) continue;
      return fmt::format("-fsanitize={} cannot be combined with Omnium's instrumentation", name);
    }
    if (links && !static_.empty()) {
      return fmt::format("{}: the runtime is a shared library; link the program dynamically",
                         static_);
    }
    return "";
  }

  const Words& words_;
  std::string language_;  // -x; empty: by the file's name
  std::string static_, narrow_;
  std::set<std::string> sanitizers_;
  bool has_files_ = false;
  bool only_headers_ = false;
  bool has_libraries_ = false;
  bool names_libc_ = false;
  bool informs_ = false;
  bool ends_early_ = false;
  bool relocatable_ = false;
  bool no_libraries_ = false;
  bool wide_vectors_ = false;
  bool own_assembler_ = false;
};

}  // namespace

Result<CommandLine> classify(const Words& words) {
  return Classifier(with_response_files(words)).classify();
}

}  // namespace omnium::driver
