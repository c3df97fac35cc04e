// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Output that is expected byte by byte, kept in files. OMNIUM_UPDATE_GOLDEN=1 in the environment
// writes the files anew: look at the difference before it is committed.
#pragma once

#include <string>

namespace omnium::test {

// `file` is relative to the root of the source tree.
void expect_golden(const std::string& file, const std::string& text);

}  // namespace omnium::test
