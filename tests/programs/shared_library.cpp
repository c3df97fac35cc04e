// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A violation in a shared library that is loaded by dlopen.
//
// expect: slow_add (with add), lost update on plugin_counter.value
// library: shared_library_plugin.cpp
// flags: -ldl
#include <dlfcn.h>

#include <cstdio>
#include <thread>

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  auto* slow_add = reinterpret_cast<void (*)()>(dlsym(library, "slow_add"));
  auto* add = reinterpret_cast<void (*)()>(dlsym(library, "add"));
  std::thread slow(slow_add), quick(add);
  slow.join();
  quick.join();
}
