// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace omnium {

// What stays of the name of a function with every compiler and in every instance of a template:
// "Cache::get" for "(anonymous namespace)::Cache<int>::get", "main::{lambda}" for
// "main::{lambda(int)#2}::operator()" and for clang's "main::$_1::operator()".
std::string function_class(std::string_view function);

// Without what stands in angle brackets, as far as they are brackets: not those of "operator<".
std::string without_template_arguments(std::string_view name);

}  // namespace omnium
