// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compile.h"

namespace omnium::cli {

int run_cxx(const Arguments& arguments) {
  return compile("c++", driver::Language::kCxx, arguments);
}

}  // namespace omnium::cli
