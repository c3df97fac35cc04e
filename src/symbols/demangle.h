// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of the linker as a person writes them.
#pragma once

#include <string>
#include <string_view>

namespace omnium::symbols {

// "bank::account" for "_ZN4bank7accountE"; what is not mangled stays as it is.
std::string demangled(const std::string& name);

// The same without what tells overloads apart: no parameters, no return type, no clone's number.
// "Account::deposit" for "_ZN7Account7depositEi".
std::string function_name(const std::string& name);

// "bank" for "bank::Account::deposit", "pick" for "pick<bank::Account>".
std::string_view outermost_name(std::string_view function);

// Does clang make this function between libomp and the function that is the body of a region or a
// task of OpenMP, or between that and its code?
bool is_openmp_entry(std::string_view symbol);

// Is the function one of the C++ library, by its short name?
bool is_library_function(std::string_view name);

// The lambda that the function is the body of, by its short name: "main::{lambda()#1}" for
// "main::{lambda()#1}::operator()"; empty if it is not one.
std::string_view called_lambda(std::string_view name);
// The lambda that a function of the C++ library calls for a new thread or a std::function; empty if
// it is none of these.
std::string started_lambda(std::string_view name);

// What a thread of the C++ library runs (std::thread, std::async), from the name of its start
// function: "main::{lambda()#1}"; empty if the name does not say it.
std::string thread_body(std::string_view function);

}  // namespace omnium::symbols
