// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Records which modules are loaded, and where. The decoder takes names from their files.
#include <algorithm>
#include <cstring>

#include <unistd.h>

#include "runtime/record/record.h"
#include "runtime/state/module_extent.h"
#include "wire/file_time.h"

namespace omnium::runtime::record {

namespace {

int append_module(dl_phdr_info* info, std::size_t, void* context) {
  struct {
    wire::RawModule module;
    char path[wire::kRawMaxSize - sizeof(wire::RawModule)];
  } text;
  static_assert(sizeof text <= wire::kRawMaxSize + 8);
  const char* const self = "/proc/self/exe";
  const auto [begin, end] = extent_of(*info);
  text.module = {info->dlpi_addr, begin, end,
                 wire::file_time(info->dlpi_name[0] == '\0' ? self : info->dlpi_name)};
  std::size_t length = std::min(std::strlen(info->dlpi_name), sizeof text.path);
  std::memcpy(text.path, info->dlpi_name, length);
  if (length == 0) {  // the program itself
    const ssize_t got = readlink(self, text.path, sizeof text.path);
    length = got < 0 ? 0 : static_cast<std::size_t>(got);
  }
  append_text(*static_cast<ThreadLog*>(context), wire::RawKind::kModule, 0, &text,
              sizeof text.module + length);
  return 0;
}

}  // namespace

void modules_changed(ThreadLog& log) { dl_iterate_phdr(append_module, &log); }

}  // namespace omnium::runtime::record
