// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/thread_name.h"

#include <fmt/format.h>

#include "symbols/demangle.h"
#include "symbols/unit_index.h"

namespace omnium::symbols {

namespace {

// "lambda in main" for "main::{lambda()#1}::operator()" (gcc) and "main::$_0::operator()" (clang).
std::string named_as_lambda(const std::string& function) {
  std::size_t at = function.find("{lambda");
  if (at == std::string::npos) at = function.find("$_");
  if (at == std::string::npos) return function;
  std::string around = function.substr(0, at);
  if (around.ends_with("::")) around.resize(around.size() - 2);
  return around.empty() ? "lambda" : "lambda in " + around;
}

}  // namespace

std::string thread_name(std::string_view start_function, std::uint32_t number) {
  if (number == 0) return "main";
  std::string body = thread_body(start_function);
  if (body.empty()) body = start_function;
  constexpr std::string_view kNowhere = "(anonymous namespace)::";
  for (std::size_t at; (at = body.find(kNowhere)) != std::string::npos;) {
    body.erase(at, kNowhere.size());
  }
  body = named_as_lambda(body);
  // The parameters of the function around a lambda.
  body = without_template_arguments(body.substr(0, body.find('(')));
  // The function that the C++ library starts every thread with says nothing about the thread.
  const bool is_library = body == "execute_native_thread_routine" || body.starts_with("std::");
  if (body.empty() || is_library || body.find("+0x") != std::string::npos) {
    return fmt::format("T{}", number);
  }
  return fmt::format("{}#{}", body, number);
}

}  // namespace omnium::symbols
