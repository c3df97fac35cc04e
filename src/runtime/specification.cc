// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The part of blocks.h that says what ought to be atomic.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

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

// A set of addresses: open addressing, grown before anybody looks at it.
constexpr std::size_t kMaxFunctions = std::size_t{1} << 21;
std::atomic<Pc>* functions;
std::size_t function_count;

std::size_t place_of(Pc function) {
  return (function * 0x9E3779B97F4A7C15u >> 40) & (kMaxFunctions - 1);
}

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

void add_named_function(Pc function) {
  if (functions == nullptr) functions = map_array<std::atomic<Pc>>(kMaxFunctions);
  if (function_count >= kMaxFunctions / 2) return;
  std::size_t place = place_of(function);
  while (functions[place] != 0 && functions[place] != function) {
    place = (place + 1) & (kMaxFunctions - 1);
  }
  functions[place] = function;
  ++function_count;
}

bool is_function_block(Pc function) {
  bool named = false;
  if (function_count != 0) {
    std::size_t place = place_of(function);
    while (functions[place] != 0 && functions[place] != function) {
      place = (place + 1) & (kMaxFunctions - 1);
    }
    named = functions[place] == function;
  }
  return named != (options.block_mode == Blocks::kFunctions);
}

}  // namespace omnium::runtime
