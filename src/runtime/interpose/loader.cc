// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// When a library is unloaded, its memory is forgotten. dlopen is not interposed, because its effect
// depends on its caller; instrumented libraries announce themselves when they are loaded.
#include <dlfcn.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"
#include "runtime/state/module_extent.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(dlclose);

// Libraries in memory, from the lowest to the highest loaded byte.
struct Libraries {
  static constexpr std::size_t kMost = 512;
  ModuleExtent spans[kMost];
  std::size_t count = 0;

  bool contains(std::uintptr_t begin) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (spans[i].begin == begin) return true;
    }
    return count == kMost;  // not known if the list is full
  }
};

int add_library(dl_phdr_info* info, std::size_t, void* pointer) {
  auto& libraries = *static_cast<Libraries*>(pointer);
  if (libraries.count == Libraries::kMost) return 1;
  libraries.spans[libraries.count++] = extent_of(*info);
  return 0;
}

}  // namespace

OMNIUM_INTERPOSE int dlclose(void* handle) noexcept {
  Libraries before, after;
  dl_iterate_phdr(add_library, &before);
  const int result = real_dlclose(handle);
  dl_iterate_phdr(add_library, &after);
  for (std::size_t i = 0; i < before.count; ++i) {
    const auto [begin, end] = before.spans[i];
    if (after.contains(begin)) continue;
    forget_range(reinterpret_cast<void*>(begin), end - begin);
    forget_objects(reinterpret_cast<void*>(begin), end - begin);
    module_unloaded(begin, end);
  }
  return result;
}

}  // namespace omnium::runtime
