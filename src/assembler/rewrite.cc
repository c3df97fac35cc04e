// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "assembler/rewrite.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "assembler/line.h"
#include "assembler/single_access.h"
#include "wire/inlined.h"
#include "wire/library_names.h"

namespace omnium::assembler {

using namespace wire::inlined;

namespace {

// A type of section that GNU's assembler does not know and warns of.
constexpr std::string_view kLinkerOptions = "@llvm_linker_options";

struct PlainAccess {
  bool write;
  unsigned size;
};

// Accesses of whole words are inlined; those of one and two bytes stay calls of the callbacks.
std::optional<PlainAccess> plain_access(std::string_view name) {
  take(name, "unaligned_");
  const bool write = take(name, "write");
  if (!write && !take(name, "read")) return std::nullopt;
  if (name == "4") return PlainAccess{write, 4};
  if (name == "8") return PlainAccess{write, 8};
  if (name == "16") return PlainAccess{write, 16};
  return std::nullopt;
}

// What a range is whose size is that of an access: compilers use them for memcpy of a few bytes.
// `before` is the code before its call.
std::string_view as_access(std::string_view name, std::string_view before) {
  const bool read = name == "read_range";
  if (!read && name != "write_range") return name;
  while (!before.empty()) {
    before.remove_suffix(1);  // the end of the line
    const std::size_t begin = before.rfind('\n') + 1;
    const std::string_view line = before.substr(begin);
    before = before.substr(0, begin);
    if (ends_straight_code(line)) break;
    if (!sets_second_argument(line)) continue;
    switch (second_argument(line).value_or(0)) {
      case 1: return read ? "read1" : "write1";
      case 2: return read ? "read2" : "write2";
      case 4: return read ? "read4" : "write4";
      case 8: return read ? "read8" : "write8";
      case 16: return read ? "read16" : "write16";
      default: return name;
    }
  }
  return name;
}

bool is_hook(std::string_view name) { return name == "func_entry" || name == "func_exit"; }

// The address is in %rdi. The slow path expects the cell in %rsi and the thread in %rdx.
void append_access(std::string& to, PlainAccess access, std::size_t number, bool in_library) {
  auto out = std::back_inserter(to);
  fmt::format_to(out,
                 "\tmovq\t" OMNIUM_INLINED_THREAD
                 "@GOTTPOFF(%rip), %rdx\n"
                 "\tmovq\t%rdi, %rsi\n"
                 "\tmovabsq\t${:#x}, %rax\n"
                 "\tmovq\t%fs:(%rdx), %rdx\n"
                 "\tshlq\t${}, %rsi\n"
                 "\tshrq\t${}, %rsi\n"
                 "\taddq\t%rax, %rsi\n"
                 "\ttestb\t$3, %dil\n"
                 "\tjne\t.Lomnium_slow{}\n"
                 "\tmovq\t(%rsi), %rax\n",
                 kShadowBase, 64 - kAddressBits, 64 - kAddressBits - 1, number);
  // The recorder has a cell of two words for eight bytes, and compares them separately.
  const bool two_words = !access.write && access.size == 8;
  for (unsigned word = 1; word < access.size / 4; ++word) {
    fmt::format_to(out, "\tcmpq\t{}(%rsi), %rax\n\tjne\t.Lomnium_{}{}\n", word * 8,
                   two_words ? "second" : "slow", number);
  }
  const auto done_if_equal = [&](unsigned quick) {
    fmt::format_to(out, "\tcmpq\t{}(%rdx), %rax\n\tje\t.Lomnium_done{}\n", quick, number);
  };
  if (access.write) {
    done_if_equal(kWritten);
    done_if_equal(kIdle);
  } else {
    done_if_equal(kKnown);
    // The form of the cell is in the bits above the write. It must be the same for a hit: so it is
    // tested together with either half.
    fmt::format_to(out,
                   "\txorq\t{0}(%rdx), %rax\n"
                   "\tmovq\t%rax, %rcx\n"
                   "\tshrq\t${1}, %rcx\n"
                   "\tje\t.Lomnium_done{2}\n"
                   "\trolq\t$4, %rax\n"
                   "\tshlq\t${1}, %rax\n"
                   "\tje\t.Lomnium_done{2}\n",
                   kNow, kHalfBits, number);
  }
  if (two_words) {
    fmt::format_to(out, ".Lomnium_second{}:\n\tmovq\t8(%rsi), %rax\n", number);
    done_if_equal(kRead);
    done_if_equal(kReadLast);
  }
  fmt::format_to(out,
                 ".Lomnium_slow{0}:\n"
                 "\tcall\t*" OMNIUM_INLINED_SLOW("{1}{2}{3}") "@GOTPCREL(%rip)\n"
                 ".Lomnium_done{0}:\n",
                 number, in_library ? "library_" : "", access.write ? "write" : "read",
                 access.size);
}

// Accesses of one and two bytes have a callback for functions of the C++ library, too.
bool is_small_access(std::string_view name) {
  return name == "read1" || name == "write1" || name == "read2" || name == "write2";
}

// The occurrences of a word, for positions that only grow: the text is scanned once.
class Occurrences {
 public:
  Occurrences(std::string_view text, std::string_view word)
      : text_(text), word_(word), next_(text.find(word)) {}

  // Moves to the next one if that is before `at`.
  bool advance(std::size_t at) {
    if (next_ >= at) return false;
    last_ = next_;
    next_ = text_.find(word_, next_ + 1);
    return true;
  }
  std::size_t last() const { return last_; }  // npos: none so far

 private:
  std::string_view text_, word_;
  std::size_t last_ = std::string_view::npos, next_;
};

// Tells, for positions that only grow, whether the code there belongs to a function of the C++
// library and was written in a system header: then the place of an access is that of the caller.
class Surroundings {
 public:
  explicit Surroundings(std::string_view text)
      : text_(text), types_(text, ".type"), places_(text, ".loc") {}

  bool are_library(std::size_t at) {
    while (types_.advance(at)) {
      const std::string_view function = operands(types_.last());
      if (function.ends_with("@function")) {
        in_function_ = wire::is_library_name(function.substr(0, function.find(',')));
      }
    }
    if (!in_function_) return false;
    while (places_.advance(at)) {}
    return places_.last() != std::string_view::npos &&
           is_system_file(first_number(operands(places_.last())));
  }

 private:
  // What stands behind the directive in its line.
  std::string_view operands(std::size_t at) const {
    std::string_view line = text_.substr(at, text_.find('\n', at) - at);
    line.remove_prefix(std::min(line.find_first_of("\t "), line.size()));
    take_blanks(line);
    return line;
  }
  static unsigned first_number(std::string_view text) {
    unsigned number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  bool is_system_file(unsigned number) {
    if (system_files_.empty()) read_files();
    const auto known = system_files_.find(number);
    return known != system_files_.end() && known->second;
  }
  void read_files() {
    system_files_.emplace(0, false);
    constexpr std::string_view kFile = "\t.file";
    for (std::size_t at = 0; (at = text_.find(kFile, at)) != std::string_view::npos; ++at) {
      const std::string_view file = operands(at + 1);
      const bool is_system = file.find("\"/usr/") != std::string_view::npos ||
                             file.find("/include/c++/") != std::string_view::npos ||
                             file.find("/omnium_overlay/") != std::string_view::npos;
      system_files_.emplace(first_number(file), is_system);
    }
  }

  std::string_view text_;
  Occurrences types_, places_;
  bool in_function_ = false;
  std::unordered_map<unsigned, bool> system_files_;  // by number; read when it is first asked
};

// The functions whose rare code lies in another place, as label NAME.cold.
std::unordered_set<std::string_view> functions_with_cold_code(std::string_view text) {
  constexpr std::string_view kCold = ".cold:";
  std::unordered_set<std::string_view> names;
  for (std::size_t at = 0; (at = text.find(kCold, at)) != std::string_view::npos; ++at) {
    const std::size_t label = at == 0 ? 0 : text.rfind('\n', at) + 1;
    names.insert(text.substr(label, at - label));
  }
  return names;
}

// The function around a hook at `at` is a leaf if it calls nothing but hooks and callbacks of plain
// accesses. Then no other thread can have touched its frame, and its hooks have nothing to do
// unless functions matter. Returns where the function ends, or 0 if it is not a leaf.
std::size_t end_of_leaf(std::string_view text, std::size_t at,
                        const std::unordered_set<std::string_view>& with_cold_code) {
  const std::size_t begin = text.rfind("\t.cfi_startproc", at),
                    end = text.find("\t.cfi_endproc", at);
  if (begin == std::string_view::npos || end == std::string_view::npos) return 0;
  // The label of the function is in the line before.
  const std::size_t label = begin < 2 ? 0 : text.rfind('\n', begin - 2) + 1;
  const std::string_view name = text.substr(label, text.find(':', label) - label);
  if (name.empty() || with_cold_code.contains(name)) return 0;
  for (std::size_t line = begin; line < end;) {
    const std::size_t next = std::min(text.find('\n', line), end);
    std::string_view words = text.substr(line, next - line);
    line = next + 1;
    take_blanks(words);
    if (!words.starts_with("call")) continue;
    const auto called = callback_called(words);
    if (!called || !(plain_access(*called) || is_hook(*called))) return 0;
  }
  return end;
}

void append_hook(std::string& to, std::string_view name, std::size_t number) {
  fmt::format_to(std::back_inserter(to),
                 "\tmovq\t" OMNIUM_INLINED_FUNCTIONS
                 "@GOTPCREL(%rip), %rax\n"
                 "\tcmpb\t$0, (%rax)\n"
                 "\tje\t.Lomnium_hook{0}\n"
                 "\tcall\t*{1}{2}@GOTPCREL(%rip)\n"
                 ".Lomnium_hook{0}:\n",
                 number, kPrefix, name);
}

// Replaces the calls of callbacks.
std::string with_inlined_accesses(std::string_view text) {
  std::string out;
  std::size_t copied = 0, accesses = 0, hooks = 0, leaf_end = 0;
  Surroundings surroundings(text);
  const auto with_cold_code = functions_with_cold_code(text);
  const auto replace = [&](std::size_t begin, std::size_t end) {
    out += text.substr(copied, begin - copied);
    copied = end;
  };
  for (std::size_t at = 0; (at = text.find(kPrefix, at)) != std::string_view::npos;) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    at = end;
    const auto called = callback_called(text.substr(begin, end - begin));
    if (!called) continue;
    replace(begin, std::min(end + 1, text.size()));
    const std::string_view name = as_access(*called, text.substr(0, begin));
    const bool in_library = name == *called && surroundings.are_library(begin);
    if (const auto access = plain_access(name)) {
      append_access(out, *access, accesses++, in_library);
      continue;
    }
    if (name == "func_entry") leaf_end = end_of_leaf(text, begin, with_cold_code);
    if (is_hook(name) && begin < leaf_end) {
      append_hook(out, name, hooks++);
    } else if (in_library && is_small_access(name)) {
      fmt::format_to(std::back_inserter(out),
                     "\tcall\t*" OMNIUM_INLINED_SLOW("library_{}") "@GOTPCREL(%rip)\n", name);
    } else {
      fmt::format_to(std::back_inserter(out), "\tcall\t*{}{}@GOTPCREL(%rip)\n", kPrefix, name);
    }
  }
  return out += text.substr(copied);
}

}  // namespace

std::string rewritten(std::string_view text) {
  // Intel syntax has some of the same lines, but the replacements are in AT&T syntax.
  const bool is_att = text.find(".intel_syntax") == std::string_view::npos;
  std::string out =
      is_att ? with_inlined_accesses(without_needless_hooks(text)) : std::string(text);
  // The name of the last section, if it has the unknown type. Linkers drop that section anyway.
  if (const std::size_t at = out.rfind(kLinkerOptions); at != std::string::npos) {
    out.replace(at, kLinkerOptions.size(), "@progbits");
  }
  return out;
}

}  // namespace omnium::assembler
