// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/options.h"

#include <unistd.h>
#include <x86intrin.h>

#include <cstdlib>
#include <cstring>

#include "runtime/system/declared_blocks.h"
#include "runtime/system/environment.h"
#include "runtime/system/print.h"

extern "C" __attribute__((weak)) const char* __omnium_default_options();

namespace omnium::runtime {

constinit Options options{};

namespace {

struct Row {
  const char* name;
  char* value;
  const char* help;
};

const Row kTable[] = {
#define OMNIUM_ROW(name, help) {#name, options.name, help},
    OMNIUM_RUNTIME_OPTIONS(OMNIUM_ROW)
#undef OMNIUM_ROW
};

void print_help() {
  print_line("OMNIUM_OPTIONS=key=value:key=value; available keys:");
  for (const Row& row : kTable) print_line(Line() << "  " << row.name << "=" << row.help);
}

[[noreturn]] void refuse(const char* what, const char* text, std::size_t length) {
  char copy[200] = {};
  std::memcpy(copy, text, length < sizeof(copy) ? length : sizeof(copy) - 1);
  print_line(Line() << "error: OMNIUM_OPTIONS: " << what << " '" << copy
                    << "'; OMNIUM_OPTIONS=help=1 lists the keys");
  end_process(2);
}

// A ':' ends the value only if "key=" follows it, so that paths need no escapes.
const char* end_of_value(const char* text) {
  for (;; ++text) {
    if (*text == '\0') return text;
    if (*text != ':') continue;
    const char* key = text + 1;
    while ((*key >= 'a' && *key <= 'z') || *key == '_') ++key;
    if (*key == '=' || *key == '\0') return text;
  }
}

void read_pairs(const char* text) {
  while (*text != '\0') {
    const char* equals = std::strchr(text, '=');
    if (equals == nullptr) refuse("expected key=value, got", text, std::strlen(text));
    const auto key_length = static_cast<std::size_t>(equals - text);
    const char* end = end_of_value(equals + 1);
    const auto length = static_cast<std::size_t>(end - equals - 1);
    const Row* found = nullptr;
    for (const Row& row : kTable) {
      if (std::strlen(row.name) == key_length && std::memcmp(row.name, text, key_length) == 0) {
        found = &row;
      }
    }
    if (found == nullptr) refuse("unknown key", text, key_length);
    if (length >= sizeof(options.spec)) refuse("value too long for", text, key_length);
    std::memcpy(found->value, equals + 1, length);
    found->value[length] = '\0';
    text = *end == ':' ? end + 1 : end;
  }
}

void read_block_mode() {
  const char* text = options.blocks;
  if (text[0] == '\0' && options.spec[0] == '\0' &&
      std::strcmp(options.undeclared, "functions") == 0 && !declares_blocks()) {
    options.functions_by_default = true;
    options.block_mode = Blocks::kFunctions;
  }
  if (text[0] == '\0' || std::strcmp(text, "annotated") == 0) return;
  if (std::strcmp(text, "functions") == 0) {
    options.block_mode = Blocks::kFunctions;
  } else if (std::strcmp(text, "locks") == 0) {
    options.block_mode = Blocks::kLocks;
    options.sections_are_blocks = true;
  } else if (std::strcmp(text, "functions,locks") == 0) {
    options.block_mode = Blocks::kFunctions;
    options.sections_are_blocks = true;
  } else {
    refuse("blocks must be annotated, functions, locks or functions,locks, got", text,
           std::strlen(text));
  }
}

void read_purpose() {
  const char* text = options.record_for;
  if (text[0] == '\0' || std::strcmp(text, "check") == 0) return;
  if (std::strcmp(text, "everything") == 0) return;
  refuse("record_for must be check or everything, got", text, std::strlen(text));
}

// Whole numbers alone. False if it is none.
bool read_number(const char* text, std::uint64_t& number) {
  number = 0;
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at < '0' || *at > '9' || __builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, static_cast<std::uint64_t>(*at - '0'), &number)) {
      return false;
    }
  }
  return text[0] != '\0';
}

// Without a seed each process takes another one.
void read_sample() {
  if (const char* text = options.sample; text[0] != '\0') {
    const auto share = wire::parse_percent(text);
    if (!share) {
      refuse("sample must be more than 0 and at most 100 percent, got", text, std::strlen(text));
    }
    options.share = *share;
  }
  if (const char* text = options.sample_seed; text[0] != '\0') {
    if (!read_number(text, options.seed)) {
      refuse("sample_seed must be a number, got", text, std::strlen(text));
    }
  } else {
    options.seed = (__rdtsc() ^ static_cast<std::uint64_t>(getpid()) << 20) % 1'000'000;
  }
}

void read_check_mode() {
  if (const char* text = options.conflicts; text[0] != '\0') {
    const auto conflicts = find_conflicts(text);
    if (!conflicts) refuse("conflicts must be data or all, got", text, std::strlen(text));
    options.mode.conflicts = *conflicts;
  }
  if (const char* text = options.waits; text[0] != '\0') {
    const auto waits = find_waits(text);
    if (!waits) refuse("waits must be split or keep, got", text, std::strlen(text));
    options.mode.waits = *waits;
  }
}

}  // namespace

int Options::exit_status() const { return exitcode[0] == '\0' ? 66 : std::atoi(exitcode); }

void refuse_value(const char* what, const char* value) { refuse(what, value, std::strlen(value)); }

void read_options() {
  if (__omnium_default_options != nullptr) read_pairs(__omnium_default_options());
  if (const char* text = environment("OMNIUM_OPTIONS")) read_pairs(text);
  read_block_mode();
  read_check_mode();
  read_purpose();
  read_sample();
  options.checks = options.check[0] != '0';
  // A recording keeps all blocks.
  options.refines = options.block_mode == Blocks::kFunctions && options.refine[0] != '0' &&
                    options.checks && options.record[0] == '\0';
  options.checks_locks = options.checks && options.mode.conflicts == Conflicts::kAll;
  options.splits = options.checks && options.mode.waits == Waits::kSplit;
  options.samples = options.checks && options.share < wire::kWhole;
  if (options.flag(options.help)) {
    print_help();
    end_process(0);
  }
}

std::size_t watcher_arguments(const char** arguments, std::size_t most) {
  const struct {
    const char *name, *value;
  } passed[] = {{"--spec", options.spec},     {"--blocks", options.blocks},
                {"--log", options.log_path},  {"--format", options.format},
                {"--output", options.output}, {"--suppressions", options.suppressions}};
  std::size_t used = 0;
  for (const auto& pair : passed) {
    if (pair.value[0] == '\0' || used + 2 > most) continue;
    arguments[used++] = pair.name;
    arguments[used++] = pair.value;
  }
  if (options.flag(options.stats) && used < most) arguments[used++] = "--stats";
  if (options.flag(options.stacks) && used < most) arguments[used++] = "--stacks";
  return used;
}

}  // namespace omnium::runtime
