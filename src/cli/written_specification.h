// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A specification file that Omnium writes: the blocks that were found not to be atomic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace omnium::cli {

struct NotAtomic {
  std::string label;
  std::string why;  // a comment; may be empty
};

// The rules of the old file, if there is one (it may be the same), then a line per block. A block
// without a label cannot be named, and has no line.
Result<void> write_specification(const std::string& path, const std::string& old_file,
                                 std::string_view found_by, const std::vector<NotAtomic>& blocks);

}  // namespace omnium::cli
