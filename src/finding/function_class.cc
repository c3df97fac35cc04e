// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/function_class.h"

#include <cctype>

namespace omnium {

namespace {

constexpr std::string_view kLambda = "{lambda}";

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
    text.erase(at, part.size());
  }
}

// g++ writes "{lambda(int, char)#2}".
void name_lambdas_of_gcc(std::string& text) {
  constexpr std::string_view kOpens = "{lambda(";
  for (std::size_t at = 0; (at = text.find(kOpens, at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) return;
    text.replace(at, end + 1 - at, kLambda);
    at += kLambda.size();
  }
}

// clang++ writes "$_1".
void name_lambdas_of_clang(std::string& text) {
  for (std::size_t at = 0; (at = text.find("$_", at)) != std::string::npos;) {
    std::size_t end = at + 2;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.replace(at, end - at, kLambda);
    at += kLambda.size();
  }
}

}  // namespace

std::string without_template_arguments(std::string_view name) {
  constexpr std::string_view kOperator = "operator";
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool in_operator =
        depth == 0 &&
        (out.ends_with(kOperator) || out.ends_with("operator<") || out.ends_with("operator-"));
    if (name[i] == '<' && !in_operator) {
      ++depth;
    } else if (name[i] == '>' && depth > 0) {
      --depth;
    } else if (depth == 0) {
      out += name[i];
    }
  }
  // What does not close was no bracket.
  return depth == 0 ? out : std::string(name);
}

std::string function_class(std::string_view function) {
  std::string out(function);
  name_lambdas_of_gcc(out);
  name_lambdas_of_clang(out);
  erase_all(out, "(anonymous namespace)::");
  out = without_template_arguments(out);
  constexpr std::string_view kCall = "{lambda}::operator()";
  for (std::size_t at; (at = out.find(kCall)) != std::string::npos;) {
    out.erase(at + kLambda.size(), kCall.size() - kLambda.size());
  }
  return out;
}

}  // namespace omnium
