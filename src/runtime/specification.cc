// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The part of blocks.h that says what ought to be atomic.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "live/protocol.h"
#include "runtime/blocks.h"
#include "runtime/mapped.h"
#include "runtime/message.h"
#include "runtime/options.h"

namespace omnium::runtime {

namespace {

struct Pattern {
  const char* glob;
  bool atomic;
};

constexpr std::size_t kMaxText = 1 << 20, kMaxPatterns = 1 << 14;
Pattern* patterns;
std::size_t pattern_count;

// The functions of the answer, and where recent questions led: the folded address and 1 + the place
// of the function, or 0 for none, in one word.
constexpr std::size_t kMaxFunctions = (1 << 20) - 2, kAnswers = 1 << 12;
live::FunctionRange* functions;
std::atomic<std::size_t> function_count;
constinit std::atomic<std::uint64_t> answers[kAnswers] = {};

bool matches(const char* glob, const char* text) {
  const char *star = nullptr, *retry = nullptr;
  while (*text != '\0') {
    if (*glob == '*') {
      star = ++glob;
      retry = text;
    } else if (*glob == *text || *glob == '?') {
      ++glob;
      ++text;
    } else if (star != nullptr) {
      glob = star;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (*glob == '*') ++glob;
  return *glob == '\0';
}

[[noreturn]] void refuse(const char* path, std::size_t line) {
  print_line(Line() << "error: " << path << ":" << line
                    << ": expected 'atomic GLOB' or 'not-atomic GLOB'");
  _exit(2);
}

char* skip_blanks(char* text) {
  while (*text == ' ' || *text == '\t' || *text == '\r') ++text;
  return text;
}

// One line, without its end.
void read_line(char* text, const char* path, std::size_t number) {
  if (char* comment = std::strchr(text, '#')) *comment = '\0';
  text = skip_blanks(text);
  char* end = text + std::strlen(text);
  while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) *--end = '\0';
  if (*text == '\0') return;
  const bool negative = std::strncmp(text, "not-", 4) == 0;
  char* word = negative ? text + 4 : text;
  if (std::strncmp(word, "atomic", 6) != 0 || (word[6] != ' ' && word[6] != '\t')) {
    refuse(path, number);
  }
  if (pattern_count == kMaxPatterns) refuse(path, number);
  patterns[pattern_count++] = {skip_blanks(word + 6), !negative};
}

}  // namespace

void read_specification(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  char* text = map_array<char>(kMaxText);
  patterns = map_array<Pattern>(kMaxPatterns);
  std::size_t size = 0;
  for (ssize_t got; (got = file < 0 ? -1 : read(file, text + size, kMaxText - 1 - size)) != 0;) {
    if (got < 0) {
      print_line(Line() << "error: cannot read the specification " << path);
      _exit(2);
    }
    size += static_cast<std::size_t>(got);
  }
  close(file);
  std::size_t number = 1;
  for (char* line = text; line < text + size; ++number) {
    char* end = std::strchr(line, '\n');
    if (end == nullptr) end = text + size;
    *end = '\0';
    read_line(line, path, number);
    line = end + 1;
  }
}

bool specification_names_functions() {
  for (std::size_t i = 0; i < pattern_count; ++i) {
    if (patterns[i].atomic) return true;
  }
  return options.block_mode == Blocks::kFunctions;
}

bool is_atomic_name(const char* name) {
  bool atomic = true;
  for (std::size_t i = 0; i < pattern_count; ++i) {
    if (matches(patterns[i].glob, name)) atomic = patterns[i].atomic;
  }
  return atomic;
}

void forget_named_functions() {
  if (functions == nullptr) functions = map_array<live::FunctionRange>(kMaxFunctions);
  function_count = 0;
  for (auto& answer : answers) answer = 0;
}

void add_named_function(Pc begin, Pc end) {
  const std::size_t count = function_count;
  if (count == kMaxFunctions) return;
  functions[count] = {begin, end};
  function_count = count + 1;
}

namespace {

// 1 + the place of the function around the code, or 0.
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
