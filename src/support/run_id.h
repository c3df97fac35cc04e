// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of runs, so that results can be merged: 32 hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace omnium::support {

// A new one.
std::string random_run_id();

// The same for the same text.
std::string run_id_of(std::string_view text);

// The same for the same content of a file, wherever it is: small files are hashed as a whole, large
// ones by their size and by samples of their bytes, so that it never takes long. What is no regular
// file, such as a pipe, gets a new one.
std::string run_id_of_file(const std::string& path);
// The same of a small file (up to 512 KB) that was read.
std::string run_id_of_content(std::string_view bytes);

}  // namespace omnium::support
