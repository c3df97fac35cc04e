// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/expressions.h"

#include <algorithm>
#include <array>
#include <utility>

#include <dwarf.h>

#include "symbols/types.h"

namespace omnium::symbols {

namespace {

constexpr int kMostLevels = 16;
constexpr std::uint64_t kPointerBytes = 8;

constexpr std::array<std::string_view, 22> kKeywords = {
    "return", "new",   "delete", "sizeof",    "if",    "while",    "for",      "switch",
    "case",   "throw", "else",   "do",        "goto",  "operator", "co_await", "co_yield",
    "const",  "auto",  "static", "co_return", "using", "alignof"};
constexpr std::array<std::string_view, 4> kCasts = {"static_cast", "reinterpret_cast",
                                                    "dynamic_cast", "const_cast"};

bool is_keyword(std::string_view word) {
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}
bool is_cast(std::string_view word) { return std::ranges::find(kCasts, word) != kCasts.end(); }

bool covers(Dwarf_Die& block, Dwarf_Addr address) { return dwarf_haspc(&block, address) == 1; }

struct Found {
  Dwarf_Die die;
  std::uint64_t line;
};

// Variables and parameters of this name, of the function and the blocks in it; `inside`: only of
// blocks that contain the address, the innermost last.
void find_locals(Dwarf_Die& scope, std::string_view name, std::optional<Dwarf_Addr> inside,
                 int level, std::vector<Found>& found) {
  Dwarf_Die child;
  if (level == kMostLevels || dwarf_child(&scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
      const char* called = dwarf_diename(&child);
      if (called != nullptr && called == name) {
        found.push_back({child, number_in(child, DW_AT_decl_line).value_or(0)});
      }
    } else if (tag == DW_TAG_lexical_block && (!inside || covers(child, *inside))) {
      find_locals(child, name, inside, level + 1, found);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

// How gcc and clang call a type such as `unsigned long`: "long unsigned int" and "unsigned long".
std::array<std::string, 2> spelled_by_compilers(const std::string& name) {
  const bool is_unsigned = name.find("unsigned") != std::string::npos;
  std::string size;
  for (const std::string_view word : {"long long", "long", "short"}) {
    if (size.empty() && name.find(word) != std::string::npos) size = word;
  }
  if (!is_unsigned && size.empty()) return {name, name};
  const std::string kind = name.find("char") != std::string::npos ? "char" : "int";
  const std::string sign = is_unsigned ? "unsigned " : "";
  return {(size.empty() ? "" : size + " ") + sign + kind, sign + (size.empty() ? kind : size)};
}

// Goes one level deeper while it exists.
class Deeper {
 public:
  explicit Deeper(int& level) : level_(level) { ++level_; }
  ~Deeper() { --level_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool too_deep() const { return level_ > kMostLevels; }

 private:
  int& level_;
};

}  // namespace

std::string with_part(std::string name, std::string_view part) {
  const std::size_t at = std::min(name.find(" in "), name.size());
  return name.insert(at, part);
}

std::optional<std::uint64_t> Value::size() const {
  Dwarf_Die die = type;
  return pointer ? kPointerBytes : size_of(die);
}

Value Expressions::make(Dwarf_Die type, std::string name) const {
  return {scope_.index->complete(type), false, std::move(name)};
}

std::optional<Dwarf_Die> Expressions::local(std::string_view name) {
  std::vector<Found> found;
  find_locals(scope_.function, name, scope_.address, 0, found);
  if (!found.empty()) return found.back().die;
  // The optimizer may have dropped it from the code; then the source's function still has it.
  auto origin = reference_in(scope_.function, DW_AT_abstract_origin);
  if (!origin) return std::nullopt;
  find_locals(*origin, name, std::nullopt, 0, found);
  std::erase_if(found, [&](const Found& it) { return it.line > scope_.line; });
  if (found.empty()) return std::nullopt;
  return std::ranges::max_element(found, {}, &Found::line)->die;
}

std::optional<Dwarf_Die> Expressions::own_class() {
  for (const std::string_view name : {"this", "__closure"}) {
    auto self = local(name);
    auto pointer = self ? type_of(*self) : std::nullopt;
    auto type = pointer ? type_of(*pointer) : std::nullopt;
    if (type && is_class(*type)) return scope_.index->complete(*type);
  }
  auto type = scope_.index->class_of(scope_.function);
  return type ? std::optional(scope_.index->complete(*type)) : std::nullopt;
}

std::string Expressions::owner_name(Dwarf_Die& owner) const {
  return scope_.index->type_name(owner);
}

// What a lambda has captured: by its name, or with two underscores before it (gcc).
std::optional<Value> Expressions::captured(Dwarf_Die& closure, std::string_view name) const {
  auto found = find_member(closure, name);
  if (!found) found = find_member(closure, "__" + std::string(name));
  auto type = found ? referred_type_of(found->die) : std::nullopt;
  if (!type) return std::nullopt;
  return make(*type, std::string(name) + " in " + scope_.function_name);
}

std::optional<Value> Expressions::member_of_this(std::string_view name, bool is_call) {
  auto type = own_class();
  if (!type) return std::nullopt;
  if (is_closure(*type)) {
    if (auto value = captured(*type, name)) return value;
    auto self = captured(*type, "this");
    auto outer = self ? dereference(*self) : std::nullopt;
    return outer ? member(*outer, name, is_call) : std::nullopt;
  }
  return member(make(*type, ""), name, is_call);
}

std::optional<std::string> Expressions::member_of_type(Dwarf_Die& type) {
  auto own = own_class();
  const char* name = own ? dwarf_diename(&*own) : nullptr;
  const char* function = dwarf_diename(&scope_.function);
  if (name == nullptr || function == nullptr) return std::nullopt;
  const std::string bare = without_template_arguments(name);
  if (bare != function && "~" + bare != function) return std::nullopt;
  std::optional<std::string> found;
  Dwarf_Die child;
  if (dwarf_child(&*own, &child) != 0) return std::nullopt;
  do {
    if (dwarf_tag(&child) != DW_TAG_member || !start_of(child)) continue;
    auto member_type = type_of(child);
    if (!member_type || !derives_from(*member_type, type)) continue;
    if (found) return std::nullopt;
    found = owner_name(*own) + "::" + dwarf_diename(&child);
  } while (dwarf_siblingof(&child, &child) == 0);
  return found;
}

std::optional<Value> Expressions::look_up(std::string_view word) {
  if (is_keyword(word)) return std::nullopt;
  auto type = word == "this" ? own_class() : std::nullopt;
  if (type) {
    auto outer = is_closure(*type) ? captured(*type, word) : std::nullopt;
    Value self = outer ? *outer : make(*type, "");
    if (!outer) self.pointer = true;
    self.name.clear();
    return self;
  }
  if (auto die = local(word)) {
    auto local_type = referred_type_of(*die);
    if (!local_type) return std::nullopt;
    return make(*local_type, std::string(word) + " in " + scope_.function_name);
  }
  if (auto value = member_of_this(word, false)) return value;
  auto global = scope_.index->variable(word);
  auto global_type = global ? referred_type_of(*global) : std::nullopt;
  if (!global_type) return std::nullopt;
  return make(*global_type, scope_.index->qualified_name(*global));
}

std::optional<Value> Expressions::dereference(Value value) const {
  value.name = value.name.empty() ? "" : "*" + value.name;
  if (value.pointer) {
    value.pointer = false;
    return value;
  }
  auto target = is_pointer(value.type) ? type_of(value.type)
                : is_class(value.type) ? result_of(value.type, "operator*")
                                       : std::nullopt;
  if (!target) return std::nullopt;
  value.type = scope_.index->complete(*target);
  return value;
}

std::optional<Value> Expressions::arrow(Value value) const {
  for (int i = 0; i < kMostLevels; ++i) {
    if (value.pointer || is_pointer(value.type)) return dereference(value);
    auto result = is_class(value.type) ? result_of(value.type, "operator->") : std::nullopt;
    if (!result) return std::nullopt;
    value.type = *result;
  }
  return std::nullopt;
}

std::optional<Value> Expressions::element(Value value) const {
  if (!value.name.empty()) value.name = with_part(std::move(value.name), "[]");
  std::optional<Dwarf_Die> type;
  if (value.pointer) {
    value.pointer = false;
    return value;
  }
  if (is_pointer(value.type) || dwarf_tag(&value.type) == DW_TAG_array_type) {
    type = type_of(value.type);
  } else if (is_class(value.type)) {
    type = result_of(value.type, "operator[]");
    const std::string name = scope_.index->qualified_name(value.type);
    value.element = name.starts_with("std::") && name != "std::array";
  }
  if (!type) return std::nullopt;
  value.type = scope_.index->complete(*type);
  return value;
}

std::optional<Value> Expressions::member(Value value, std::string_view name, bool is_call) const {
  if (value.pointer || !is_class(value.type)) return std::nullopt;
  if (is_call) {
    auto result = result_of(value.type, name);
    return result ? std::optional(make(*result, "")) : std::nullopt;
  }
  auto found = find_member(value.type, name);
  auto type = found ? referred_type_of(found->die) : std::nullopt;
  if (!type) return std::nullopt;
  std::string owner = owner_name(found->owner);
  const bool is_own = !owner.empty() && !is_library_type(owner);
  if (is_own) return make(*type, owner.append("::").append(name));
  // A name of its own has only the object that the member belongs to.
  if (value.name.empty()) return make(*type, "");
  const std::string part =
      is_reserved(name) ? std::string(library_part(name)) : "." + std::string(name);
  return make(*type, with_part(value.name, part));
}

std::optional<Value> Expressions::type_at(std::size_t first, std::size_t end) const {
  std::string name;
  int pointers = 0;
  for (std::size_t i = first; i < end; ++i) {
    const Token& token = tokens_[i];
    if (token.is("struct") || token.is("class") || token.is("union") || token.is("const") ||
        token.is("volatile") || token.is("typename")) {
      continue;
    }
    if (token.is("*")) {
      ++pointers;
    } else if (token.is_word() && pointers == 0) {
      const bool joined = name.empty() || name.ends_with("::");
      name += joined ? "" : " ";
      name += token.text;
    } else if (token.is("::") && pointers == 0) {
      name += name.empty() ? "" : "::";
    } else {
      return std::nullopt;
    }
  }
  auto types = scope_.index->types(name);
  for (const std::string& spelled : spelled_by_compilers(name)) {
    if (types.empty()) types = scope_.index->types(spelled);
  }
  if (types.empty() || pointers > 1) return std::nullopt;
  Dwarf_Die first_type;
  if (dwarf_peel_type(&types[0], &first_type) != 0) return std::nullopt;
  for (Dwarf_Die& other : types) {
    Dwarf_Die peeled;
    if (dwarf_peel_type(&other, &peeled) != 0 || size_of(peeled) != size_of(first_type)) {
      return std::nullopt;
    }
  }
  return Value{first_type, pointers == 1, ""};
}

// `static_cast<T *>(x)`
std::optional<Value> Expressions::cast(std::size_t& at, std::size_t end) {
  std::size_t close = at + 1;
  while (close < end && !tokens_[close].is(">") && !tokens_[close].is("(")) ++close;
  if (close + 1 >= end || !tokens_[close].is(">") || !tokens_[close + 1].is("(")) {
    return std::nullopt;
  }
  auto value = type_at(at + 2, close);
  at = matching_close(tokens_, close + 1) + 1;
  return at <= end ? value : std::nullopt;
}

// `(*p)`, `(shop.ledger_)`, `((struct node *)p)`
std::optional<Value> Expressions::in_parentheses(std::size_t open, std::size_t close) {
  if (tokens_[open + 1].is("(")) {
    const std::size_t inner = matching_close(tokens_, open + 1);
    if (inner + 1 < close && inner > open + 2 && tokens_[inner - 1].is("*")) {
      if (auto type = type_at(open + 2, inner)) return type;
    }
  }
  return evaluate(open + 1, close);
}

// `bank::total`
std::optional<Value> Expressions::qualified(std::size_t& at, std::size_t end) {
  while (at + 2 < end && tokens_[at + 1].is("::") && tokens_[at + 2].is_word()) at += 2;
  auto global = scope_.index->variable(tokens_[at++].text);
  auto type = global ? referred_type_of(*global) : std::nullopt;
  if (!type) return std::nullopt;
  return make(*type, scope_.index->qualified_name(*global));
}

std::optional<Value> Expressions::call(std::string_view function) const {
  std::optional<Dwarf_Die> result;
  for (Dwarf_Die& die : scope_.index->functions(function)) {
    auto type = referred_type_of(die);
    if (!type || (result && result->addr != type->addr)) return std::nullopt;
    result = type;
  }
  return result ? std::optional(make(*result, "")) : std::nullopt;
}

std::optional<Value> Expressions::primary(std::size_t& at, std::size_t end) {
  const Token& token = tokens_[at];
  if (token.is("(")) {
    const std::size_t close = matching_close(tokens_, at);
    if (close >= end) return std::nullopt;
    const std::size_t open = std::exchange(at, close + 1);
    return in_parentheses(open, close);
  }
  if (!token.is_word()) return std::nullopt;
  if (is_cast(token.text)) return cast(at, end);
  if (at + 1 < end && tokens_[at + 1].is("::")) return qualified(at, end);
  if (at + 1 < end && tokens_[at + 1].is("(")) {
    const std::size_t close = matching_close(tokens_, at + 1);
    if (close >= end) return std::nullopt;
    at = close + 1;
    if (auto value = member_of_this(token.text, true)) return value;
    return call(token.text);
  }
  ++at;
  return look_up(token.text);
}

// One `.member`, `->member`, `[index]` or call of a member function.
std::optional<Value> Expressions::postfix(Value value, std::size_t& at, std::size_t end) {
  if (tokens_[at].is("[")) {
    const std::size_t close = matching_close(tokens_, at);
    if (close >= end) return std::nullopt;
    at = close + 1;
    return element(std::move(value));
  }
  const bool is_arrow = tokens_[at].is("->");
  if ((!is_arrow && !tokens_[at].is(".")) || at + 1 >= end || !tokens_[at + 1].is_word()) {
    return std::nullopt;
  }
  const std::string_view name = tokens_[at + 1].text;
  at += 2;
  const bool is_call = at < end && tokens_[at].is("(");
  if (is_call) {
    at = matching_close(tokens_, at) + 1;
    if (at > end) return std::nullopt;
  }
  if (!is_arrow) return member(std::move(value), name, is_call);
  auto target = arrow(std::move(value));
  return target ? member(std::move(*target), name, is_call) : std::nullopt;
}

std::optional<Value> Expressions::evaluate(std::size_t first, std::size_t end) {
  const Deeper deeper(level_);
  if (first >= end || deeper.too_deep()) return std::nullopt;
  if (tokens_[first].is("*")) {
    auto value = evaluate(first + 1, end);
    return value ? dereference(std::move(*value)) : std::nullopt;
  }
  std::size_t at = first;
  auto value = primary(at, end);
  while (value && at < end) value = postfix(std::move(*value), at, end);
  return value;
}

std::size_t Expressions::start_of_chain(std::size_t last) const {
  std::size_t at = last;
  constexpr int kMostParts = 64;
  for (int i = 0; i < kMostParts; ++i) {
    if (tokens_[at].is("]") || tokens_[at].is(")")) {
      const std::size_t open = matching_open(tokens_, at);
      if (open >= tokens_.size() || open == 0) return tokens_.size();
      const Token& before = tokens_[open - 1];
      const bool follows =
          before.is("]") || before.is(")") || (before.is_word() && !is_keyword(before.text));
      if (!follows && tokens_[at].is("]")) return tokens_.size();
      if (!follows) return open;
      at = open - 1;
      continue;
    }
    if (!tokens_[at].is_word()) return tokens_.size();
    const bool goes_on = at >= 2 && (tokens_[at - 1].is(".") || tokens_[at - 1].is("->") ||
                                     (tokens_[at - 1].is("::") && tokens_[at - 2].is_word()));
    if (!goes_on) return at;
    at -= 2;
  }
  return tokens_.size();
}

std::optional<Value> Expressions::ending_at(std::size_t last) {
  const std::size_t first = start_of_chain(last);
  return first > last ? std::nullopt : evaluate(first, last + 1);
}

std::optional<Value> Expressions::starting_at(std::size_t first, std::size_t& end) {
  std::size_t at = first;
  auto value = first < tokens_.size() ? primary(at, tokens_.size()) : std::nullopt;
  end = at;
  while (value && at < tokens_.size()) {
    auto longer = postfix(*value, at, tokens_.size());
    if (!longer) break;
    value = std::move(longer);
    end = at;
  }
  return value;
}

}  // namespace omnium::symbols
