// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/real.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {
extern omnium::runtime::RealSymbol __start_omnium_real[] __attribute__((visibility("hidden")));
extern omnium::runtime::RealSymbol __stop_omnium_real[] __attribute__((visibility("hidden")));
}

namespace omnium::runtime {
namespace {

// Libraries that a plugin may have loaded, where RTLD_NEXT does not find them.
constexpr const char* kLibraries[] = {"libstdc++.so.6", "libgomp.so.1", "libc++abi.so.1"};

void* find_in_libraries(const char* name) {
  for (const char* library : kLibraries) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    void* found = dlsym(handle, name);
    dlclose(handle);
    if (found != nullptr) return found;
  }
  return nullptr;
}

void say(const char* text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

[[gnu::constructor(101)]] void find_all() {
  bool missing = false;
  for (RealSymbol* symbol = __start_omnium_real; symbol != __stop_omnium_real; ++symbol) {
    void* found = dlsym(RTLD_NEXT, symbol->name);
    if (found != nullptr) symbol->address.store(found, std::memory_order_relaxed);
    missing |= found == nullptr;
  }
  if (missing) dlerror();  // the message is not for the program
}

}  // namespace

void* RealSymbol::require() {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    found = find_in_libraries(name);
    dlerror();
  }
  if (found == nullptr) {
    say("omnium: error: undefined function ");
    say(name);
    say("\n");
    abort();
  }
  address.store(found, std::memory_order_relaxed);
  return found;
}

}  // namespace omnium::runtime
