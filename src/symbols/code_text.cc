// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/code_text.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "symbols/demangle.h"
#include "symbols/system_files.h"
#include "symbols/types.h"

namespace omnium::symbols {

namespace {

constexpr std::int64_t kAnyTime = std::numeric_limits<std::int64_t>::max();

std::string normal_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace

CodeText::CodeText(std::vector<CodeFrame> frames, const UnitIndex& index, SourceFiles& sources,
                   std::int64_t newest, Dwarf_Addr address)
    : index_(index), sources_(sources), newest_(newest), tokens_(&sources.none()) {
  std::size_t own = 0;
  while (own < frames.size() && is_system_file(normal_path(frames[own].frame.file))) ++own;
  if (own == frames.size() || frames[own].frame.line <= 0) return;
  const Frame& frame = frames[own].frame;
  if (own > 0) called_ = frames[own - 1].function;
  tokens_ = &sources.tokens(normal_path(frame.file), newest);
  const auto line = static_cast<std::uint32_t>(frame.line);
  at_ = token_at(*tokens_, line, static_cast<std::uint32_t>(std::max(frame.column, 0)));
  exact_ = at_ < tokens_->size();
  if (!exact_) at_ = first_of_line(*tokens_, line);
  // An object that is initialized in braces: `std::atomic<int> hits_{0}`, `new int[n]{}`.
  if (exact_ && ((*tokens_)[at_].is("}") || (*tokens_)[at_].is("{"))) {
    const std::size_t open = (*tokens_)[at_].is("{") ? at_ : matching_open(*tokens_, at_);
    const bool inside = open > 0 && open < tokens_->size();
    if (inside && ((*tokens_)[open - 1].is_word() || (*tokens_)[open - 1].is("]"))) at_ = open - 1;
  }
  std::string function = index.function_name(frames[own].function);
  if (function.empty()) {
    function = without_template_arguments(function_name(frame.function));
    // A lambda belongs to the function around it.
    function.resize(std::min({function.find("::{lambda"), function.find("::$_"), function.size()}));
  }
  // A region of OpenMP is a function of its own, whose name is not the program's.
  if (function.find("._omp_fn.") != std::string::npos) function = function_name(function);
  scope_ = CodeScope{&index, frames[own].function, std::move(function), address, line};
  expressions_.emplace(*tokens_, *scope_);
  inner_part(frames[0].frame, own, sources);
}

// The library's own statement names the part that it accesses: `_M_impl._M_finish = end`.
void CodeText::inner_part(const Frame& inner, std::size_t own, SourceFiles& sources) {
  if (own == 0 || inner.line <= 0 || inner.column <= 0) return;
  const Tokens& tokens = sources.tokens(normal_path(inner.file), kAnyTime);
  std::size_t at = token_at(tokens, static_cast<std::uint32_t>(inner.line),
                            static_cast<std::uint32_t>(inner.column));
  if (at >= tokens.size()) return;
  if (!tokens[at].is_word() && at > 0) --at;
  if (tokens[at].is_word()) part_ = library_part(tokens[at].text);
}

namespace {

std::vector<Chain> chains_in(const Tokens& tokens, Expressions& expressions, TokenRange range) {
  std::vector<Chain> out;
  constexpr std::size_t kMost = 64;
  for (std::size_t first = range.begin; first < range.end && out.size() < kMost; ++first) {
    const bool goes_on = first > 0 && (tokens[first - 1].is(".") || tokens[first - 1].is("->") ||
                                       tokens[first - 1].is("::"));
    if (!tokens[first].is_word() || goes_on) continue;
    std::size_t longest = first;
    if (!expressions.starting_at(first, longest)) continue;
    for (std::size_t end = first + 1; end <= longest && end <= range.end; ++end) {
      const Token& last = tokens[end - 1];
      if (!last.is_word() && !last.is("]") && !last.is(")")) continue;
      if (expressions.start_of_chain(end - 1) != first) continue;
      if (end < tokens.size() && tokens[end].is("(") && last.is_word()) continue;
      if (auto value = expressions.ending_at(end - 1)) out.push_back({first, end, *value});
    }
  }
  return out;
}

}  // namespace

std::vector<Chain> CodeText::chains() { return chains_in(tokens(), expressions(), statement()); }

std::vector<Macro> CodeText::definitions(std::string_view name) {
  std::vector<Macro> out;
  for (const std::string& file : index_.files()) {
    const std::string path = normal_path(file);
    if (is_system_file(path)) continue;
    for (Macro& macro : macros_in(sources_.text(path, newest_), name)) {
      out.push_back(std::move(macro));
    }
  }
  return out;
}

std::vector<Value> CodeText::values_in_macro(std::size_t at) {
  std::vector<Value> out;
  const auto arguments = arguments_of(tokens(), at);
  for (const Macro& macro : definitions(tokens()[at].text)) {
    const Tokens body = expanded(macro, tokens(), arguments);
    Expressions in_body(body, *scope_);
    for (Chain& chain : chains_in(body, in_body, {0, body.size()})) {
      out.push_back(std::move(chain.value));
    }
  }
  return out;
}

bool CodeText::is_near(const Chain& chain) const {
  if (!exact_) return false;
  // Behind the chain may follow `.function`.
  const bool member = chain.end + 1 < tokens().size() &&
                      (tokens()[chain.end].is(".") || tokens()[chain.end].is("->"));
  const std::size_t behind = chain.end + (member ? 2 : 0);
  if (at_ >= chain.first && at_ <= behind) return true;
  const bool closes = tokens()[at_].is(")") || tokens()[at_].is("]") || tokens()[at_].is("}");
  if (closes && matching_open(tokens(), at_) == behind) return true;
  // The `:` of `for (auto& item : items)`
  return tokens()[at_].is(":") && at_ + 1 == chain.first;
}

}  // namespace omnium::symbols
