// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/specification.h"

#include <fcntl.h>
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

// The functions in the watcher's answer, and a cache of recent lookups. Its entries have the low
// bits of the address, and 1 + the index of the function around it or 0 for none, in one word.
constexpr std::size_t kMaxFunctions = (1 << 20) - 2, kAnswers = 1 << 12;
wire::FunctionRange* functions;
std::atomic<std::size_t> function_count;
constinit std::atomic<std::uint64_t> answers[kAnswers] = {};

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

void forget_named_functions() {
  if (functions == nullptr) functions = map_array<wire::FunctionRange>(kMaxFunctions);
  function_count = 0;
  for (auto& answer : answers) answer = 0;
}

// Functions come in the order of their addresses.
void add_named_function(Pc begin, Pc end) {
  const std::size_t count = function_count;
  if (count == kMaxFunctions) return;
  functions[count] = {begin, end};
  function_count = count + 1;
}

// 1 + the index of the function that contains the code, or 0.
std::uint64_t find_function(Pc code) {
  std::size_t low = 0, high = function_count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (functions[middle].end <= code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < function_count && functions[low].begin <= code ? low + 1 : 0;
}

}  // namespace

void ask_for_functions() {
  forget_named_functions();
  send_modules_and_ask();
  static struct {
    wire::Functions head;
    wire::FunctionRange ranges[wire::kMaxMessage / sizeof(wire::FunctionRange)];
  } answer;
  for (;;) {
    const std::size_t size = receive_message(&answer, sizeof(answer));
    if (size < sizeof(answer.head) || answer.head.header.type != wire::Type::kFunctions) return;
    const std::size_t most = (size - sizeof(answer.head)) / sizeof(wire::FunctionRange);
    for (std::size_t i = 0; i < answer.head.count && i < most; ++i) {
      add_named_function(answer.ranges[i].begin, answer.ranges[i].end);
    }
    if (answer.head.more == 0) break;
  }
  if (function_count != 0) functions_matter.store(true, std::memory_order_relaxed);
}

Pc function_block(Pc code) {
  const bool all = options.block_mode == Blocks::kFunctions;
  if (function_count == 0) return all ? code : 0;
  const std::uint64_t asked = code << 20;
  std::atomic<std::uint64_t>& place = answers[(code ^ code >> 12) % kAnswers];
  std::uint64_t answer = place.load(std::memory_order_relaxed);
  if ((answer ^ asked) >> 20 != 0) {
    answer = asked | find_function(code);
    place.store(answer, std::memory_order_relaxed);
  }
  const std::uint64_t named = answer & ((1 << 20) - 1);
  if (all) return named == 0 ? code : 0;
  return named == 0 ? 0 : functions[named - 1].begin;
}

}  // namespace omnium::runtime
