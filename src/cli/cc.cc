// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compile.h"

namespace omnium::cli {

int run_cc(const Arguments& arguments) { return compile("cc", driver::Language::kC, arguments); }

}  // namespace omnium::cli
