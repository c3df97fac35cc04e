// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/specification.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "runtime/events/events.h"
#include "runtime/state/modules.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"
#include "wire/protocol.h"
#include "wire/rule.h"

namespace omnium::runtime {

namespace {

constexpr std::size_t kMaxText = 1 << 20;
RuleLine* rules;
std::size_t rule_count;
bool lists_atomic;

// The functions in an answer of the watcher, sorted, and a cache of recent lookups. Entries of the
// cache have the low bits of the address, and 1 + the index of the function around it or 0 for
// none, in one word. A table never changes, because another thread may be reading it.
struct FunctionTable {
  static constexpr std::size_t kAnswers = 1 << 12;
  static constexpr unsigned kIndexBits = 20;
  static_assert(wire::kMaxFunctions + 1 < 1 << kIndexBits);

  std::atomic<std::uint64_t> answers[kAnswers];
  std::size_t count;
  const wire::FunctionRange* ranges;

  // 1 + the index of the function that contains the code, or 0.
  std::uint64_t search(Pc code) const {
    std::size_t low = 0, high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (ranges[middle].end <= code) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < count && ranges[low].begin <= code ? low + 1 : 0;
  }
  std::uint64_t find(Pc code) {
    const std::uint64_t asked = code << kIndexBits;
    std::atomic<std::uint64_t>& place = answers[(code ^ code >> 12) % kAnswers];
    std::uint64_t answer = place.load(std::memory_order_relaxed);
    if ((answer ^ asked) >> kIndexBits != 0) {
      answer = asked | search(code);
      place.store(answer, std::memory_order_relaxed);
    }
    return answer & ((1 << kIndexBits) - 1);
  }
};
constinit std::atomic<FunctionTable*> functions = nullptr;  // null: no functions are named

[[noreturn]] void refuse(const char* path, std::size_t line, const char* why) {
  print_line(Line() << "error: " << path << ":" << line << ": " << why);
  end_process(2);
}

// Reads one line, without its newline.
void read_line(std::string_view text, const char* path, std::size_t number) {
  const RuleLine rule = read_rule(text);
  if (rule.kind == RuleLine::Kind::kEmpty) return;
  if (rule.kind == RuleLine::Kind::kWrong) {
    refuse(path, number, "expected 'atomic GLOB' or 'not-atomic GLOB'");
  }
  if (rule_count == wire::kMaxRules) refuse(path, number, "too many rules");
  rules[rule_count++] = rule;
  lists_atomic |= rule.atomic;
}

}  // namespace

void read_specification(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  char* text = map_array<char>(kMaxText);
  rules = map_array<RuleLine>(wire::kMaxRules);
  std::size_t size = 0;
  for (ssize_t got; (got = file < 0 ? -1 : read(file, text + size, kMaxText - 1 - size)) != 0;) {
    if (got < 0) {
      print_line(Line() << "error: cannot read the specification " << path);
      end_process(2);
    }
    size += static_cast<std::size_t>(got);
  }
  close(file);
  std::size_t number = 1;
  for (const char* line = text; line < text + size; ++number) {
    const void* found = std::memchr(line, '\n', static_cast<std::size_t>(text + size - line));
    const char* end = found == nullptr ? text + size : static_cast<const char*>(found);
    read_line({line, static_cast<std::size_t>(end - line)}, path, number);
    line = end + 1;
  }
}

bool specification_names_functions() {
  return lists_atomic || options.block_mode == Blocks::kFunctions;
}

bool is_atomic_name(const char* name) {
  bool atomic = !lists_atomic;
  for (std::size_t i = 0; i < rule_count; ++i) {
    if (!glob_match(rules[i].glob, name)) continue;
    atomic = rules[i].atomic;
    std::atomic<bool>& used = counters().rule_used[i];
    if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
  }
  return atomic;
}

namespace {

// Uses the functions in the file from now on.
void use_functions(int file, std::size_t count) {
  const std::size_t bytes = count * sizeof(wire::FunctionRange);
  const FunctionTable* const old = functions.load(std::memory_order_relaxed);
  struct stat facts;
  if (count == 0 || count > wire::kMaxFunctions || fstat(file, &facts) != 0 ||
      static_cast<std::size_t>(facts.st_size) < bytes) {
    return functions.store(nullptr, std::memory_order_release);
  }
  void* const ranges = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (ranges == MAP_FAILED) return;
  // A program that loads the same library again and again gets the same answer each time.
  if (old != nullptr && old->count == count && std::memcmp(old->ranges, ranges, bytes) == 0) {
    munmap(ranges, bytes);
    return;
  }
  auto* const made = map_array<FunctionTable>(1);
  made->count = count;
  made->ranges = static_cast<const wire::FunctionRange*>(ranges);
  functions.store(made, std::memory_order_release);
}

}  // namespace

void ask_for_functions() {
  wire::Functions answer{};
  int file = -1;
  const std::size_t size = send_modules_and_ask(&answer, sizeof(answer), file);
  if (size == sizeof(answer) && answer.header.type == wire::Type::kFunctions && file >= 0) {
    use_functions(file, answer.count);
  }
  if (file >= 0) syscall(SYS_close, file);
  if (functions.load(std::memory_order_relaxed) != nullptr) {
    functions_matter.store(true, std::memory_order_relaxed);
  }
}

FoundFunction find_function(Pc code) {
  const bool all = options.block_mode == Blocks::kFunctions;
  FunctionTable* const table = functions.load(std::memory_order_acquire);
  const std::uint64_t listed = table == nullptr ? 0 : table->find(code);
  if (listed == 0) return {all ? code : 0, false};
  const wire::FunctionRange& range = table->ranges[listed - 1];
  return {all ? 0 : range.begin, range.library != 0};
}

}  // namespace omnium::runtime
