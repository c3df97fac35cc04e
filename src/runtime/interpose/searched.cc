// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that look at strings and memory: they read as far as the result depends on. The drivers
// link with --wrap, as for copying (string.cc).
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/interpose/real.h"
#include "runtime/interpose/sent.h"

namespace omnium::runtime {
namespace {

constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

void reads(const void* from, std::size_t size, Pc pc) {
  if (size != 0) read_range(from, size, pc);
}

// A string with its end, or its first `most` bytes.
void reads_text(const char* text, Pc pc, std::size_t most = kNoLimit) {
  const std::size_t length = strnlen(text, most);
  reads(text, length < most ? length + 1 : length, pc);
}

// Up to what was found, and all if nothing was.
void reads_until(const char* text, const char* found, std::size_t size, Pc pc) {
  if (found == nullptr) return reads_text(text, pc);
  reads(text, static_cast<std::size_t>(found - text) + size, pc);
}

void reads_memory_until(const void* memory, std::size_t size, const void* found,
                        std::size_t found_size, Pc pc) {
  const char* const begin = static_cast<const char*>(memory);
  if (found != nullptr) {
    size = static_cast<std::size_t>(static_cast<const char*>(found) - begin) + found_size;
  }
  reads(memory, size, pc);
}

// Both up to where they differ, or end.
template <typename Differ>
void compares(const char* one, const char* other, std::size_t most, Pc pc, Differ differ) {
  std::size_t same = 0;
  while (same < most && !differ(one[same], other[same])) ++same;
  const std::size_t size = same < most ? same + 1 : most;
  reads(one, size, pc);
  reads(other, size, pc);
}

bool text_differs(char one, char other) { return one != other || one == 0; }
bool letters_differ(char one, char other) {
  return tolower(static_cast<unsigned char>(one)) != tolower(static_cast<unsigned char>(other)) ||
         one == 0;
}

void compares_memory(const void* one, const void* other, std::size_t size, Pc pc) {
  compares(static_cast<const char*>(one), static_cast<const char*>(other), size, pc,
           [](char mine, char theirs) { return mine != theirs; });
}

// A number is followed by what is no part of it.
template <typename Parse>
auto parses(const char* text, char** end, Pc pc, Parse parse) {
  char* stopped = nullptr;
  const auto number = parse(&stopped);
  reads(text, static_cast<std::size_t>(stopped - text) + 1, pc);
  if (end != nullptr) {
    write_range(end, sizeof *end, pc);
    *end = stopped;
  }
  return number;
}

}  // namespace

OMNIUM_INTERPOSE std::size_t __wrap_strlen(const char* text) noexcept {
  reads_text(text, OMNIUM_USER_PC());
  return strlen(text);
}

OMNIUM_INTERPOSE std::size_t __wrap_strnlen(const char* text, std::size_t most) noexcept {
  reads_text(text, OMNIUM_USER_PC(), most);
  return strnlen(text, most);
}

OMNIUM_INTERPOSE int __wrap_strcmp(const char* one, const char* other) noexcept {
  compares(one, other, kNoLimit, OMNIUM_USER_PC(), text_differs);
  return strcmp(one, other);
}

OMNIUM_INTERPOSE int __wrap_strncmp(const char* one, const char* other, std::size_t most) noexcept {
  compares(one, other, most, OMNIUM_USER_PC(), text_differs);
  return strncmp(one, other, most);
}

OMNIUM_INTERPOSE int __wrap_strcasecmp(const char* one, const char* other) noexcept {
  compares(one, other, kNoLimit, OMNIUM_USER_PC(), letters_differ);
  return strcasecmp(one, other);
}

OMNIUM_INTERPOSE int __wrap_strncasecmp(const char* one, const char* other,
                                        std::size_t most) noexcept {
  compares(one, other, most, OMNIUM_USER_PC(), letters_differ);
  return strncasecmp(one, other, most);
}

OMNIUM_INTERPOSE int __wrap_memcmp(const void* one, const void* other, std::size_t size) noexcept {
  compares_memory(one, other, size, OMNIUM_USER_PC());
  return memcmp(one, other, size);
}

OMNIUM_INTERPOSE int __wrap_bcmp(const void* one, const void* other, std::size_t size) noexcept {
  compares_memory(one, other, size, OMNIUM_USER_PC());
  return memcmp(one, other, size);
}

OMNIUM_INTERPOSE char* __wrap_strchr(const char* text, int character) noexcept {
  char* const found = const_cast<char*>(strchr(text, character));
  reads_until(text, found, 1, OMNIUM_USER_PC());
  return found;
}

OMNIUM_INTERPOSE char* __wrap_strchrnul(const char* text, int character) noexcept {
  char* const found = const_cast<char*>(strchrnul(text, character));
  reads_until(text, found, 1, OMNIUM_USER_PC());
  return found;
}

OMNIUM_INTERPOSE char* __wrap_strrchr(const char* text, int character) noexcept {
  reads_text(text, OMNIUM_USER_PC());
  return const_cast<char*>(strrchr(text, character));
}

OMNIUM_INTERPOSE char* __wrap_strstr(const char* text, const char* part) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  char* const found = const_cast<char*>(strstr(text, part));
  reads_text(part, pc);
  reads_until(text, found, strlen(part), pc);
  return found;
}

OMNIUM_INTERPOSE std::size_t __wrap_strspn(const char* text, const char* allowed) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  const std::size_t length = strspn(text, allowed);
  reads_text(allowed, pc);
  reads(text, length + 1, pc);
  return length;
}

OMNIUM_INTERPOSE std::size_t __wrap_strcspn(const char* text, const char* ends) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  const std::size_t length = strcspn(text, ends);
  reads_text(ends, pc);
  reads(text, length + 1, pc);
  return length;
}

OMNIUM_INTERPOSE char* __wrap_strpbrk(const char* text, const char* ends) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  char* const found = const_cast<char*>(strpbrk(text, ends));
  reads_text(ends, pc);
  reads_until(text, found, 1, pc);
  return found;
}

OMNIUM_INTERPOSE void* __wrap_memchr(const void* memory, int byte, std::size_t size) noexcept {
  void* const found = const_cast<void*>(memchr(memory, byte, size));
  reads_memory_until(memory, size, found, 1, OMNIUM_USER_PC());
  return found;
}

OMNIUM_INTERPOSE void* __wrap_memrchr(const void* memory, int byte, std::size_t size) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  void* const found = const_cast<void*>(memrchr(memory, byte, size));
  const char* const begin = static_cast<const char*>(found == nullptr ? memory : found);
  reads(begin, static_cast<std::size_t>(static_cast<const char*>(memory) + size - begin), pc);
  return found;
}

OMNIUM_INTERPOSE void* __wrap_memmem(const void* memory, std::size_t size, const void* part,
                                     std::size_t part_size) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  void* const found = memmem(memory, size, part, part_size);
  reads(part, part_size, pc);
  reads_memory_until(memory, size, found, part_size, pc);
  return found;
}

OMNIUM_INTERPOSE char* __wrap_strdup(const char* text) noexcept {
  reads_text(text, OMNIUM_USER_PC());
  return strdup(text);
}

OMNIUM_INTERPOSE char* __wrap_strndup(const char* text, std::size_t most) noexcept {
  reads_text(text, OMNIUM_USER_PC(), most);
  return strndup(text, most);
}

OMNIUM_INTERPOSE int __wrap_puts(const char* text) {
  reads_text(text, OMNIUM_USER_PC());
  sending_to(stdout, OMNIUM_USER_PC());
  return puts(text);
}

OMNIUM_INTERPOSE int __wrap_fputs(const char* text, FILE* file) {
  reads_text(text, OMNIUM_USER_PC());
  sending_to(file, OMNIUM_USER_PC());
  return fputs(text, file);
}

#define OMNIUM_INTEGER(type, name)                                                       \
  OMNIUM_INTERPOSE type __wrap_##name(const char* text, char** end, int base) noexcept { \
    return parses(text, end, OMNIUM_USER_PC(),                                           \
                  [&](char** stopped) { return name(text, stopped, base); });            \
  }
#define OMNIUM_FLOATING(type, name)                                            \
  OMNIUM_INTERPOSE type __wrap_##name(const char* text, char** end) noexcept { \
    return parses(text, end, OMNIUM_USER_PC(),                                 \
                  [&](char** stopped) { return name(text, stopped); });        \
  }
#define OMNIUM_WITHOUT_END(type, name, ...)                                                    \
  OMNIUM_INTERPOSE type __wrap_##name(const char* text) noexcept {                             \
    return static_cast<type>(                                                                  \
        parses(text, nullptr, OMNIUM_USER_PC(), [&](char** stopped) { return __VA_ARGS__; })); \
  }

OMNIUM_INTEGER(long, strtol)
OMNIUM_INTEGER(unsigned long, strtoul)
OMNIUM_INTEGER(long long, strtoll)
OMNIUM_INTEGER(unsigned long long, strtoull)
OMNIUM_FLOATING(float, strtof)
OMNIUM_FLOATING(double, strtod)
OMNIUM_FLOATING(long double, strtold)
OMNIUM_WITHOUT_END(int, atoi, strtol(text, stopped, 10))
OMNIUM_WITHOUT_END(long, atol, strtol(text, stopped, 10))
OMNIUM_WITHOUT_END(long long, atoll, strtoll(text, stopped, 10))
OMNIUM_WITHOUT_END(double, atof, strtod(text, stopped))

}  // namespace omnium::runtime
