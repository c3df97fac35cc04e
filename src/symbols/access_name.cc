// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/access_name.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include <dwarf.h>

#include "symbols/type_path.h"
#include "symbols/types.h"

namespace omnium::symbols {

namespace {

bool is_assignment(const Token& token) {
  constexpr std::array<std::string_view, 11> kAssignments = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::ranges::find(kAssignments, token.text) != kAssignments.end();
}

bool is_step(const Token& token) { return token.is("++") || token.is("--"); }

bool ends_operand(const Token& token) { return token.is_word() || token.is("]") || token.is(")"); }

// Can an access of this size be one to this value? A part of a library's object may be accessed,
// and the optimizer may access a class in parts.
bool fits(const Value& value, const Accessed& accessed) {
  Dwarf_Die type = value.type;
  const auto size = value.size();
  if (!size || value.name.empty() || (value.element && !accessed.heap)) return false;
  if (accessed.size == 0 || *size == accessed.size) return true;
  return !value.pointer && is_class(type) && accessed.size < *size;
}

// The chain that ends at the token, with the `*` before it.
std::optional<Value> operand_before(CodeText& text, std::size_t last) {
  auto value = text.expressions().ending_at(last);
  const std::size_t first = text.expressions().start_of_chain(last);
  if (!value || first == 0 || first >= text.tokens().size()) return value;
  const Tokens& tokens = text.tokens();
  const bool unary = tokens[first - 1].is("*") && (first < 2 || !ends_operand(tokens[first - 2]));
  return unary ? text.expressions().dereference(std::move(*value)) : value;
}

// The value that a plain `=` assigns, if it is a chain and nothing else.
std::optional<Value> operand_behind(CodeText& text, std::size_t first) {
  const Tokens& tokens = text.tokens();
  std::size_t end = first;
  const bool unary = first < tokens.size() && tokens[first].is("*");
  auto value = text.expressions().starting_at(first + (unary ? 1 : 0), end);
  const bool ends = end < tokens.size() && (tokens[end].is(";") || tokens[end].is(",") ||
                                            tokens[end].is(")") || tokens[end].is("}"));
  if (!value || !ends) return std::nullopt;
  return unary ? text.expressions().dereference(std::move(*value)) : value;
}

// The chain that ends at the word, with each index behind it, or with the `*` before it.
void add_around_word(CodeText& text, std::vector<Value>& out) {
  const Tokens& tokens = text.tokens();
  std::vector<std::size_t> ends = {text.at()};
  while (ends.back() + 1 < tokens.size() && tokens[ends.back() + 1].is("[")) {
    const std::size_t close = matching_close(tokens, ends.back() + 1);
    if (close >= tokens.size()) break;
    ends.push_back(close);
  }
  for (const std::size_t end : ends) {
    if (auto value = text.expressions().ending_at(end)) out.push_back(std::move(*value));
  }
  const std::size_t first = text.expressions().start_of_chain(text.at());
  if (first == 0 || first >= tokens.size() || !tokens[first - 1].is("*")) return;
  if (auto value = operand_before(text, text.at())) out.push_back(std::move(*value));
}

// What the compilers' columns mean: an access by name has the column of the last name (or of the
// bracket behind an index, gcc; in C of the `->`, `.` or `[` before it), an assignment that of its
// operator. With gcc that is also the column of a read that is all of the right side.
std::vector<Value> values_at_column(CodeText& text, bool write) {
  std::vector<Value> out;
  const auto add = [&](std::optional<Value> value) {
    if (value) out.push_back(std::move(*value));
  };
  const Tokens& tokens = text.tokens();
  const std::size_t at = text.at();
  const Token& token = tokens[at];
  std::size_t end = at;
  const bool assigned = at + 1 < tokens.size() && tokens[at + 1].is("=");
  if (!write && (token.is("=") || (token.is_word() && assigned))) {
    add(operand_behind(text, at + (assigned ? 2 : 1)));
  } else if (token.is_word()) {
    add_around_word(text, out);
  } else if (token.is("]")) {
    add(text.expressions().ending_at(at));
  } else if ((token.is("->") || token.is(".")) && at + 1 < tokens.size()) {
    if (tokens[at + 1].is_word()) add(text.expressions().ending_at(at + 1));
  } else if (token.is("[")) {
    const std::size_t close = matching_close(tokens, at);
    if (close < tokens.size()) add(text.expressions().ending_at(close));
  } else if (at > 0 && (is_assignment(token) || (is_step(token) && ends_operand(tokens[at - 1])))) {
    add(operand_before(text, at - 1));
  } else if (is_step(token)) {
    add(text.expressions().starting_at(at + 1, end));
  } else if (token.is("*")) {
    auto value = text.expressions().starting_at(at + 1, end);
    if (value) add(text.expressions().dereference(std::move(*value)));
  }
  return out;
}

std::string full_name(const Value& value, std::uint64_t offset) {
  const std::string path = value.pointer ? "" : path_in_type(value.type, offset);
  // What has no name of its own is part of the whole.
  return path.find('+') != std::string::npos ? value.name : with_part(value.name, path);
}

// A local variable that nothing points to is not in memory that threads share. What a local pointer
// leads to may be: `marks[] in look`.
bool may_be_shared(const Value& value, const Accessed& accessed) {
  const bool led_to = accessed.heap && value.name.find('[') != std::string::npos;
  return !value.name.empty() && (led_to || value.name.find(" in ") == std::string::npos);
}

// The only name among the values that fit; none if there are several.
template <class Values, class Project>
std::optional<std::string> only_name(const Values& values, Project value_of) {
  std::set<std::string> names;
  for (const auto& it : values) {
    if (!value_of(it).name.empty()) names.insert(value_of(it).name);
  }
  return names.size() == 1 ? std::optional(*names.begin()) : std::nullopt;
}

const Value& value_of_chain(const Chain& chain) { return chain.value; }

// One name: of the chains near the column, or else of all.
std::optional<std::string> nearest_name(const CodeText& text, const std::vector<Chain>& chains) {
  std::vector<Chain> near;
  std::ranges::copy_if(chains, std::back_inserter(near),
                       [&](const Chain& chain) { return text.is_near(chain); });
  if (auto name = only_name(near, value_of_chain)) return name;
  return near.empty() ? only_name(chains, value_of_chain) : std::nullopt;
}

bool has_atomic_type(const Value& value, const UnitIndex& index) {
  Dwarf_Die type = value.type;
  return !value.pointer && is_class(type) && index.qualified_name(type).starts_with("std::atomic");
}

// Is the function of the library that is called one of an atomic variable? That owns nothing.
bool calls_atomic(CodeText& text) {
  auto function = text.called_library();
  auto type = function ? text.index().class_of(*function) : std::nullopt;
  const std::string name = type ? text.index().qualified_name(*type) : "";
  return name.starts_with("std::atomic") || name.starts_with("std::__atomic");
}

// An object of the library whose function is called at the column: the access is inside of it.
std::optional<std::string> library_object_near(CodeText& text, const std::vector<Chain>& chains) {
  std::vector<Chain> near;
  std::ranges::copy_if(chains, std::back_inserter(near), [&](const Chain& chain) {
    Dwarf_Die type = chain.value.type;
    return text.is_near(chain) && !chain.value.pointer && is_class(type) &&
           text.index().qualified_name(type).starts_with("std::");
  });
  return only_name(near, value_of_chain);
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

// A type that locks: not a guard, which only holds one.
bool is_lock(const Value& value, const UnitIndex& index) {
  Dwarf_Die type = value.type;
  if (value.pointer || !is_class(type)) return false;
  const std::string name = lower_case(index.type_name(type));
  for (const std::string_view guard : {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"}) {
    if (name.ends_with(guard)) return false;
  }
  for (const std::string_view word : {"mutex", "lock", "semaphore", "latch", "barrier"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

bool is_guard(const Value& value, const UnitIndex& index) {
  Dwarf_Die type = value.type;
  if (value.pointer || !is_class(type)) return false;
  const std::string name = index.qualified_name(type);
  return name == "std::unique_lock" || name == "std::shared_lock";
}

// The first argument of the C library's functions: pthread_mutex_lock(&cache->lock).
std::optional<std::string> first_argument(CodeText& text) {
  const Tokens& tokens = text.tokens();
  const TokenRange range = text.statement();
  std::set<std::string> names;
  for (std::size_t i = range.begin; i + 2 < range.end; ++i) {
    const std::string_view word = tokens[i].text;
    const bool locks = word.starts_with("pthread_") || word.starts_with("sem_") ||
                       word.starts_with("mtx_") || word.starts_with("omp_");
    if (!locks || !tokens[i + 1].is("(")) continue;
    const bool address = tokens[i + 2].is("&");
    std::size_t first = i + (address ? 3 : 2), end = 0;
    while (first < range.end && tokens[first].is("(")) ++first;
    auto value = text.expressions().starting_at(first, end);
    if (value && !address) value = text.expressions().dereference(std::move(*value));
    if (value && !value->name.empty()) names.insert(value->name);
  }
  return names.size() == 1 ? std::optional(*names.begin()) : std::nullopt;
}

// The lock that a guard was declared with: `std::unique_lock lock(mutex_);` some lines before.
std::optional<std::string> declared_lock(CodeText& text, const Chain& guard) {
  const Tokens& tokens = text.tokens();
  constexpr std::size_t kFarthest = 2000;
  const std::size_t first = guard.first > kFarthest ? guard.first - kFarthest : 0;
  for (std::size_t i = guard.first; i-- > first;) {
    const bool declares = tokens[i].text == tokens[guard.first].text && i > 0 &&
                          (tokens[i - 1].is_word() || tokens[i - 1].is(">")) &&
                          (tokens[i + 1].is("(") || tokens[i + 1].is("{"));
    if (!declares) continue;
    std::size_t end = 0;
    auto value = text.expressions().starting_at(i + 2, end);
    if (!value || !is_lock(*value, text.index()) || value->name.empty()) return std::nullopt;
    return value->name;
  }
  return std::nullopt;
}

// The objects in the statement that the library's function may be called for: those of its class.
std::vector<Chain> receivers(CodeText& text) {
  auto function = text.called_library();
  auto type = function ? text.index().class_of(*function) : std::nullopt;
  std::vector<Chain> out;
  if (!type) return out;
  Dwarf_Die base = text.index().complete(*type);
  for (Chain& chain : text.chains()) {
    const bool fits_class = !chain.value.pointer && derives_from(chain.value.type, base);
    if (fits_class) out.push_back(std::move(chain));
  }
  return out;
}

// A macro hides which member it accesses: refcount_decr(it) accesses one of *it.
std::optional<std::string> object_of_macro(CodeText& text, const std::vector<Chain>& chains,
                                           const Accessed& accessed) {
  const Tokens& tokens = text.tokens();
  std::vector<Value> objects;
  // Of `load(marks + i)` the elements are meant, if they have the size.
  for (const Chain& chain : chains) {
    Dwarf_Die type = chain.value.type;
    const bool array = !chain.value.pointer && dwarf_tag(&type) == DW_TAG_array_type;
    if (!array || chain.end >= tokens.size() || !tokens[chain.end].is("+")) continue;
    auto element = text.expressions().element(chain.value);
    if (element && element->size() == accessed.size) objects.push_back(std::move(*element));
  }
  if (auto name = only_name(objects, std::identity{})) return name;
  objects.clear();
  for (const Chain& chain : chains) {
    Dwarf_Die type = chain.value.type;
    const bool is_argument =
        chain.first > 1 && tokens[chain.first - 1].is("(") && tokens[chain.first - 2].is_word();
    if (!is_argument || !(chain.value.pointer || is_pointer(type))) continue;
    auto object = text.expressions().dereference(chain.value);
    if (object && is_class(object->type) && object->size() >= accessed.size) {
      objects.push_back(std::move(*object));
    }
  }
  return only_name(objects, std::identity{});
}

// The macro whose call the column points to, or which is what is assigned to.
std::optional<std::size_t> macro_at_column(const CodeText& text) {
  const Tokens& tokens = text.tokens();
  std::size_t at = text.at();
  if ((is_assignment(tokens[at]) || is_step(tokens[at])) && at > 0 && tokens[at - 1].is(")")) {
    const std::size_t open = matching_open(tokens, at - 1);
    if (open == 0 || open >= tokens.size()) return std::nullopt;
    at = open - 1;
  }
  const bool called = tokens[at].is_word() && at + 1 < tokens.size() && tokens[at + 1].is("(");
  return called ? std::optional(at) : std::nullopt;
}

// What the definition of the macro accesses: `refcount_incr(it)` is `++(it->refcount)`.
std::optional<std::string> accessed_by_macro(CodeText& text, const Accessed& accessed) {
  const auto at = macro_at_column(text);
  if (!at) return std::nullopt;
  auto values = text.values_in_macro(*at);
  std::erase_if(values, [&](const Value& value) {
    return value.size() != accessed.size || !may_be_shared(value, accessed);
  });
  return only_name(values, std::identity{});
}

// The object that an argument points to: `&header`, `(void *)&headers[1]`, `buffer`, `marks + i`.
std::optional<Value> target_of_argument(CodeText& text, TokenRange argument) {
  const Tokens& tokens = text.tokens();
  std::size_t first = argument.begin, end = 0;
  while (first < argument.end && tokens[first].is("(")) {
    const std::size_t close = matching_close(tokens, first);
    if (close >= argument.end || !tokens[close - 1].is("*")) break;
    first = close + 1;  // a cast
  }
  const bool address = first < argument.end && tokens[first].is("&");
  auto value = text.expressions().starting_at(first + (address ? 1 : 0), end);
  if (!value || (end != argument.end && (address || !tokens[end].is("+")))) return std::nullopt;
  if (address) return value;
  const bool array = dwarf_tag(&value->type) == DW_TAG_array_type;
  return array ? text.expressions().element(std::move(*value))
               : text.expressions().dereference(std::move(*value));
}

// The name of an object that a pointer leads to is that of its class: other functions have other
// pointers to it.
std::string name_of_target(const Value& value, const UnitIndex& index) {
  Dwarf_Die type = value.type;
  const bool by_pointer = value.name.empty() || value.name.starts_with('*') ||
                          value.name.find(" in ") != std::string::npos;
  const std::string name = is_class(type) && !value.pointer ? index.type_name(type) : "";
  return by_pointer && !name.empty() ? name : value.name;
}

// Functions of the C library that write what their first argument points to, and read the second.
std::optional<std::string> copied_object(CodeText& text, const Accessed& accessed) {
  constexpr std::array<std::string_view, 5> kCopies = {"memcpy", "memmove", "memset", "strcpy",
                                                       "strncpy"};
  const std::string_view word = text.tokens()[text.at()].text;
  if (!text.is_exact() || std::ranges::find(kCopies, word) == kCopies.end()) return std::nullopt;
  const auto arguments = arguments_of(text.tokens(), text.at());
  const std::size_t which = accessed.write ? 0 : 1;
  if (arguments.size() <= which) return std::nullopt;
  const auto value = target_of_argument(text, arguments[which]);
  if (!value) return std::nullopt;
  const std::string name = name_of_target(*value, text.index());
  return name.empty() ? std::nullopt : std::optional(name);
}

}  // namespace

std::optional<std::string> receiver_name(CodeText& text) {
  if (auto name = nearest_name(text, receivers(text))) return name;
  auto function = text.called_library();
  auto type = function ? text.index().class_of(*function) : std::nullopt;
  return type ? text.expressions().member_of_type(*type) : std::nullopt;
}

std::optional<std::string> name_of_accessed(CodeText& text, const Accessed& accessed) {
  if (!text.is_known()) return std::nullopt;
  if (text.called_library()) {
    auto name = receiver_name(text);
    if (!name) return std::nullopt;
    if (calls_atomic(text)) return name;
    // On the heap lies what the library's object owns.
    return with_part(*name, accessed.heap ? "[]" : text.library_part_accessed());
  }
  // Nothing is accessed: a condition, which is an argument.
  if (accessed.size == 0) {
    if (auto name = first_argument(text)) return name;
  }
  if (auto name = copied_object(text, accessed)) return name;
  if (text.is_exact()) {
    for (const Value& value : values_at_column(text, accessed.write)) {
      if (fits(value, accessed)) return full_name(value, accessed.offset);
    }
    if (auto name = accessed_by_macro(text, accessed)) return name;
  }
  auto chains = text.chains();
  std::vector<Chain> atomics;
  std::ranges::copy_if(chains, std::back_inserter(atomics), [&](const Chain& chain) {
    return has_atomic_type(chain.value, text.index());
  });
  if (auto name = nearest_name(text, atomics)) return name;
  if (auto name = library_object_near(text, chains)) {
    return accessed.heap ? with_part(*name, "[]") : *name;
  }
  const auto of_macro = object_of_macro(text, chains, accessed);
  std::erase_if(chains, [&](const Chain& chain) {
    return chain.value.size() != accessed.size || !may_be_shared(chain.value, accessed);
  });
  const auto name = only_name(chains, value_of_chain);
  return name || !chains.empty() ? name : of_macro;
}

std::optional<std::string> name_of_lock(CodeText& text) {
  if (!text.is_known()) return std::nullopt;
  auto chains = text.chains();
  std::vector<Chain> locks;
  std::ranges::copy_if(chains, std::back_inserter(locks),
                       [&](const Chain& chain) { return is_lock(chain.value, text.index()); });
  if (auto name = only_name(locks, value_of_chain)) return name;
  if (auto name = nearest_name(text, locks)) return name;
  if (auto name = first_argument(text)) return name;
  for (const Chain& chain : chains) {
    if (is_guard(chain.value, text.index()) && chain.end == chain.first + 1) {
      return declared_lock(text, chain);
    }
  }
  return std::nullopt;
}

}  // namespace omnium::symbols
