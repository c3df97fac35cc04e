// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/demangle.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace omnium::symbols {

namespace {

bool opens(char c) { return c == '(' || c == '<' || c == '{' || c == '['; }
bool closes(char c) { return c == ')' || c == '>' || c == '}' || c == ']'; }

void drop_suffix(std::string_view& text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
}

// The bracket that closes the one at `at`; the size of the text if there is none.
std::size_t closing_bracket(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.size();
}

// "f(int) const" -> "f"
std::string_view without_parameters(std::string_view text) {
  text = text.substr(0, text.find(" [clone"));
  for (const std::string_view suffix : {"&", "&", " ", " const", " volatile"}) {
    drop_suffix(text, suffix);
  }
  if (!text.ends_with(')')) return text;
  std::size_t depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i == 0 ? text : text.substr(0, i);
  }
  return text;
}

// "get(int) const::Local::run" -> "get::Local::run": a local class, or a lambda, names the function
// around it with its parameters.
std::string without_outer_parameters(std::string_view text) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  std::string out;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = text[i] == '(' && depth == 0 && !out.ends_with("operator") &&
                        !text.substr(i).starts_with(kUnnamed);
    const std::size_t close = begins ? closing_bracket(text, i) : text.size();
    if (close < text.size()) {
      std::string_view behind = text.substr(close + 1);
      for (const std::string_view word : {" const", " volatile", " &", "&"}) {
        if (behind.starts_with(word)) behind.remove_prefix(word.size());
      }
      if (behind.starts_with("::")) {
        i = text.size() - behind.size() - 1;
        continue;
      }
    }
    if (opens(text[i])) ++depth;
    if (closes(text[i]) && depth > 0) --depth;
    out += text[i];
  }
  return out;
}

// "void f<int>" -> "f<int>": what follows the last blank outside brackets. The name of an operator
// may hold blanks and brackets of its own.
std::string_view without_return_type(std::string_view text) {
  std::size_t name = 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_word = i == 0 || text[i - 1] == ' ' || text[i - 1] == ':';
    if (depth == 0 && starts_word && text.substr(i).starts_with("operator")) break;
    if (opens(text[i])) ++depth;
    if (closes(text[i]) && depth > 0) --depth;
    if (depth == 0 && text[i] == ' ') name = i + 1;
  }
  return text.substr(name);
}

// The compiler tags what uses the newer std::string: "log[abi:cxx11]". Nobody writes that.
std::string without_tags(std::string text) {
  constexpr std::string_view kTag = "[abi:";
  for (std::size_t at; (at = text.find(kTag)) != std::string::npos;) {
    const std::size_t end = text.find(']', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

// The demangler of the library knows no template arguments that are lambdas inside of generic ones.
// The names before the first template arguments stand there as they are: "_ZN5Cache3getIZ…" is
// "Cache::get". Empty if there are none.
std::string names_before_arguments(std::string_view text) {
  text.remove_prefix(2);
  if (text.starts_with('N')) text.remove_prefix(1);
  while (!text.empty() && (text[0] == 'K' || text[0] == 'L')) text.remove_prefix(1);
  std::string out;
  for (;;) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc()) return out;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (length > text.size()) return out;
    if (!out.empty()) out += "::";
    out += text.substr(0, length);
    text.remove_prefix(length);
  }
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? without_tags(text.get()) : name;
}

std::string function_name(const std::string& name) {
  const std::string full = demangled(name);
  if (full == name && name.starts_with("_Z")) {
    const std::string readable = names_before_arguments(name);
    if (!readable.empty()) return readable;
  }
  if (full == name) return name.substr(0, name.find('.', 1));
  const std::string bare = without_outer_parameters(without_parameters(full));
  return std::string(without_return_type(bare));
}

bool is_library_function(std::string_view name) {
  return name.starts_with("std::") || name.starts_with("__gnu_cxx::") ||
         name.starts_with("__gthread_");
}

std::string_view outermost_name(std::string_view function) {
  return function.substr(0, std::min(function.find("::"), function.find('<')));
}

bool is_openmp_entry(std::string_view symbol) {
  return symbol.starts_with(".omp_task_entry.") ||
         (symbol.starts_with(".omp_outlined.") &&
          symbol.find("_debug__") != std::string_view::npos);
}

namespace {

// The first of the arguments of a template or a function, which stand at the start of the text.
std::string_view first_argument(std::string_view text) {
  std::size_t depth = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (depth == 0 && (text[end] == ',' || text[end] == '>')) break;
    if (opens(text[end])) ++depth;
    if (closes(text[end]) && depth > 0) --depth;
  }
  return text.substr(0, end);
}

bool is_lambda(std::string_view type) {
  return type.ends_with('}') || type.find("::$_") != std::string_view::npos;
}

}  // namespace

std::string_view called_lambda(std::string_view name) {
  constexpr std::string_view kCall = "::operator()";
  if (!name.ends_with(kCall) || is_library_function(name)) return "";
  const std::string_view object = name.substr(0, name.size() - kCall.size());
  return is_lambda(object) ? object : "";
}

std::string started_lambda(std::string_view name) {
  constexpr std::string_view kHandler = "std::_Function_handler<";
  std::string object;
  // Other functions of these classes have the lambda in their names, too: their destructors do.
  if (name.starts_with("std::thread::_State_impl<") && name.ends_with("::_M_run")) {
    object = thread_body(name);
  } else if (name.starts_with(kHandler) && name.ends_with("::_M_invoke")) {
    std::string_view rest = name.substr(kHandler.size());
    rest.remove_prefix(std::min(rest.size(), first_argument(rest).size() + 1));
    object = first_argument(rest.substr(std::min(rest.find_first_not_of(' '), rest.size())));
  }
  return is_lambda(object) ? object : "";
}

std::string thread_body(std::string_view function) {
  constexpr std::string_view kTuple = "std::tuple<";
  if (!function.starts_with("std::")) return "";
  const std::size_t start = function.find(kTuple);
  if (start == std::string_view::npos) return "";
  const std::string_view body = first_argument(function.substr(start + kTuple.size()));
  const bool pointer =
      body.find("(*") != std::string_view::npos || body.find("::*)") != std::string_view::npos;
  return pointer ? "" : std::string(body);
}

}  // namespace omnium::symbols
