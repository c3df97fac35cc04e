// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that copy strings, print into memory, and sort. What printing reads is not followed.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/interpose/real.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real_strcpy, char*(char*, const char*), "strcpy");
OMNIUM_REAL_AS(real_stpcpy, char*(char*, const char*), "stpcpy");
OMNIUM_REAL_AS(real_strncpy, char*(char*, const char*, std::size_t), "strncpy");
OMNIUM_REAL_AS(real_strcat, char*(char*, const char*), "strcat");
OMNIUM_REAL_AS(real_strncat, char*(char*, const char*, std::size_t), "strncat");
OMNIUM_REAL_AS(real_vsnprintf, int(char*, std::size_t, const char*, va_list), "vsnprintf");
OMNIUM_REAL_AS(real_vsprintf, int(char*, const char*, va_list), "vsprintf");
OMNIUM_REAL(qsort);
OMNIUM_REAL(qsort_r);

// Copies a string with its end.
void copies(const char* to, const char* from, Pc pc) {
  const std::size_t size = strlen(from) + 1;
  library_reads(from, size, pc);
  library_writes(to, size, pc);
}

void copies_behind(const char* to, const char* from, std::size_t most, Pc pc) {
  const std::size_t before = strlen(to), size = strnlen(from, most);
  library_reads(to, before + 1, pc);
  library_reads(from, size < most ? size + 1 : size, pc);
  library_writes(to + before, size + 1, pc);
}

// `size` is what the function returns: how long the text would be if it fits.
int printed(const char* to, std::size_t room, int size, Pc pc) {
  if (size < 0 || room == 0) return size;
  const std::size_t needed = static_cast<std::size_t>(size) + 1;
  library_writes(to, needed < room ? needed : room, pc);
  return size;
}

}  // namespace

OMNIUM_INTERPOSE char* strcpy(char* to, const char* from) noexcept {
  copies(to, from, OMNIUM_USER_PC());
  return real_strcpy(to, from);
}

OMNIUM_INTERPOSE char* stpcpy(char* to, const char* from) noexcept {
  copies(to, from, OMNIUM_USER_PC());
  return real_stpcpy(to, from);
}

OMNIUM_INTERPOSE char* strncpy(char* to, const char* from, std::size_t size) noexcept {
  const Pc pc = OMNIUM_USER_PC();
  const std::size_t length = strnlen(from, size);
  library_reads(from, length < size ? length + 1 : length, pc);
  library_writes(to, size, pc);
  return real_strncpy(to, from, size);
}

OMNIUM_INTERPOSE char* strcat(char* to, const char* from) noexcept {
  copies_behind(to, from, static_cast<std::size_t>(-1) / 2, OMNIUM_USER_PC());
  return real_strcat(to, from);
}

OMNIUM_INTERPOSE char* strncat(char* to, const char* from, std::size_t size) noexcept {
  copies_behind(to, from, size, OMNIUM_USER_PC());
  return real_strncat(to, from, size);
}

OMNIUM_INTERPOSE int vsnprintf(char* to, std::size_t room, const char* format,
                               va_list arguments) noexcept {
  return printed(to, room, real_vsnprintf(to, room, format, arguments), OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int vsprintf(char* to, const char* format, va_list arguments) noexcept {
  const int size = real_vsprintf(to, format, arguments);
  return printed(to, static_cast<std::size_t>(-1), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int snprintf(char* to, std::size_t room, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int size = real_vsnprintf(to, room, format, arguments);
  va_end(arguments);
  return printed(to, room, size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int sprintf(char* to, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int size = real_vsprintf(to, format, arguments);
  va_end(arguments);
  return printed(to, static_cast<std::size_t>(-1), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void qsort(void* items, std::size_t count, std::size_t size,
                            int (*compare)(const void*, const void*)) {
  const Pc pc = OMNIUM_USER_PC();
  library_reads(items, count * size, pc);
  real_qsort(items, count, size, compare);
  library_writes(items, count * size, pc);
}

OMNIUM_INTERPOSE void qsort_r(void* items, std::size_t count, std::size_t size,
                              int (*compare)(const void*, const void*, void*), void* context) {
  const Pc pc = OMNIUM_USER_PC();
  library_reads(items, count * size, pc);
  real_qsort_r(items, count, size, compare, context);
  library_writes(items, count * size, pc);
}

}  // namespace omnium::runtime
