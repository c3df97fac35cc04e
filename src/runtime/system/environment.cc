// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/environment.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>

namespace omnium::runtime {

namespace {

char** given;

}  // namespace

bool has_foreign_rights() { return getauxval(AT_SECURE) != 0; }

void set_environment(char** variables) { given = variables; }

const char* environment(const char* name) {
  if (has_foreign_rights()) return nullptr;
  char** variables = given != nullptr ? given : environ;
  const std::size_t length = std::strlen(name);
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    if (std::strncmp(*variables, name, length) == 0 && (*variables)[length] == '=') {
      return *variables + length + 1;
    }
  }
  return nullptr;
}

}  // namespace omnium::runtime
