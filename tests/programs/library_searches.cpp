// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What functions of the C library look at is read: as far as the result depends on it. Each block
// writes a byte twice, and in between another thread calls such a function.
//
// expect: strlen (with interfere#2), dirty read on target[3]
// expect: strnlen (with interfere#2), dirty read on target[1]
// expect: strcmp (with interfere#2), dirty read on target[3]
// expect: strncmp (with interfere#2), dirty read on target[1]
// expect: strcasecmp (with interfere#2), dirty read on target[3]
// expect: strncasecmp (with interfere#2), dirty read on target[1]
// expect: memcmp (with interfere#2), dirty read on target[2]
// expect: memcmp of constant size (with interfere#2), dirty read on target[0]
// expect: strcmp with a literal (with interfere#2), dirty read on target[1]
// expect: std::string_view (with interfere#2), dirty read on target[2]
// expect: strchr (with interfere#2), dirty read on target[1]
// expect: strrchr (with interfere#2), dirty read on target[3]
// expect: strstr (with interfere#2), dirty read on target[2]
// expect: strpbrk (with interfere#2), dirty read on target[1]
// expect: strspn (with interfere#2), dirty read on target[2]
// expect: strcspn (with interfere#2), dirty read on target[1]
// expect: memchr (with interfere#2), dirty read on target[1]
// expect: memrchr (with interfere#2), dirty read on target[2]
// expect: memmem (with interfere#2), dirty read on target[2]
// expect: strdup (with interfere#2), dirty read on target[3]
// expect: strndup (with interfere#2), dirty read on target[1]
// expect: fputs (with interfere#2), dirty read on target[3]
// expect: strtol (with interfere#2), dirty read on target[1]
// expect: strtod (with interfere#2), dirty read on target[0]
// expect: atoi (with interfere#2), dirty read on target[0]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string_view>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr int kSize = 16;
char target[2 * kSize];
FILE* file;
const char* volatile text = "abc";
volatile long number;
const void* volatile place;

// A copy that nobody looks at would not be made.
void keep(char* copy) {
  place = copy;
  free(copy);
}

struct Case {
  const char* name;
  int place;  // of the byte that the block writes
  void (*call)();
};
const Case kCases[] = {
    {"strlen", 3, [] { number = strlen(target); }},
    {"strnlen", 1, [] { number = strnlen(target, 2); }},
    {"strcmp", 3, [] { number = strcmp(target, text); }},
    {"strncmp", 1, [] { number = strncmp(target, text, 2); }},
    {"strcasecmp", 3, [] { number = strcasecmp(target, "ABC"); }},
    {"strncasecmp", 1, [] { number = strncasecmp(target, "ABC", 2); }},
    {"memcmp", 2, [] { number = memcmp(target, text, 3); }},
    {"memcmp of constant size", 0, [] { number = memcmp(target, target + kSize, 8) == 0; }},
    {"strcmp with a literal", 1, [] { number = strcmp(target, "ab") == 0; }},
    {"std::string_view", 2, [] { number = std::string_view(target, 3) == "abc"; }},
    {"strchr", 1, [] { place = strchr(target, 'b'); }},
    {"strrchr", 3, [] { place = strrchr(target, 'b'); }},
    {"strstr", 2, [] { place = strstr(target, "bc"); }},
    {"strpbrk", 1, [] { place = strpbrk(target, "xb"); }},
    {"strspn", 2, [] { number = strspn(target, "ab"); }},
    {"strcspn", 1, [] { number = strcspn(target, "b"); }},
    {"memchr", 1, [] { place = memchr(target, 'b', kSize); }},
    {"memrchr", 2, [] { place = memrchr(target, 'b', 3); }},
    {"memmem", 2, [] { place = memmem(target, kSize, "bc", 2); }},
    {"strdup", 3, [] { keep(strdup(target)); }},
    {"strndup", 1, [] { keep(strndup(target, 2)); }},
    {"fputs", 3, [] { fputs(target, file); }},
    {"strtol", 1, [] { number = strtol(target, nullptr, 16) + strtol(target + 1, nullptr, 10); }},
    {"strtod", 0, [] { number = static_cast<long>(strtod(target, nullptr)); }},
    {"atoi", 0, [] { number = atoi(target); }},
    // What lies behind is not read.
    {"behind the string", 4, [] { number = strlen(target); }},
    {"behind the difference", 2, [] { number = strcmp(target, "ax"); }},
    {"behind the part", 2, [] { number = strncmp(target, text, 2); }},
    {"behind the first different byte", 1, [] { number = memcmp(target, "xbc", 3); }},
    {"behind what was found", 2, [] { place = strchr(target, 'b'); }},
    {"behind the found byte", 2, [] { place = memchr(target, 'b', kSize); }},
    {"behind the found part", 3, [] { place = strstr(target, "bc"); }},
    {"behind the span", 3, [] { number = strspn(target, "ab"); }},
    {"behind the number", 2, [] { number = strtol(target + 1, nullptr, 10); }},
    {"before the last", 0, [] { place = memrchr(target, 'b', 3); }},
};

void observe() {
  int turns = 0;
  for (const Case& each : kCases) {
    omnium_begin(each.name);
    target[each.place] = 1;
    turn(turns + 1);
    turn(turns + 4);
    target[each.place] = 2;
    omnium_end();
    turns += 4;
  }
}

void interfere() {
  int turns = 0;
  for (const Case& each : kCases) {
    turn(turns + 2);
    omnium_ignore_begin();
    memcpy(target, "abc", 4);
    omnium_ignore_end();
    each.call();
    turn(turns + 3);
    turns += 4;
  }
}

int main() {
  file = tmpfile();
  if (file == nullptr) return 1;
  std::thread first(observe), second(interfere);
  first.join();
  second.join();
}
