// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "triage/suppressions.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "spec/specification.h"
#include "support/text_file.h"

namespace omnium::triage {

namespace {

using Field = Suppression::Field;

struct FieldWord {
  Field field;
  std::string_view word;
};
constexpr FieldWord kFields[] = {
    {Field::kId, "id "}, {Field::kBlock, "block "}, {Field::kObject, "object "}};

constexpr std::string_view kVerb = "suppress ";
constexpr std::string_view kBecause = " because ";

// The rest of `text` behind `word`, if it starts with it.
std::optional<std::string_view> behind(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  return support::trimmed(text.substr(word.size()));
}

std::optional<Suppression> parse_line(std::string_view line) {
  const auto rule = behind(line, kVerb);
  const std::size_t because = rule ? rule->find(kBecause) : std::string_view::npos;
  if (because == std::string_view::npos) return std::nullopt;
  Suppression out;
  const std::string condition = fmt::format("{} ", support::trimmed(rule->substr(0, because)));
  out.glob = support::trimmed(condition);
  for (const auto& [field, word] : kFields) {
    if (const auto glob = behind(condition, word)) {
      out.glob = *glob;
      out.field = field;
      break;
    }
  }
  out.reason = support::trimmed(rule->substr(because + kBecause.size()));
  if (out.glob.empty() || out.reason.empty()) return std::nullopt;
  return out;
}

bool matches(const Suppression& suppression, const report::Cause& cause) {
  switch (suppression.field) {
    case Field::kId: return glob_match(suppression.glob, cause.id);
    case Field::kBlock:
      return cause.block.label && glob_match(suppression.glob, *cause.block.label) &&
             std::ranges::all_of(cause.other_functions, [&](std::string_view function) {
               return glob_match(suppression.glob, function);
             });
    case Field::kObject:
      return std::ranges::any_of(cause.objects, [&](std::string_view object) {
        return glob_match(suppression.glob, object);
      });
  }
  return false;
}

}  // namespace

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& path) {
  Suppressions out;
  std::uint64_t number = 0;
  for (const std::string_view whole : support::lines_of(text)) {
    ++number;
    const std::string_view line = support::trimmed(whole);
    if (line.empty() || line.starts_with('#')) continue;
    auto suppression = parse_line(line);
    if (!suppression) {
      return fail({path, number, 1},
                  fmt::format("expected 'suppress [block|object] GLOB because REASON', got '{}'",
                              printable(line)));
    }
    suppression->at = {path, number, 1};
    out.suppressions_.push_back(std::move(*suppression));
  }
  return out;
}

Result<Suppressions> Suppressions::read_file(const std::string& path) {
  const auto text = support::read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse(*text, path);
}

const Suppression* Suppressions::match(const report::Cause& cause) {
  const Suppression* first = nullptr;
  for (Suppression& suppression : suppressions_) {
    if (!matches(suppression, cause)) continue;
    ++suppression.causes;
    suppression.violations += cause.count;
    if (first == nullptr) first = &suppression;
  }
  return first;
}

std::string to_string(const Suppression& suppression) {
  constexpr std::string_view kWords[] = {"", "block ", "object "};
  return fmt::format("suppress {}{}", kWords[static_cast<std::size_t>(suppression.field)],
                     suppression.glob);
}

}  // namespace omnium::triage
