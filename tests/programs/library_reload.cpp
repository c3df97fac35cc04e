// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A library that comes and goes thousands of times leaves nothing behind.
//
// expect: nothing
// library: library_reload_plugin.cpp
// flags: -ldl
#include <dlfcn.h>

#include <cstdio>
#include <vector>

static long resident_pages() {
  long all = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%ld %ld", &all, &resident) != 2) return 0;
  std::fclose(file);
  return resident;
}

static bool use(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  if (library == nullptr) return false;
  const int count = reinterpret_cast<int (*)(int)>(dlsym(library, "append"))(7);
  return dlclose(library) == 0 && count == 1;
}

int main(int, char** arguments) {
  std::vector<long> pages;
  for (int i = 0; i < 1500; ++i) {
    if (!use(arguments[1])) return 1;
    if (i % 500 == 499) pages.push_back(resident_pages());
  }
  return pages.back() - pages.front() < 512 ? 0 : 2;
}
