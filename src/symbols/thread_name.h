// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The name of a thread that has none of its own, the same in live reports and in recordings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::symbols {

// What it runs and its number: "customer#3", "lambda in main#2"; "T2" if the function is not known
// or belongs to a library, "main" for the first thread. The function is demangled.
std::string thread_name(std::string_view start_function, std::uint32_t number);

}  // namespace omnium::symbols
