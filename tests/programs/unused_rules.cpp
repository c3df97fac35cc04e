// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which lines of a specification (unused_rules.spec) match something: functions of the program and
// of a library that is loaded later, annotated blocks that ran.
//
// expect: nothing
// library: shared_library_plugin.cpp
// flags: -ldl
// warning: unused_rules.spec:8: 'atomic plugin_ad' matches no function and no block that ran
// warning: unused_rules.spec:9: 'not-atomic never_*' matches no function and no block that ran
#include <dlfcn.h>

#include <cstdio>

#include <omnium/atomic.h>

namespace {

int value = 0;

[[gnu::noinline]] void put(int to) { value = to; }

}  // namespace

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  if (value == 1) {
    OMNIUM_ATOMIC("never_opened");
    put(2);
  }
  OMNIUM_ATOMIC("operator*");
  put(3);
  return 0;
}
